//===- Names.h - names that generated text can use ------------------------===//
//
// Turns what users call things into identifiers of C++ and CUDA. Used where
// parameters and comments get their names (LowerTileToCuda) and where variables
// and kernels do (LegalizeNames).
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_PASSES_NAMES_H
#define TILEWIRE_COMPILER_PASSES_NAMES_H

#include "mlir/Support/LLVM.h"

#include <string>

namespace tilewire {

/// A legal name like `wanted` that is not taken: `wanted` itself where it can
/// be, with a number behind it otherwise.
std::string uniqueName(mlir::StringRef wanted,
                       mlir::function_ref<bool(mlir::StringRef)> isTaken);

/// Whether `name` is a function or type that CUDA declares outside namespaces,
/// which a local variable may hide and a kernel may not redeclare.
bool isReservedForKernels(mlir::StringRef name);

} // namespace tilewire

#endif // TILEWIRE_COMPILER_PASSES_NAMES_H
