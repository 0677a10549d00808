//===- NarrowIndices.cpp - index to 32 or 64 bits -------------------------===//

#include "compiler/Locations.h"
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

/// What the analysis knows of `value`, an index or integer.
ConstantIntRanges rangeOf(Value value, DataFlowSolver &solver) {
  auto *lattice = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  return lattice && !lattice->getValue().isUninitialized()
             ? lattice->getValue().getValue()
             : ConstantIntRanges::maxRange(
                   ConstantIntRanges::getStorageBitwidth(value.getType()));
}

/// The largest value of each index, as unsigned, from the range analysis; all
/// of them are found before any type changes.
class Maxima {
public:
  Maxima(Operation *root, DataFlowSolver &solver) {
    root->walk([&](Operation *op) {
      for (Value result : op->getResults())
        note(result, solver);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value argument : block.getArguments())
            note(argument, solver);
    });
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

  /// Whether `value` was an index.
  bool knows(Value value) const { return maxima.contains(value); }

private:
  void note(Value value, DataFlowSolver &solver) {
    if (value.getType().isIndex())
      maxima[value] = rangeOf(value, solver).umax().getZExtValue();
  }

  DenseMap<Value, uint64_t> maxima;
};

/// Refuses a bound of a signed loop that may be negative.
LogicalResult checkBound(scf::ForOp loop, StringRef which, Value bound,
                         DataFlowSolver &solver) {
  const ConstantIntRanges range = rangeOf(bound, solver);
  if (loop.getUnsignedCmp() || !range.umax().isNegative())
    return success();
  InFlightDiagnostic error = loop.emitOpError() << "expected " << which;
  if (auto name = dyn_cast<NameLoc>(loop.getLoc()))
    error << " of loop '" << name.getName().getValue() << "'";
  error << " that is never negative (because indices are unsigned in the "
           "text), got one ";
  if (range.smin().isMinSignedValue() && range.smax().isMaxSignedValue())
    error << "of which nothing is known";
  else
    error << "from " << llvm::toString(range.smin(), 10, /*Signed=*/true)
          << " to " << llvm::toString(range.smax(), 10, /*Signed=*/true);
  FileLineColLoc place = placeOf(bound.getLoc());
  if (place && place != placeOf(loop.getLoc()))
    error << ", computed at "
          << formatPlace(place.getFilename(), place.getLine());
  return error << "; count without a difference, as from j to i in place of 0 "
                  "to i - j";
}

/// Refuses a loop that the text, which counts unsigned, would count otherwise
/// or never end.
LogicalResult checkLoop(scf::ForOp loop, DataFlowSolver &solver) {
  if (failed(checkBound(loop, "a lower bound", loop.getLowerBound(), solver)) ||
      failed(checkBound(loop, "an upper bound", loop.getUpperBound(), solver)))
    return failure();
  const ConstantIntRanges end = rangeOf(loop.getUpperBound(), solver);
  const ConstantIntRanges step = rangeOf(loop.getStep(), solver);
  if (step.umin().isZero())
    return loop.emitOpError() << "expected a step that is never 0 (because "
                                 "the loop would not end), got one that "
                                 "may be";
  // The last turn counts from the end less 1 at most.
  bool wraps = false;
  (void)end.umax().uadd_ov(step.umax() - 1, wraps);
  if (wraps)
    return loop.emitOpError()
           << "expected a bound and a step whose sum less 1 fits "
           << step.umax().getBitWidth()
           << " bits (because the counter would wrap and the loop not end), "
              "got up to "
           << llvm::toString(end.umax(), 10, /*Signed=*/false) << " and "
           << llvm::toString(step.umax(), 10, /*Signed=*/false);
  return success();
}

/// Whether the loop's bounds are such that it never runs. Nothing is known of
/// what it counts, nor need be.
bool neverRuns(scf::ForOp loop, DataFlowSolver &solver) {
  const ConstantIntRanges first = rangeOf(loop.getLowerBound(), solver);
  const ConstantIntRanges end = rangeOf(loop.getUpperBound(), solver);
  return !end.umax().isNegative() && first.umin().uge(end.umax());
}

/// Gives every index of one kernel its width.
class Narrowing {
public:
  Narrowing(cuda::KernelOp kernel, const Maxima &maxima)
      : kernel(kernel), maxima(maxima), builder(kernel.getContext()) {}

  void run() {
    kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        narrowLoop(loop);
      else
        narrow(op);
    });
  }

