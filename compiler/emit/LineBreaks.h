//===- LineBreaks.h - statements that fit the line ------------------------===//
//
// The one place that breaks lines of generated text. For the emitter of kernels
// and statements; knows no ops.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_EMIT_LINEBREAKS_H
#define TILEWIRE_COMPILER_EMIT_LINEBREAKS_H

#include "mlir/Support/LLVM.h"

namespace tilewire {

/// Prints `statement`, which is one line, with `indent` spaces before it and a
/// newline behind it. What does not fit 80 columns goes on further lines: as
/// few as will do, each broken after the operator that binds loosest, and under
/// the first argument within a call.
void emitStatement(mlir::StringRef statement, unsigned indent,
                   llvm::raw_ostream &os);

/// Prints `text` as a comment, broken between words.
void emitComment(mlir::StringRef text, unsigned indent, llvm::raw_ostream &os);

} // namespace tilewire

#endif // TILEWIRE_COMPILER_EMIT_LINEBREAKS_H
