//===- Expressions.h - values as C++ expressions --------------------------===//
//
// A value with a name is that name; one without is the expression that computes
// it, with only the parentheses that precedence asks for.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_EMIT_EXPRESSIONS_H
#define TILEWIRE_COMPILER_EMIT_EXPRESSIONS_H

#include "mlir/IR/Value.h"

#include <string>

namespace tilewire {

/// How tightly an expression binds, loosest first.
enum class Precedence {
  Conditional,
  LogicalOr,
  LogicalAnd,
  Or,
  Xor,
  And,
  Equality,
  Relational,
  Shift,
  Additive,
  Multiplicative,
  Primary,
};

/// The name of a variable; empty for a value that has none.
llvm::StringRef variableName(mlir::Value value);

/// `value` where it is used, in parentheses if it binds less than `context`.
std::string expression(mlir::Value value,
                       Precedence context = Precedence::Conditional);

/// What `op` computes, never its name: the right side of a declaration.
std::string computation(mlir::Operation *op,
                        Precedence context = Precedence::Conditional);

} // namespace tilewire

#endif // TILEWIRE_COMPILER_EMIT_EXPRESSIONS_H
