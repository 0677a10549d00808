//===- Statements.cpp - blocks of ops as C++ statements -------------------===//

#include "compiler/emit/Statements.h"

#include "compiler/emit/Expressions.h"
#include "compiler/emit/LineBreaks.h"
#include "compiler/emit/Types.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilewire;

namespace {

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
  void emitLine(const Twine &statement) {
    emitStatement(statement.str(), indent, os);
  }

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
        emitComment(comment.getText(), indent, os);
      })
      .Case([&](cuda::StoreOp store) {
        emitLine("tw::store(" + expression(store.getPointer()) + ", " +
                 expression(store.getOffset()) + ", " +
                 expression(store.getValue()) + ");");
      })
      .Case([&](cuda::SetOp set) {
        emitLine(expression(set.getArray()) + "[" + expression(set.getIndex()) +
                 "] = " + expression(set.getValue()) + ";");
      })
      .Case([&](cuda::EnterAllOp enter) {
        emitLine("if (!tw::enterAll(world, " + Twine(enter.getWait()) + "))");
        emitLine("  return;");
      })
      .Case([&](cuda::BarrierAllOp barrier) {
        emitLine("if (!tw::barrierAll(world, " + Twine(barrier.getWait()) +
                 "))");
        emitLine("  return;");
      })
      .Case([&](cuda::SyncOp) { emitLine("__syncthreads();"); })
      .Case([&](cuda::CheckOp check) {
        emitLine("tw::check(world, " + Twine(check.getCheck()) + ", " +
                 expression(check.getCondition()) + ", " +
                 expression(check.getValue()) + ");");
      })
      .Case([&](cuda::LeaveAllOp leave) {
        emitLine("tw::leaveAll(world, " + Twine(leave.getWait()) + ");");
      })
      .Case<cuda::ReturnOp, scf::YieldOp>([](auto) {})
      .Default([&](Operation *) { emitDeclaration(op); });
}

void StatementEmitter::emitDeclaration(Operation &op) {
  Value result = op.getResult(0);
  StringRef name = variableName(result);
  if (name.empty())
    return;
  if (auto array = dyn_cast<cuda::ArrayType>(result.getType()))
    emitLine(Twine(vectorSpelling(array.getElement())) + " " + name + "[" +
             Twine(array.getSize()) + "];");
  else
    emitLine(Twine(declarationPrefix(result.getType())) + name + " = " +
             computation(&op) + ";");
}

void StatementEmitter::emitFor(scf::ForOp loop) {
  const std::string counter = expression(loop.getInductionVar());
  if (loop->hasAttr(cuda::unrollAttrName))
    os << "#pragma unroll\n";
  const std::string step = matchPattern(loop.getStep(), m_One())
                               ? "++" + counter
                               : counter + " += " + expression(loop.getStep());
  const bool wide = loop.getInductionVar().getType().isInteger(64);
  const bool braces = !isOneStatement(*loop.getBody());
  emitLine(Twine("for (") + (wide ? "size_t " : "unsigned ") + counter + " = " +
           expression(loop.getLowerBound()) + "; " + counter + " < " +
           expression(loop.getUpperBound(), Precedence::Shift) + "; " + step +
           (braces ? ") {" : ")"));
  emitNested(*loop.getBody());
  if (braces)
    emitLine("}");
}

void StatementEmitter::emitIf(scf::IfOp branch) {
  const bool braces =
      branch.elseBlock() || !isOneStatement(*branch.thenBlock());
  emitLine("if (" + expression(branch.getCondition()) + (braces ? ") {" : ")"));
  emitNested(*branch.thenBlock());
  if (branch.elseBlock()) {
    emitLine("} else {");
    emitNested(*branch.elseBlock());
  }
  if (braces)
    emitLine("}");
}

} // namespace

void tilewire::emitStatements(Block &block, unsigned indent,
                              llvm::raw_ostream &os) {
  StatementEmitter(indent, os).emit(block);
}
