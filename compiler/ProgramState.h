//===- ProgramState.h - the MLIR inside a Program -------------------------===//
//
// For the compiler's own files; a public header never includes it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_PROGRAMSTATE_H
#define TILEWIRE_COMPILER_PROGRAMSTATE_H

#include <tilewire/Program.h>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <mutex>

namespace tilewire {

/// A context with every dialect that programs use.
std::unique_ptr<mlir::MLIRContext> makeContext();

struct Program::State {
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< goes before its context
  /// Held by whoever uses the context: copies of a program share it, on several
  /// threads, and reading or printing a module writes to it too.
  std::mutex mutex;
};

/// MLIR text with values under their users' names, and with places.
std::string printModule(mlir::ModuleOp module);

} // namespace tilewire

#endif // TILEWIRE_COMPILER_PROGRAMSTATE_H
