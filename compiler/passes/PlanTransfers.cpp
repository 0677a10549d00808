//===- PlanTransfers.cpp - how each transfer is carried out ---------------===//
//
// The figures behind the choices are in docs/performance.md.
//
//===----------------------------------------------------------------------===//

#include "compiler/passes/Passes.h"
#include "compiler/passes/Transfer.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace tilewire {
#define GEN_PASS_DEF_PLANTRANSFERS
#include "compiler/passes/Passes.h.inc"
} // namespace tilewire

using namespace mlir;
using namespace tilewire;
using namespace tilewire::tile;

namespace {

/// Threads of a block where the planner chooses them.
constexpr int64_t plannedThreads = 512;

/// Loads that one thread has in flight before its first store, at most.
constexpr int64_t mostUnroll = 8;

/// Blocks that a grid-wide move is shared over to find the unroll: two for each
/// multiprocessor of an H200. The unroll is rounded up, so as few as 165
/// may have work: none of 132 multiprocessors is idle, and one block each with
/// more loads is as fast as two.
constexpr int64_t wantedParts = 264;

/// Loads in flight for a thread that moves `vectors` in all: rounded up to a
/// power of two.
int64_t unrollFor(int64_t vectors) {
  return std::clamp<int64_t>(llvm::PowerOf2Ceil(std::max<int64_t>(vectors, 1)),
                             1, mostUnroll);
}

struct PlanTransfersPass
    : tilewire::impl::PlanTransfersBase<PlanTransfersPass> {
  void runOnOperation() override {
    auto result = getOperation().walk([&](Operation *op) {
      LogicalResult planned =
          TypeSwitch<Operation *, LogicalResult>(op)
              .Case(
                  [&](PutBlockOp put) { return planBlock(put, put.getPeer()); })
              .Case([&](CopyOp copy) { return planBlock(copy, Value()); })
              .Case([&](PutGridOp put) { return planGrid(put); })
              .Default(success());
      return failed(planned) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  /// One block's threads move the tile.
  template <typename TransferOp>
  LogicalResult planBlock(TransferOp op, Value peer) {
    auto kernel = op->template getParentOfType<KernelOp>();
    return plan(
        op, op.getSource(), op.getDestination(), peer, [&](int64_t vectors) {
          return unrollFor(llvm::divideCeil(vectors, *kernel.getThreads()));
        });
  }

  /// All blocks move a tile for each peer.
  LogicalResult planGrid(PutGridOp op) {
    auto kernel = op->getParentOfType<KernelOp>();
    if (!kernel.getThreads())
      kernel.setThreads(plannedThreads);
    YieldOp yield = op.getYield();
    return plan(op, yield.getSource(), yield.getDestination(), op.getPeer(),
                [&](int64_t vectors) {
                  const uint64_t threads = *kernel.getThreads() * wantedParts;
                  return unrollFor(llvm::SaturatingMultiply<uint64_t>(
                                       vectors, kernel.getNumRanks()) /
                                   threads);
                });
  }

  /// Sets the plan of `op`, or checks the one it has.
  template <typename TransferOp, typename UnrollFor>
  LogicalResult plan(TransferOp op, Value source, Value destination, Value peer,
                     UnrollFor unrollOf) {
    const Order order =
        op.getPlan() ? op.getPlan()->getOrder() : Order::Destination;
    auto transfer = describeTransfer(op, source, destination, order, peer);
    if (failed(transfer))
      return failure();
    if (op.getPlan())
      return checkPlan(op, *transfer, *op.getPlan());
    const int64_t widest = transfer->widestVector();
    op.setPlanAttr(
        PlanAttr::get(&getContext(), widest,
                      unrollOf(transfer->numElements().most / widest), order));
    return success();
  }
};

} // namespace
