//===- ParseModule.h - text to the module of a program --------------------===//
//
// For Program::parse and tilewire-opt, which so refuse the same texts at the
// same places; knows no pass.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_PARSEMODULE_H
#define TILEWIRE_COMPILER_PARSEMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace tilewire {

/// The verified module of the main file of `sources`, each of its ops with a
/// place; null after an error, which is reported in `context`.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(const llvm::SourceMgr &sources,
                                              mlir::MLIRContext *context);

} // namespace tilewire

#endif // TILEWIRE_COMPILER_PARSEMODULE_H
