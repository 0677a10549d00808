//===- Cuda.h - the cuda dialect ------------------------------------------===//
//
// Declarations of the dialect whose ops are the constructs of generated text.
// Knows nothing of tiles but the attribute that names a parameter.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DIALECTS_CUDA_H
#define TILEWIRE_DIALECTS_CUDA_H

#include "dialects/Tile/Tile.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilewire::cuda {

/// Parameter attribute that holds the tensor's type.
inline constexpr llvm::StringLiteral tensorAttrName = "cuda.tensor";
/// Parameter attribute of tensors that some rank writes.
inline constexpr llvm::StringLiteral writtenAttrName = "cuda.written";
/// Loop attribute that asks for `#pragma unroll`.
inline constexpr llvm::StringLiteral unrollAttrName = "cuda.unroll";

/// Attribute of divisions whose divisor a kernel does not change, so that a
/// reciprocal pays.
inline constexpr llvm::StringLiteral invariantAttrName = "cuda.invariant";

} // namespace tilewire::cuda

#include "dialects/Cuda/CudaDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Cuda/CudaTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/Cuda/CudaOps.h.inc"

#endif // TILEWIRE_DIALECTS_CUDA_H
