//===- Tile.h - the tile dialect ------------------------------------------===//
//
// Declarations of the tile dialect, and the few questions about tensors that
// its ops, the builder and the passes share.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DIALECTS_TILE_H
#define TILEWIRE_DIALECTS_TILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilewire::tile {

/// Argument attribute that names a tensor in generated text.
inline constexpr llvm::StringLiteral nameAttrName = "tile.name";
/// Argument attribute that names a tensor's dimensions, e.g. ["B", "H"].
inline constexpr llvm::StringLiteral dimsAttrName = "tile.dims";

/// Argument attribute of tensors whose memory may overlap.
inline constexpr llvm::StringLiteral mayAliasAttrName = "tile.may_alias";

/// Whether `type` can be an element of a tensor.
bool isElementType(mlir::Type type);

/// Whether two arguments of a kernel may share memory: they are one, or both
/// say so.
bool mayAlias(mlir::Value tensor, mlir::Value other);

/// Whether `permutation` holds each of 0 .. rank - 1 once.
bool isPermutation(llvm::ArrayRef<int64_t> permutation, int64_t rank);

/// `values[permutation[i]]` for each i.
llvm::SmallVector<int64_t> permute(llvm::ArrayRef<int64_t> values,
                                   llvm::ArrayRef<int64_t> permutation);

} // namespace tilewire::tile

#include "dialects/Tile/TileEnums.h.inc"

#include "dialects/Tile/TileDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Tile/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Tile/TileTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/Tile/TileOps.h.inc"

#endif // TILEWIRE_DIALECTS_TILE_H
