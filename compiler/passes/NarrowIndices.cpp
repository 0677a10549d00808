//===- NarrowIndices.cpp - index to 32 or 64 bits -------------------------===//

#include "compiler/passes/Passes.h"

#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"

namespace tilewire {
#define GEN_PASS_DEF_NARROWINDICES
#include "compiler/passes/Passes.h.inc"
} // namespace tilewire

using namespace mlir;
using namespace tilewire;

namespace {

/// The largest value of each index, from the range analysis; all of them are
/// found before any type changes.
class Maxima {
public:
  LogicalResult analyze(Operation *root) {
    dataflow::loadBaselineAnalyses(solver);
    solver.load<dataflow::IntegerRangeAnalysis>();
    if (failed(solver.initializeAndRun(root)))
      return failure();
    root->walk([&](Operation *op) {
      for (Value result : op->getResults())
        note(result);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value argument : block.getArguments())
            note(argument);
    });
    return success();
  }

  /// Whether `value` plus the largest `increment` fits 32 unsigned bits.
  bool fits(Value value, uint64_t increment = 0) const {
    const uint64_t most = of(value);
    return most <= std::numeric_limits<uint32_t>::max() - increment &&
           increment <= std::numeric_limits<uint32_t>::max();
  }

  uint64_t of(Value value) const {
    auto found = maxima.find(value);
    return found == maxima.end() ? std::numeric_limits<uint64_t>::max()
                                 : found->second;
  }

private:
  void note(Value value) {
    if (!value.getType().isIndex())
      return;
    auto *lattice =
        solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
    if (lattice && !lattice->getValue().isUninitialized())
      maxima[value] = lattice->getValue().getValue().umax().getZExtValue();
  }

  DataFlowSolver solver;
  DenseMap<Value, uint64_t> maxima;
};

/// Gives every index of one kernel its width.
class Narrowing {
public:
  Narrowing(cuda::KernelOp kernel, const Maxima &maxima)
      : kernel(kernel), maxima(maxima), builder(kernel.getContext()) {}

  void run() {
    kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        return narrowLoop(loop);
      if (isa<arith::CmpIOp>(op))
        return convertOperands(op, narrowOperands(op) ? 32 : 64);
      if (auto constant = dyn_cast<arith::ConstantOp>(op))
        return narrowConstant(constant);
      if (op->getNumResults() == 1 && op->getResult(0).getType().isIndex())
        return narrowValue(op);
    });
  }

private:
  Type type(unsigned width) { return builder.getIntegerType(width); }

  bool narrowOperands(Operation *op) {
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      return isCounter(operand) == false || maxima.fits(origin(operand));
    });
  }

  /// Whether a value counts: an index, or what one has become.
  static bool isCounter(Value value) {
    Type type = value.getType();
    return type.isIndex() || type.isInteger(32) || type.isInteger(64);
  }

  /// The value that the analysis knew, behind a cast put in here.
  static Value origin(Value value) {
    Operation *op = value.getDefiningOp();
    return isa_and_nonnull<arith::ExtUIOp, arith::TruncIOp>(op)
               ? op->getOperand(0)
               : value;
  }

  /// Casts the counting operands of `op` to `width`.
  void convertOperands(Operation *op, unsigned width) {
    builder.setInsertionPoint(op);
    for (OpOperand &operand : op->getOpOperands())
      if (isCounter(operand.get()))
        operand.set(cast(operand.get(), width));
  }

  Value cast(Value value, unsigned width) {
    if (value.getType() == type(width))
      return value;
    Location loc = value.getLoc();
    if (auto name = dyn_cast<NameLoc>(loc))
      loc = name.getChildLoc();
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return arith::ConstantIntOp::create(builder, loc, type(width),
                                          constant.getZExtValue());
    if (width == 64)
      return arith::ExtUIOp::create(builder, loc, type(64), value);
    return arith::TruncIOp::create(builder, loc, type(32), value);
  }

  void narrowConstant(arith::ConstantOp op) {
    auto value = dyn_cast<IntegerAttr>(op.getValue());
    if (!value || !op.getType().isIndex())
      return;
    const unsigned width = llvm::isUInt<32>(value.getInt()) ? 32 : 64;
    op.setValueAttr(builder.getIntegerAttr(type(width), value.getInt()));
    op.getResult().setType(type(width));
  }

  /// An op that computes an index: at 32 bits when all that it touches fits, at
  /// 64 otherwise, cut afterwards when only the result fits.
  void narrowValue(Operation *op) {
    Value result = op->getResult(0);
    const bool builtin = op->getNumOperands() == 0;
    const bool narrowResult = maxima.fits(result);
    const unsigned width =
        narrowResult && (builtin || narrowOperands(op)) ? 32 : 64;
    convertOperands(op, width);
    result.setType(type(width));
    if (width == 32 || !narrowResult)
      return;
    builder.setInsertionPointAfter(op);
    Value cut =
        arith::TruncIOp::create(builder, op->getLoc(), type(32), result);
    result.replaceAllUsesExcept(cut, cut.getDefiningOp());
    if (auto name = dyn_cast<NameLoc>(op->getLoc()))
      op->setLoc(name.getChildLoc());
  }

  void narrowLoop(scf::ForOp loop) {
    if (!loop.getInductionVar().getType().isIndex())
      return;
    const bool narrow = maxima.fits(origin(loop.getLowerBound())) &&
                        maxima.fits(origin(loop.getUpperBound()),
                                    maxima.of(origin(loop.getStep())));
    const unsigned width = narrow ? 32 : 64;
    builder.setInsertionPoint(loop);
    loop.setLowerBound(cast(loop.getLowerBound(), width));
    loop.setUpperBound(cast(loop.getUpperBound(), width));
    loop.setStep(cast(loop.getStep(), width));
    loop.getInductionVar().setType(type(width));
    loop.setUnsignedCmp(true);
  }

  cuda::KernelOp kernel;
  const Maxima &maxima;
  OpBuilder builder;
};

struct NarrowIndicesPass
    : tilewire::impl::NarrowIndicesBase<NarrowIndicesPass> {
  void runOnOperation() override {
    Maxima maxima;
    if (failed(maxima.analyze(getOperation())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<cuda::KernelOp>())
      Narrowing(kernel, maxima).run();
  }
};

} // namespace
