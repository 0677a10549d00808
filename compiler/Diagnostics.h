//===- Diagnostics.h - MLIR's diagnostics as Tilewire's errors ------------===//
//
// Turns what MLIR reports about a program into one UserError with its place.
// For all parts of the compiler that parse, verify or run passes.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_DIAGNOSTICS_H
#define TILEWIRE_COMPILER_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LogicalResult.h"

#include <string>

namespace tilewire {

/// "file:line:column: ", "file: " for a whole file, or nothing when the place
/// isn't known: what goes in front of a message.
std::string placePrefix(mlir::Location loc);

/// Keeps the first error reported in a context while it lives.
class DiagnosticKeeper {
public:
  explicit DiagnosticKeeper(mlir::MLIRContext *context);

  /// Throws UserError with the error kept, if `result` is a failure.
  void check(llvm::LogicalResult result) const;

private:
  std::string first;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace tilewire

#endif // TILEWIRE_COMPILER_DIAGNOSTICS_H
