//===- Statements.h - blocks of ops as C++ statements ---------------------===//
//
// Loops, branches, declarations and calls, one per line. For the emitter of
// kernels; leaves what stands within a line to Expressions.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_EMIT_STATEMENTS_H
#define TILEWIRE_COMPILER_EMIT_STATEMENTS_H

#include "mlir/IR/Block.h"

namespace llvm {
class raw_ostream;
}

namespace tilewire {

/// Prints the statements of `block`, indented by `indent` spaces. Values
/// without a name print where they are used.
void emitStatements(mlir::Block &block, unsigned indent, llvm::raw_ostream &os);

} // namespace tilewire

#endif // TILEWIRE_COMPILER_EMIT_STATEMENTS_H
