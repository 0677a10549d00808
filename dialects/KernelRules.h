//===- KernelRules.h - what kernels of both dialects must hold ------------===//
//
// Limits of generated text, and checks that tile.kernel and cuda.kernel share:
// attributes that nobody knows, names, and divisions by zero. For the kernels'
// verifiers and the passes that name what they add.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DIALECTS_KERNELRULES_H
#define TILEWIRE_DIALECTS_KERNELRULES_H

#include "dialects/Tile/Tile.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tilewire {

/// The most launch parameters of a kernel.
inline constexpr size_t maxParameters = 64;

/// A name of the kernel's that is too long for messages and text is refused.
llvm::LogicalResult verifyNameLength(mlir::Operation *op, llvm::StringRef what,
                                     llvm::StringRef name);

/// The longest name of a kernel, tensor, dimension or value. NVRTC aborts the
/// process at 100,000 characters and bears 60,000.
inline constexpr size_t maxNameLength = 1024;

/// The most tensors of a kernel. NVRTC bears 4,000: kernels have 32,764 bytes
/// of parameters.
inline constexpr unsigned maxTensors = 1024;

/// The most dimensions of a tensor.
inline constexpr int64_t maxTensorRank = 64;

/// Refuses more than `maxTensors` arguments, a kernel's name that is too long,
/// and attributes of arguments that are not in `known`.
llvm::LogicalResult verifySignature(mlir::FunctionOpInterface kernel,
                                    llvm::ArrayRef<llvm::StringRef> known);

/// Checks the names that argument `number` gives `tensor` and its dimensions.
llvm::LogicalResult verifyTensorNames(mlir::FunctionOpInterface kernel,
                                      unsigned number, tile::TensorType tensor);

/// Refuses attributes that the ops of a kernel, and the kernel itself, do not
/// know, integer divisions by a constant zero, and loops whose constant step is
/// not positive.
llvm::LogicalResult verifyOps(mlir::FunctionOpInterface kernel);

} // namespace tilewire

#endif // TILEWIRE_DIALECTS_KERNELRULES_H
