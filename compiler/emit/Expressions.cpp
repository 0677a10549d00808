//===- Expressions.cpp - values as C++ expressions ------------------------===//

#include "compiler/emit/Expressions.h"

#include "compiler/emit/Types.h"
#include "dialects/Cuda/Cuda.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewire;

StringRef tilewire::variableName(Value value) {
  auto name = dyn_cast<NameLoc>(value.getLoc());
  return name ? name.getName().getValue() : StringRef();
}

namespace {

struct Operator {
  const char *spelling;
  Precedence precedence;
  /// Whether a op (b op c) equals (a op b) op c, so that neither side needs
  /// parentheses.
  bool associative;
};

Operator comparison(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return {"==", Precedence::Equality, false};
  case arith::CmpIPredicate::ne:
    return {"!=", Precedence::Equality, false};
  case arith::CmpIPredicate::ult:
    return {"<", Precedence::Relational, false};
  case arith::CmpIPredicate::ule:
    return {"<=", Precedence::Relational, false};
  case arith::CmpIPredicate::ugt:
    return {">", Precedence::Relational, false};
  case arith::CmpIPredicate::uge:
    return {">=", Precedence::Relational, false};
  default:
    llvm_unreachable("signed comparisons are refused before");
  }
}

std::optional<Operator> binaryOperator(Operation *op) {
  return TypeSwitch<Operation *, std::optional<Operator>>(op)
      .Case([](arith::AddIOp) {
        return Operator{"+", Precedence::Additive, true};
      })
      .Case([](arith::SubIOp) {
        return Operator{"-", Precedence::Additive, false};
      })
      .Case([](arith::MulIOp) {
        return Operator{"*", Precedence::Multiplicative, true};
      })
      .Case([](arith::DivUIOp) {
        return Operator{"/", Precedence::Multiplicative, false};
      })
      .Case([](arith::RemUIOp) {
        return Operator{"%", Precedence::Multiplicative, false};
      })
      .Case([](cuda::QuotientOp) {
        return Operator{"/", Precedence::Multiplicative, false};
      })
      .Case([](cuda::RemainderOp) {
        return Operator{"%", Precedence::Multiplicative, false};
      })
      .Case([](arith::ShLIOp) {
        return Operator{"<<", Precedence::Shift, false};
      })
      .Case([](arith::ShRUIOp) {
        return Operator{">>", Precedence::Shift, false};
      })
      .Case([](arith::AndIOp both) {
        return both.getType().isInteger(1)
                   ? Operator{"&&", Precedence::LogicalAnd, true}
                   : Operator{"&", Precedence::And, true};
      })
      .Case([](arith::OrIOp either) {
        return either.getType().isInteger(1)
                   ? Operator{"||", Precedence::LogicalOr, true}
                   : Operator{"|", Precedence::Or, true};
      })
      .Case([](arith::XOrIOp) {
        return Operator{"^", Precedence::Xor, true};
      })
      .Case([](arith::CmpIOp compare) {
        return comparison(compare.getPredicate());
      })
      .Default(std::nullopt);
}

std::string constantSpelling(arith::ConstantOp op) {
  auto value = cast<IntegerAttr>(op.getValue());
  if (value.getType().isInteger(1))
    return value.getValue().isZero() ? "false" : "true";
  const uint64_t number = value.getValue().getZExtValue();
  std::string text = std::to_string(number);
  // An unsuffixed literal is signed, and has the first type that holds it. With
  // this one it is a size_t.
  if (number > uint64_t(std::numeric_limits<int64_t>::max()))
    return text + "ul";
  if (value.getType().isInteger(32) &&
      number > uint64_t(std::numeric_limits<int32_t>::max()))
    return text + "u";
  return text;
}

/// `value` with its own type where C++ would look at it: a literal alone is an
/// int, whatever it stands beside.
std::string typedExpression(Value value,
                            Precedence context = Precedence::Conditional) {
  std::string text = expression(value, context);
  if (!value.getDefiningOp<arith::ConstantOp>() || value.getType().isInteger(1))
    return text;
  if (value.getType().isInteger(64))
    return "size_t(" + text + ")";
  return StringRef(text).ends_with("u") ? text : text + "u";
}

std::string parenthesized(std::string text, Precedence own,
                          Precedence context) {
  return own < context ? "(" + text + ")" : text;
}

/// Whether the text of `value` is operands joined by the operator of `op`
/// alone, or binds tighter: in b / c * d the first operator isn't that of the
/// last.
bool joinsOnly(Operation *op, Precedence precedence, Value value) {
  Operation *inner = value.getDefiningOp();
  if (!inner || !variableName(value).empty())
    return true;
  auto spelling = binaryOperator(inner);
  if (!spelling || spelling->precedence > precedence)
    return true;
  return inner->getName() == op->getName() &&
         joinsOnly(op, precedence, inner->getOperand(0));
}

