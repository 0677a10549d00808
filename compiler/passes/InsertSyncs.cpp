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
constexpr size_t mostPending = 512;

/// An access since the last sync, and the outermost loop of which another turn
/// has begun since.
using Pending = std::pair<const Access *, Operation *>;
using PendingSet = llvm::SetVector<Pending>;

class SyncInsertion {
public:
  SyncInsertion(tile::KernelOp kernel, const LinearForms &forms)
      : kernel(kernel), forms(forms) {
    kernel.walk([&](Operation *op) {
      for (const Access &access : accessesOf(op))
        accesses[op].push_back(access);
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
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        visitLoop(loop, pending);
      else if (op.getNumRegions() != 0)
        visitBranches(op, pending);
      else
        visitMove(op, pending);
    }
  }

  void visitMove(Operation &op, PendingSet &pending) {
    auto found = accesses.find(&op);
    if (found == accesses.end())
      return;
    const bool conflicts = llvm::any_of(pending, [&](const Pending &before) {
      return llvm::any_of(found->second, [&](const Access &access) {
        return mayConflict(forms, *before.first, access,
                           {before.first->move, &op,
                            dyn_cast_if_present<scf::ForOp>(before.second)});
      });
    });
    if (conflicts || pending.size() >= mostPending) {
      OpBuilder builder(&op);
      tile::SyncOp::create(builder, withoutName(op.getLoc()));
      pending.clear();
      inserted = true;
    }
    for (const Access &access : found->second)
      pending.insert({&access, nullptr});
  }

  void visitLoop(scf::ForOp loop, PendingSet &pending) {
    PendingSet inside = pending;
    inside.insert_range(around[loop]);
    visit(*loop.getBody(), inside);
    for (const Pending &after : inside) {
      // What was before the loop is no other turn's.
      const bool isOfLoop = loop->isProperAncestor(after.first->move);
      const Pending next = {after.first, isOfLoop ? loop : after.second};
      grew |= around[loop].insert(next);
    }
    // It may not run at all.
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
  DenseMap<Operation *, SmallVector<Access, 2>> accesses;
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
