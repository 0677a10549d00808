//===- Uniformity.cpp - over whom a value is the same ---------------------===//

#include "dialects/Uniformity.h"

#include "dialects/Cuda/Cuda.h"
#include "dialects/Tile/Tile.h"

#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tilewire;

namespace {

bool isKernel(Operation *op) { return isa<tile::KernelOp, cuda::KernelOp>(op); }

/// A value's group; unknown until the analysis reaches it.
struct Group {
  std::optional<Uniformity> largest;

  static Group join(const Group &lhs, const Group &rhs) {
    if (!lhs.largest || !rhs.largest)
      return lhs.largest ? lhs : rhs;
    return {std::min(*lhs.largest, *rhs.largest)};
  }
  bool operator==(const Group &other) const = default;
  void print(raw_ostream &os) const {
    os << (largest ? std::to_string(int(*largest)) : "unknown");
  }
};

using GroupLattice = dataflow::Lattice<Group>;

/// What depends on operands alone is the same as far as all of them are.
class UniformityAnalysis final
    : public dataflow::SparseForwardDataFlowAnalysis<GroupLattice> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const GroupLattice *> operands,
                               ArrayRef<GroupLattice *> results) override {
    Group group{ofSource(op)};
    for (const GroupLattice *operand : operands)
      group = Group::join(group, operand->getValue());
    for (GroupLattice *result : results)
      propagateIfChanged(result, result->join(group));
    return success();
  }

  /// A loop's counter is the same as far as its bounds are.
  void visitNonControlFlowArguments(Operation *op,
                                    const RegionSuccessor &successor,
                                    ArrayRef<GroupLattice *> arguments,
                                    unsigned firstIndex) override {
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    if (!loop)
      return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(
          op, successor, arguments, firstIndex);
    Group group{Uniformity::Ranks};
    for (Value operand : op->getOperands())
      group = Group::join(
          group, getLatticeElementFor(
                     getProgramPointBefore(
                         arguments.front()->getAnchor().getParentBlock()),
                     operand)
                     ->getValue());
    for (GroupLattice *argument : arguments)
      propagateIfChanged(argument, argument->join(group));
  }

  /// Tensors are the same for all; nothing is known of what else comes in.
  void setToEntryState(GroupLattice *lattice) override {
    auto argument = dyn_cast<BlockArgument>(lattice->getAnchor());
    const bool isTensor =
        argument && isKernel(argument.getOwner()->getParentOp());
    propagateIfChanged(lattice,
                       lattice->join(Group{isTensor ? Uniformity::Ranks
                                                    : Uniformity::Thread}));
  }

private:
  static Uniformity ofSource(Operation *op) {
    if (isa<tile::ThreadIndexOp, cuda::ThreadIndexOp>(op))
      return Uniformity::Thread;
    if (isa<tile::BlockIndexOp, cuda::BlockIndexOp>(op))
      return Uniformity::Block;
    if (isa<tile::RankOp, cuda::RankOp>(op))
      return Uniformity::Grid;
    return Uniformity::Ranks;
  }
};

/// The group that does `op` together, if one does.
std::optional<Uniformity> groupOf(Operation *op) {
  if (isa<tile::PutBlockOp, tile::CopyOp, tile::SyncOp, cuda::SyncOp>(op))
    return Uniformity::Block;
  if (isa<tile::BarrierAllOp, cuda::BarrierAllOp>(op))
    return Uniformity::Ranks;
  return std::nullopt;
}

/// The first of the operands of `op` and of the ops around it that differs
/// within `group`; null when none does.
Value findDiffering(Operation *op, Uniformity group, DataFlowSolver &solver) {
  for (; !isKernel(op); op = op->getParentOp())
    for (Value operand : op->getOperands()) {
      auto *lattice = solver.lookupState<GroupLattice>(operand);
      // What the analysis did not reach never runs.
      if (lattice && lattice->getValue().largest.value_or(group) < group)
        return operand;
    }
  return {};
}

/// Whether anything that is done together depends on a value, and whether any
/// value may differ among those who do it.
bool mayDiffer(FunctionOpInterface kernel) {
  bool depends = false, differs = false;
  kernel->walk([&](Operation *op) {
    const auto group = groupOf(op);
    const bool isNested = !isKernel(op->getParentOp());
    depends |= group && (isNested || op->getNumOperands() != 0);
    differs |= isa<tile::ThreadIndexOp, cuda::ThreadIndexOp>(op) ||
               (isNested && group == Uniformity::Ranks);
  });
  return depends && differs;
}

} // namespace

LogicalResult tilewire::verifyUniformity(FunctionOpInterface kernel) {
  if (!mayDiffer(kernel))
    return success();
  DataFlowSolver solver;
  dataflow::loadBaselineAnalyses(solver);
  solver.load<UniformityAnalysis>();
  if (failed(solver.initializeAndRun(kernel)))
    return failure();
  auto result = kernel->walk([&](Operation *op) -> WalkResult {
    auto group = groupOf(op);
    if (!group || !findDiffering(op, *group, solver))
      return WalkResult::advance();
    if (*group == Uniformity::Block)
      return op->emitOpError()
             << "expected the same for all threads of the block (because they "
                "do it together), got what depends on the thread";
    return op->emitOpError()
           << "expected loops and branches around it that are the same for all "
              "blocks of all ranks (because all meet there), got what depends "
              "on the thread, the block or the rank";
  });
  return failure(result.wasInterrupted());
}