/// The number that `value` subtracts where it is added: arithmetic is modulo
/// 2^32 or 2^64, in which -2 is a large number. Nothing for any other value.
std::optional<uint64_t> negated(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) ||
      !constant.isNegative() || constant.isMinSignedValue())
    return std::nullopt;
  return (-constant).getZExtValue();
}

std::string binary(Operation *op, Operator spelling, Precedence context) {
  if (isa<arith::AddIOp>(op))
    if (const auto subtracted = negated(op->getOperand(1)))
      return parenthesized(expression(op->getOperand(0), Precedence::Additive) +
                               " - " + std::to_string(*subtracted),
                           Precedence::Additive, context);
  // The right side of a left-associative operator must bind tighter, or equal
  // when it is the same associative operator all the way.
  const auto tighter = Precedence(int(spelling.precedence) + 1);
  const bool sameOperator =
      spelling.associative &&
      joinsOnly(op, spelling.precedence, op->getOperand(1));
  // Comparisons do not chain.
  const bool chains = !isa<arith::CmpIOp>(op);
  const auto leftContext = chains ? spelling.precedence : tighter;
  std::string text = (isa<arith::ShLIOp, arith::ShRUIOp>(op)
                          ? typedExpression(op->getOperand(0), leftContext)
                          : expression(op->getOperand(0), leftContext)) +
                     " " + spelling.spelling + " " +
                     expression(op->getOperand(1),
                                sameOperator ? spelling.precedence : tighter);
  return parenthesized(std::move(text), spelling.precedence, context);
}

std::string call(StringRef function, ArrayRef<std::string> arguments) {
  std::string text = function.str() + "(";
  for (auto [number, argument] : llvm::enumerate(arguments))
    text += (number ? ", " : "") + argument;
  return text + ")";
}

/// CUDA's builtin variables count in 32 bits.
std::string builtinVariable(const char *spelling, Operation *op) {
  return op->getResult(0).getType().isInteger(64) ? call("size_t", {spelling})
                                                  : spelling;
}

} // namespace

std::string tilewire::computation(Operation *op, Precedence context) {
  if (auto spelling = binaryOperator(op))
    return binary(op, *spelling, context);
  auto operand = [&](unsigned number) {
    return expression(op->getOperand(number));
  };
  return TypeSwitch<Operation *, std::string>(op)
      .Case(
          [](arith::ConstantOp constant) { return constantSpelling(constant); })
      .Case([&](arith::ExtUIOp extend) {
        return call(extend.getType().isInteger(32) ? "unsigned" : "size_t",
                    {operand(0)});
      })
      .Case([&](arith::TruncIOp) { return call("unsigned", {operand(0)}); })
      .Case([&](arith::MinUIOp) {
        return call("min", {typedExpression(op->getOperand(0)),
                            typedExpression(op->getOperand(1))});
      })
      .Case([&](arith::MaxUIOp) {
        return call("max", {typedExpression(op->getOperand(0)),
                            typedExpression(op->getOperand(1))});
      })
      .Case([&](arith::SelectOp select) {
        std::string text =
            expression(select.getCondition(), Precedence::LogicalOr) + " ? " +
            typedExpression(select.getTrueValue()) + " : " +
            typedExpression(select.getFalseValue());
        return parenthesized(
            std::move(text), Precedence::Conditional,
            context == Precedence::Conditional ? context : Precedence::Primary);
      })
      .Case([&](cuda::ThreadIndexOp) {
        return builtinVariable("threadIdx.x", op);
      })
      .Case(
          [&](cuda::BlockIndexOp) { return builtinVariable("blockIdx.x", op); })
      .Case([&](cuda::NumBlocksOp) { return builtinVariable("gridDim.x", op); })
      .Case([&](cuda::DivisorOp) { return call("tw::Divisor", {operand(0)}); })
      .Case([&](cuda::ParameterOp parameter) {
        auto kernel = op->getParentOfType<cuda::KernelOp>();
        const StringRef name = kernel.getSpelling(parameter.getNameAttr());
        const bool isNarrow = kernel.isNarrow(parameter.getNameAttr());
        return parameter.getType().isInteger(64) && isNarrow
                   ? call("size_t", {name.str()})
                   : name.str();
      })
      .Case([&](cuda::RankOp) { return builtinVariable("world.rank", op); })
      .Case([&](cuda::OnPeerOp) {
        return call("tw::onPeer", {"world", operand(0), operand(1)});
      })
      .Case([&](cuda::LoadOp load) {
        return call("tw::load<" + std::to_string(load.getType().getCount()) +
                        ">",
                    {operand(0), operand(1)});
      })
      .Case([&](cuda::GetOp get) {
        return expression(get.getArray()) + "[" + expression(get.getIndex()) +
               "]";
      })
      .Default([](Operation *) -> std::string {
        llvm_unreachable("checked to be printable");
      });
}

std::string tilewire::expression(Value value, Precedence context) {
  if (StringRef name = variableName(value); !name.empty())
    return name.str();
  return computation(value.getDefiningOp(), context);
}