private:
  Type type(unsigned width) { return builder.getIntegerType(width); }

  void narrow(Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      narrowConstant(constant);
    else if (isa<arith::CmpIOp>(op) && maxima.knows(origin(op->getOperand(0))))
      convertOperands(op, fitsNarrow(op) ? 32 : 64);
    else if (op->getNumResults() == 1 && op->getResult(0).getType().isIndex())
      narrowValue(op);
  }

  /// Whether all operands of `op` fit, and shift amounts its narrow form.
  bool fitsNarrow(Operation *op) {
    if (isa<arith::ShLIOp, arith::ShRUIOp>(op) &&
        maxima.of(origin(op->getOperand(1))) >= 32)
      return false;
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      return !isCounter(operand) || maxima.fits(origin(operand));
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
    Location loc = withoutName(value.getLoc());
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return arith::ConstantIntOp::create(builder, loc, type(width),
                                          constant.getZExtValue());
    if (Value uncut = wide.lookup(value); uncut && width == 64)
      return uncut;
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

  /// Whether sums of the loop's counter stay 64 bits wide. NVRTC 13.0 crashes
  /// on some 32-bit sums of a counter whose step is not 1 that are widened for
  /// an address. A loop over the elements of a thread is spared: its counter is
  /// divided, which is slow at 64 bits, before it is added to anything.
  static bool needsWideSums(scf::ForOp loop) {
    const std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    return step && *step != 1 &&
           !loop.getLowerBound().getDefiningOp<cuda::ThreadIndexOp>();
  }

  /// Whether `op` is a difference, or a sum or multiple of one or of another
  /// term that needs it, such as those loop counters. NVRTC 13.0
  /// takes a 32-bit a + (c - i) that is widened for an address apart into a - i
  /// and c, and widens a - i, which wraps: the address is 2^32 elements off. At
  /// 64 bits nothing is widened.
  bool staysWide(Operation *op) {
    auto isNegative = [](Value value) {
      const std::optional<int64_t> constant = getConstantIntValue(value);
      return constant && *constant < 0;
    };
    if (isa<arith::SubIOp>(op) ||
        (isa<arith::AddIOp>(op) && llvm::any_of(op->getOperands(), isNegative)))
      return true;
    return isa<arith::AddIOp, arith::MulIOp>(op) &&
           llvm::any_of(op->getOperands(), [&](Value operand) {
             return wideTerms.contains(origin(operand));
           });
  }

  /// An op that computes an index: at 32 bits when all that it touches fits, at
  /// 64 otherwise, cut afterwards when only the result fits.
  void narrowValue(Operation *op) {
    Value result = op->getResult(0);
    const bool builtin = op->getNumOperands() == 0;
    const bool isWide = staysWide(op);
    const bool narrowResult = maxima.fits(result) && !isWide;
    if (isWide)
      wideTerms.insert(result);
    const unsigned width =
        narrowResult && (builtin || fitsNarrow(op)) ? 32 : 64;
    convertOperands(op, width);
    result.setType(type(width));
    if (width == 32 || !narrowResult)
      return;
    builder.setInsertionPointAfter(op);
    Value cut =
        arith::TruncIOp::create(builder, op->getLoc(), type(32), result);
    result.replaceAllUsesExcept(cut, cut.getDefiningOp());
    wide[cut] = result;
    op->setLoc(withoutName(op->getLoc()));
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
    if (needsWideSums(loop))
      wideTerms.insert(loop.getInductionVar());
    loop.setUnsignedCmp(true);
  }

  cuda::KernelOp kernel;
  const Maxima &maxima;
  OpBuilder builder;
  DenseMap<Value, Value> wide;     ///< what each cut put in here was cut from
  llvm::DenseSet<Value> wideTerms; ///< whose sums and multiples stay wide
};

struct NarrowIndicesPass
    : tilewire::impl::NarrowIndicesBase<NarrowIndicesPass> {
  void runOnOperation() override {
    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    solver.load<dataflow::IntegerRangeAnalysis>();
    if (failed(solver.initializeAndRun(getOperation())))
      return signalPassFailure();
    const Maxima maxima(getOperation(), solver);
    for (auto kernel : getOperation().getOps<cuda::KernelOp>()) {
      auto result =
          kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) -> WalkResult {
            if (failed(checkLoop(loop, solver)))
              return WalkResult::interrupt();
            return neverRuns(loop, solver) ? WalkResult::skip()
                                           : WalkResult::advance();
          });
      if (result.wasInterrupted())
        return signalPassFailure();
      Narrowing(kernel, maxima).run();
    }
  }
};

} // namespace
