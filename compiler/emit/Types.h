//===- Types.h - types as C++ ---------------------------------------------===//
//
// The spelling of types. For the emitter of kernels, statements and
// expressions; knows no ops.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_EMIT_TYPES_H
#define TILEWIRE_COMPILER_EMIT_TYPES_H

#include "dialects/Cuda/Cuda.h"

#include <string>

namespace tilewire {

/// "tw::Vector<tw::b16, 8>".
std::string vectorSpelling(cuda::VecType type);

/// "tw::b16 *", with a const in front when it is only read through. Ends so
/// that a name can follow.
std::string pointerSpelling(cuda::PtrType type, bool readOnly);

/// "const unsigned ", "const size_t ", ...: a variable's declaration up to its
/// name.
std::string declarationPrefix(mlir::Type type);

} // namespace tilewire

#endif // TILEWIRE_COMPILER_EMIT_TYPES_H
