//===- InsertBarriers.cpp - collectives of a program in order -------------===//

#include "compiler/Locations.h"
#include "compiler/passes/Accesses.h"
#include "compiler/passes/Passes.h"

namespace tilewire {
#define GEN_PASS_DEF_INSERTBARRIERS
#include "compiler/passes/Passes.h.inc"
} // namespace tilewire

using namespace mlir;
using namespace tilewire;

namespace {

/// The most accesses that are kept apart since the last barrier, as those of
/// InsertSyncs.
constexpr size_t mostPending = 512;

LogicalResult order(tile::KernelOp kernel, const LinearForms &forms) {
  SmallVector<Access> pending;
  for (Operation &op : kernel.getBody().front()) {
    if (isa<tile::BarrierAllOp>(op))
      pending.clear();
    const SmallVector<Access, 2> accesses = accessesOf(&op);
    const Executions anyones{&op, &op, {}, /*byAnyone=*/true};
    if (!accesses.empty() &&
        mayConflict(forms, accesses.front(), accesses.back(), anyones))
      return op.emitOpError()
             << "expected source and destination that are proved not to "
                "overlap (because all ranks read and write at the same time), "
                "got parts of one tensor that may; move to another tensor";
    const bool conflicts = llvm::any_of(pending, [&](const Access &before) {
      return llvm::any_of(accesses, [&](const Access &access) {
        return mayConflict(forms, before, access, anyones);
      });
    });
    if (conflicts || pending.size() >= mostPending) {
      OpBuilder builder(&op);
      tile::BarrierAllOp::create(builder, withoutName(op.getLoc()));
      pending.clear();
    }
    pending.append(accesses);
  }
  return success();
}

struct InsertBarriersPass
    : tilewire::impl::InsertBarriersBase<InsertBarriersPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<tile::KernelOp>()) {
      if (kernel.isBlockLevel())
        continue;
      FailureOr<LinearForms> forms = LinearForms::of(kernel);
      if (failed(forms) || failed(order(kernel, *forms)))
        return signalPassFailure();
    }
  }
};

} // namespace
