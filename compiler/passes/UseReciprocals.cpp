//===- UseReciprocals.cpp - divisions by what a kernel does not change ----===//

#include "compiler/Locations.h"
#include "compiler/passes/Passes.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilewire {
#define GEN_PASS_DEF_USERECIPROCALS
#include "compiler/passes/Passes.h.inc"
} // namespace tilewire

using namespace mlir;
using namespace tilewire;

namespace {

/// Whether the analysis proves `value` to be below 2^31.
bool isBelowHalf(Value value, DataFlowSolver &solver) {
  auto *lattice = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  return lattice && !lattice->getValue().isUninitialized() &&
         !lattice->getValue().getValue().umax().isNegative();
}

/// Whether the divisor is the same in each turn of the loop that divides, so
/// that preparing it pays.
bool isPreparedOnce(Operation *division) {
  auto loop = division->getParentOfType<scf::ForOp>();
  return loop && loop.isDefinedOutsideOfLoop(division->getOperand(1));
}

template <typename Replacement> void replace(Operation *op) {
  OpBuilder builder(op);
  Value by = op->getOperand(1);
  builder.setInsertionPointAfterValue(by);
  Value divisor =
      cuda::DivisorOp::create(builder, withoutName(by.getLoc()),
                              cuda::DivisorType::get(builder.getContext()), by);
  builder.setInsertionPoint(op);
  Value result = op->getResult(0);
  result.replaceAllUsesWith(Replacement::create(
      builder, op->getLoc(), result.getType(), op->getOperand(0), divisor));
  op->erase();
}

struct UseReciprocalsPass
    : tilewire::impl::UseReciprocalsBase<UseReciprocalsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> divisions;
    getOperation().walk([&](Operation *op) {
      if (op->hasAttr(cuda::invariantAttrName))
        divisions.push_back(op);
    });
    if (divisions.empty())
      return;
    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    solver.load<dataflow::IntegerRangeAnalysis>();
    if (failed(solver.initializeAndRun(getOperation())))
      return signalPassFailure();
    SmallVector<Operation *> replaced;
    for (Operation *op : divisions)
      if (op->getResult(0).getType().isInteger(32) &&
          isBelowHalf(op->getOperand(0), solver) && isPreparedOnce(op))
        replaced.push_back(op);
      else
        op->removeAttr(cuda::invariantAttrName);
    for (Operation *op : replaced)
      if (isa<arith::DivUIOp>(op))
        replace<cuda::QuotientOp>(op);
      else
        replace<cuda::RemainderOp>(op);
  }
};

} // namespace
