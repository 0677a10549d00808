//===- Statements.cpp - blocks of ops as C++ statements -------------------===//

#include "compiler/emit/Statements.h"

#include "compiler/emit/Expressions.h"
#include "compiler/emit/Types.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilewire;

namespace {

/// The most columns that a line takes where it can be broken.
constexpr size_t lineWidth = 80;

class StatementEmitter {
public:
  StatementEmitter(unsigned indent, llvm::raw_ostream &os)
      : indent(indent), os(os) {}

  void emit(Block &block) {
    for (Operation &op : block)
      emit(op);
  }

private:
  void emit(Operation &op);
  void emitFor(scf::ForOp loop);
  void emitIf(scf::IfOp branch);
  void emitNested(Block &block) {
    StatementEmitter(indent + 2, os).emit(block);
  }
  void emitDeclaration(Operation &op);
  void emitAssignment(const std::string &target, const std::string &value);
  void emitCall(StringRef function, ArrayRef<std::string> arguments);

  llvm::raw_ostream &line() { return os.indent(indent); }

  unsigned indent;
  llvm::raw_ostream &os;
};

/// Whether a body is one statement, which then stands without braces.
bool isOneStatement(Block &block) {
  unsigned statements = 0;
  for (Operation &op : block.without_terminator()) {
    if (isa<scf::ForOp, scf::IfOp, cuda::CommentOp>(op))
      return false;
    const bool prints =
        op.getNumResults() == 0 || !variableName(op.getResult(0)).empty();
    statements += prints;
    if (prints && op.getNumResults() != 0)
      return false;
  }
  return statements == 1;
}

void StatementEmitter::emit(Operation &op) {
  TypeSwitch<Operation *>(&op)
      .Case([&](scf::ForOp loop) { emitFor(loop); })
      .Case([&](scf::IfOp branch) { emitIf(branch); })
      .Case([&](cuda::CommentOp comment) {
        line() << "// " << comment.getText() << "\n";
      })
      .Case([&](cuda::StoreOp store) {
        emitCall("tw::store",
                 {expression(store.getPointer()), expression(store.getOffset()),
                  expression(store.getValue())});
      })
      .Case([&](cuda::SetOp set) {
        emitAssignment(expression(set.getArray()) + "[" +
                           expression(set.getIndex()) + "]",
                       expression(set.getValue()));
      })
      .Case([&](cuda::EnterAllOp enter) {
        line() << "if (!tw::enterAll(world, " << enter.getWait() << "))\n";
        line() << "  return;\n";
      })
      .Case([&](cuda::BarrierAllOp barrier) {
        line() << "if (!tw::barrierAll(world, " << barrier.getWait() << "))\n";
        line() << "  return;\n";
      })
      .Case([&](cuda::SyncOp) { line() << "__syncthreads();\n"; })
      .Case([&](cuda::CheckOp check) {
        emitCall("tw::check", {std::to_string(check.getCheck()),
                               expression(check.getCondition()),
                               expression(check.getValue())});
      })
      .Case([&](cuda::LeaveAllOp leave) {
        line() << "tw::leaveAll(world, " << leave.getWait() << ");\n";
      })
      .Case<cuda::ReturnOp, scf::YieldOp>([](auto) {})
      .Default([&](Operation *) { emitDeclaration(op); });
}

void StatementEmitter::emitDeclaration(Operation &op) {
  Value result = op.getResult(0);
  StringRef name = variableName(result);
  if (name.empty())
    return;
  if (auto array = dyn_cast<cuda::ArrayType>(result.getType())) {
    line() << vectorSpelling(array.getElement()) << " " << name << "["
           << array.getSize() << "];\n";
    return;
  }
  emitAssignment(declarationPrefix(result.getType()) + name.str(),
                 computation(&op));
}

/// What does not fit one line goes on the next.
void StatementEmitter::emitAssignment(const std::string &target,
                                      const std::string &value) {
  const bool fits = indent + target.size() + value.size() + 4 <= lineWidth;
  line() << target << " =";
  if (fits)
    os << " ";
  else
    os << "\n" << std::string(indent + 4, ' ');
  os << value << ";\n";
}

/// A call as a statement; arguments that do not fit the line go under the
/// first one.
void StatementEmitter::emitCall(StringRef function,
                                ArrayRef<std::string> arguments) {
  size_t column = indent + function.size() + 1;
  const size_t hang = column;
  line() << function << "(";
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    const size_t width = argument.size() + 2;
    if (number != 0) {
      os << ",";
      if (column + width > lineWidth) {
        os << "\n";
        os.indent(hang);
        column = hang;
      } else {
        os << " ";
      }
    }
    os << argument;
    column += width;
  }
  os << ");\n";
}

void StatementEmitter::emitFor(scf::ForOp loop) {
  const std::string counter = expression(loop.getInductionVar());
  if (loop->hasAttr(cuda::unrollAttrName))
    os << "#pragma unroll\n";
  std::string step = " += " + expression(loop.getStep());
  if (matchPattern(loop.getStep(), m_One()))
    step.clear();
  const bool wide = loop.getInductionVar().getType().isInteger(64);
  line() << "for (" << (wide ? "size_t " : "unsigned ") << counter << " = "
         << expression(loop.getLowerBound()) << "; " << counter << " < "
         << expression(loop.getUpperBound(), Precedence::Shift) << "; "
         << (step.empty() ? "++" + counter : counter + step) << ")";
  const bool braces = !isOneStatement(*loop.getBody());
  os << (braces ? " {\n" : "\n");
  emitNested(*loop.getBody());
  if (braces)
    line() << "}\n";
}

void StatementEmitter::emitIf(scf::IfOp branch) {
  line() << "if (" << expression(branch.getCondition()) << ")";
  const bool braces =
      branch.elseBlock() || !isOneStatement(*branch.thenBlock());
  os << (braces ? " {\n" : "\n");
  emitNested(*branch.thenBlock());
  if (branch.elseBlock()) {
    line() << "} else {\n";
    emitNested(*branch.elseBlock());
  }
  if (braces)
    line() << "}\n";
}

} // namespace

void tilewire::emitStatements(Block &block, unsigned indent,
                              llvm::raw_ostream &os) {
  StatementEmitter(indent, os).emit(block);
}
