//===- CheckPrintable.cpp - what the emitter can spell --------------------===//

#include "compiler/Locations.h"
#include "compiler/passes/Passes.h"
#include "dialects/Uniformity.h"

namespace tilewire {
#define GEN_PASS_DEF_CHECKPRINTABLE
#include "compiler/passes/Passes.h.inc"
} // namespace tilewire

using namespace mlir;
using namespace tilewire;

namespace {

bool isKnown(Operation *op) {
  return isa<cuda::CudaDialect>(op->getDialect()) ||
         isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp,
             arith::RemUIOp, arith::MinUIOp, arith::MaxUIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, arith::ShLIOp, arith::ShRUIOp,
             arith::CmpIOp, arith::SelectOp, arith::ConstantOp, arith::ExtUIOp,
             arith::TruncIOp, scf::ForOp, scf::IfOp, scf::YieldOp>(op);
}

bool isSigned(Operation *op) {
  if (isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
          arith::FloorDivSIOp, arith::MinSIOp, arith::MaxSIOp>(op))
    return true;
  auto compare = dyn_cast<arith::CmpIOp>(op);
  return compare && compare.getPredicate() >= arith::CmpIPredicate::slt &&
         compare.getPredicate() <= arith::CmpIPredicate::sge;
}

/// Whether the text has a type for `type`.
bool isKnown(Type type) {
  return type.isIndex() || type.isInteger(1) || type.isInteger(32) ||
         type.isInteger(64) || isa<cuda::CudaDialect>(type.getDialect());
}

/// Whether `op` computes numbers, which truth values are not.
bool isArithmetic(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp,
             arith::RemUIOp, arith::MinUIOp, arith::MaxUIOp, arith::ShLIOp,
             arith::ShRUIOp, arith::TruncIOp>(op);
}

/// The start of a refusal, at the place of `op`; a constant that was folded or
/// hoisted has none, and is shown where it is used.
InFlightDiagnostic refuse(Operation *op) {
  Location loc = op->getLoc();
  if (isa<UnknownLoc>(withoutName(loc)) && !op->use_empty())
    loc = (*op->user_begin())->getLoc();
  return emitError(loc) << "'" << op->getName() << "' op can't be printed: ";
}

LogicalResult checkTypes(Operation *op) {
  for (Type type : op->getResultTypes())
    if (!isKnown(type))
      return refuse(op) << "expected results of i1, index, i32 or i64, got "
                        << type;
  if (isArithmetic(op) && op->getResult(0).getType().isInteger(1))
    return refuse(op) << "expected numbers, got truth values (i1)";
  if (isa<arith::SelectOp>(op) &&
      isa<cuda::ArrayType, cuda::PtrType>(op->getResult(0).getType()))
    return refuse(op) << "expected a choice of numbers or vectors, got "
                      << op->getResult(0).getType();
  auto loop = dyn_cast<scf::ForOp>(op);
  if (loop && !loop.getInductionVar().getType().isIndex() &&
      !loop.getUnsignedCmp())
    return refuse(op) << "expected a counter of type index, or an unsigned "
                         "loop, got "
                      << loop.getInductionVar().getType();
  return success();
}

LogicalResult check(Operation *op) {
  if (isSigned(op))
    return refuse(op) << "expected operands that are never negative (because "
                         "indices are unsigned in the text), got one that "
                         "may be";
  if (!isKnown(op))
    return refuse(op)
           << "expected an op of the cuda dialect, scf.for, scf.if or one of "
              "unsigned arithmetic (docs/reference/passes.md lists them), got '"
           << op->getName() << "'";
  if (isa<scf::ForOp, scf::IfOp>(op) && op->getNumResults() != 0)
    return refuse(op)
           << "expected no results (because loops and branches of the "
              "text carry no values), got "
           << op->getNumResults();
  return checkTypes(op);
}

struct CheckPrintablePass
    : tilewire::impl::CheckPrintableBase<CheckPrintablePass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<cuda::KernelOp>()) {
      // Outer ops first: one that can't be printed explains what is in it.
      auto result =
          kernel.getBody().walk<WalkOrder::PreOrder>([](Operation *op) {
            return failed(check(op)) ? WalkResult::interrupt()
                                     : WalkResult::advance();
          });
      if (result.wasInterrupted() || failed(verifyUniformity(kernel)))
        return signalPassFailure();
    }
  }
};

} // namespace
