//===- Tile.h - the tile dialect ------------------------------------------===//
//
// Declarations of the tile dialect, and the few questions about tensors that
// its ops, the builder and the passes share.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DIALECTS_TILE_H
#define TILEWIRE_DIALECTS_TILE_H

#include <tilewire/Partition.h>

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

/// Extent of a tensor's dimension: a number or a parameter of the kernel, or
/// the share of one that each rank has.
struct TensorExtent {
  /// Of all ranks together if a share; of a parameter the most it can be.
  int64_t count;
  bool isShare = false;
  mlir::StringAttr parameter = {}; ///< its name; null for a number

  bool operator==(const TensorExtent &other) const = default;
  friend llvm::hash_code hash_value(const TensorExtent &extent) {
    return llvm::hash_combine(extent.count, extent.isShare, extent.parameter);
  }

  /// Whether all of so many ranks have as much along it.
  bool isAlike(int64_t numRanks) const {
    return !isShare || (!parameter && Partition{count, int(numRanks)}.isEven());
  }

  /// The most elements that any of so many ranks has along it.
  int64_t most(int64_t numRanks) const {
    return isShare ? Partition{count, int(numRanks)}.maxSize() : count;
  }
  /// What every one of so many ranks has along it, if that is known.
  std::optional<int64_t> onEvery(int64_t numRanks) const {
    if (parameter || !isAlike(numRanks))
      return std::nullopt;
    return most(numRanks);
  }
};

/// The parameters that a kernel declares, of the attribute that both kinds
/// have; a failure, with a diagnostic, where one makes no sense or `tensor` has
/// one that is not declared so.
llvm::LogicalResult verifyParameters(mlir::Operation *kernel,
                                     mlir::ArrayAttr parameters);
llvm::LogicalResult verifyExtents(mlir::Operation *kernel, unsigned number,
                                  llvm::ArrayRef<TensorExtent> extents,
                                  mlir::ArrayAttr parameters);

/// Refuses a written tile or tensor whose strides put two indices at one place:
/// threads, blocks and ranks write in any order.
llvm::LogicalResult verifyDistinct(mlir::Operation *op, mlir::Value written);

/// Whether `type` can be an element of a tensor.
bool isElementType(mlir::Type type);

/// `num_ranks` of the kernel around `op`; 2^63 - 1 without one.
int64_t numRanksAround(mlir::Operation *op);

/// The most that the parameter of the kernel around `op` can be; nothing where
/// the kernel has none of this name.
std::optional<int64_t> mostOfParameter(mlir::Operation *op,
                                       mlir::StringAttr name);

/// The argument of a kernel that a tensor or tile is, or is made from by at
/// most `maxViews` slices and transposes; null for any other value.
mlir::Value tensorOf(mlir::Value view);
inline constexpr int maxViews = 64;

/// Element type of a tensor or tile, and whether it is symmetric.
mlir::Type elementTypeOf(mlir::Type view);
bool isSymmetric(mlir::Type view);

/// How far a tensor or tile extends, as every rank knows of every other:
/// nothing for a size that is no number, no parameter and no share of either by
/// this rank.
llvm::SmallVector<std::optional<TensorExtent>> extentsOf(mlir::Value view);

/// "[2, share(30), 8]".
std::string formatExtents(llvm::ArrayRef<TensorExtent> extents);

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
