//===- InsertSyncs.cpp - moves of a block in program order ----------------===//
//
// A forward data-flow analysis of what a block's threads have read and written
// since they last met. Logical blocks are not ordered, so the loop over them,
// which comes later, adds nothing.
//
//===----------------------------------------------------------------------===//

#include "compiler/Locations.h"
#include "compiler/passes/Accesses.h"
#include "compiler/passes/Passes.h"
#include "compiler/passes/Transfer.h"

#include "llvm/ADT/SetVector.h"

namespace tilewire {
#define GEN_PASS_DEF_INSERTSYNCS
#include "compiler/passes/Passes.h.inc"
} // namespace tilewire

using namespace mlir;
using namespace tilewire;

namespace {

/// The most accesses that are kept apart since the last sync. Beyond it one
/// more sync is inserted: the time that the pass takes is then linear in the
/// number of moves, and one sync in so many moves costs nothing.
constexpr size_t mostPending = 128;

/// An access by the threads of a block, and who of them makes it.
struct BlockAccess : Access {
  Walk walk;          ///< in which the threads share it
  int64_t vector = 0; ///< elements that one takes at a time; 0 when not planned
};

tile::PlanAttr planOf(Operation *move) {
  if (auto put = dyn_cast<tile::PutBlockOp>(move))
    return put.getPlanAttr();
  return cast<tile::CopyOp>(move).getPlanAttr();
}

SmallVector<BlockAccess, 2> blockAccessesOf(Operation *op) {
  SmallVector<BlockAccess, 2> all;
  for (const Access &access : accessesOf(op))
    all.push_back({access, {}, 0});
  if (all.empty() || !planOf(op))
    return all;
  auto transfer = describeTransfer(op, all[0].slice, all[1].slice,
                                   planOf(op).getOrder(), all[1].peer);
  if (failed(transfer) || !transfer->isConstant())
    return all;
  all[0].walk = sourceWalk(*transfer);
  all[1].walk = destinationWalk(*transfer);
  for (BlockAccess &access : all)
    access.vector = planOf(op).getVector();
  return all;
}

/// An access since the last sync, and the outermost loop of which another turn
/// has begun since.
using Pending = std::pair<const BlockAccess *, Operation *>;
using PendingSet = llvm::SetVector<Pending>;

class SyncInsertion {
public:
  SyncInsertion(tile::KernelOp kernel, const LinearForms &forms)
      : kernel(kernel), forms(forms) {
    kernel.walk([&](Operation *op) {
      if (auto touched = blockAccessesOf(op); !touched.empty())
        accesses[op] = std::move(touched);
    });
  }

  void run() {
    // Until what comes around each loop stays the same; from the start where a
    // sync was inserted, since less comes around then.
    do {
      if (inserted)
        around.clear();
      inserted = grew = false;
      PendingSet pending;
      visit(kernel.getBody().front(), pending);
    } while (inserted || grew);
  }

private:
  void visit(Block &block, PendingSet &pending) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isa<tile::SyncOp, tile::BarrierAllOp>(op))
        pending.clear();
      else if (op.getNumRegions() != 0)
        visitRegions(op, pending);
      else
        visitMove(op, pending);
    }
  }

  void insertSync(Operation &before, PendingSet &pending) {
    OpBuilder builder(&before);
    tile::SyncOp::create(builder, withoutName(before.getLoc()));
    pending.clear();
    inserted = true;
  }

  void visitRegions(Operation &op, PendingSet &pending) {
    // A sync within may not run, and what is pending would grow for ever.
    if (pending.size() >= mostPending)
      insertSync(op, pending);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      visitLoop(loop, pending);
    else
      visitBranches(op, pending);
  }

  void visitMove(Operation &op, PendingSet &pending) {
    auto found = accesses.find(&op);
    if (found == accesses.end())
      return;
    const bool conflicts = llvm::any_of(pending, [&](const Pending &before) {
      const Executions executions{
          before.first->move, &op,
          dyn_cast_if_present<scf::ForOp>(before.second)};
      return llvm::any_of(found->second, [&](const BlockAccess &access) {
        return mayConflict(forms, *before.first, access, executions) &&
               !stayWithThreads(*before.first, access, executions);
      });
    });
    if (conflicts || pending.size() >= mostPending)
      insertSync(op, pending);
    for (const BlockAccess &access : found->second)
      pending.insert({&access, nullptr});
  }

  /// Whether each element is touched by the same thread both times, so that the
  /// thread's own order is enough.
  bool stayWithThreads(const BlockAccess &before, const BlockAccess &after,
                       const Executions &executions) const {
    return before.vector != 0 && before.vector == after.vector &&
           before.walk == after.walk &&
           areIdenticalOrApart(forms, before, after, executions);
  }

  void visitLoop(scf::ForOp loop, PendingSet &pending) {
    PendingSet inside = pending;
    inside.insert_range(around[loop]);
    visit(*loop.getBody(), inside);
    // What was before the loop comes in from there in each turn.
    for (const Pending &after : inside)
      if (!pending.contains(after))
        grew |= around[loop].insert({after.first, loop});
    if (constantTurns(loop))
      pending = std::move(inside);
    else
      pending.insert_range(inside);
  }

  void visitBranches(Operation &op, PendingSet &pending) {
    PendingSet after = pending;
    for (Region &region : op.getRegions())
      for (Block &block : region) {
        PendingSet inside = pending;
        visit(block, inside);
        after.insert_range(inside);
      }
    pending = std::move(after);
  }

  tile::KernelOp kernel;
  const LinearForms &forms;
  DenseMap<Operation *, SmallVector<BlockAccess, 2>> accesses;
  DenseMap<Operation *, PendingSet> around; ///< each loop's back edge
  bool inserted = false;
  bool grew = false;
};

struct InsertSyncsPass : tilewire::impl::InsertSyncsBase<InsertSyncsPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<tile::KernelOp>()) {
      if (!kernel.isBlockLevel())
        continue;
      FailureOr<LinearForms> forms = LinearForms::of(kernel);
      if (failed(forms))
        return signalPassFailure();
      SyncInsertion(kernel, *forms).run();
    }
  }
};

} // namespace
