//===- ExpandCollectives.cpp - collectives to moves of the grid -----------===//

#include "compiler/passes/Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace tilewire {
#define GEN_PASS_DEF_EXPANDCOLLECTIVES
#include "compiler/passes/Passes.h.inc"
} // namespace tilewire

using namespace mlir;
using namespace tilewire;
using namespace tilewire::tile;

namespace {

/// What a rank has of a dimension that is cut: `total` items in all.
struct Share {
  OpFoldResult begin, size;
};

Share shareOn(OpBuilder &builder, Location loc, Value rank, int64_t total) {
  const int64_t numRanks =
      rank.getParentRegion()->getParentOfType<KernelOp>().getNumRanks();
  const Partition partition{total, int(numRanks)};
  if (total == 0)
    return {builder.getIndexAttr(0), builder.getIndexAttr(0)};
  Value whole = arith::ConstantIndexOp::create(builder, loc, total);
  if (!partition.isEven())
    return {ShareBeginOp::create(builder, loc, whole, rank).getResult(),
            ShareSizeOp::create(builder, loc, whole, rank).getResult()};
  Value size =
      arith::ConstantIndexOp::create(builder, loc, partition.maxSize());
  return {arith::MulIOp::create(builder, loc, rank, size).getResult(),
          builder.getIndexAttr(partition.maxSize())};
}

/// The body for one peer: source part `peer` along the scattered dimension, to
/// this rank's place along the gathered one.
void buildPart(OpBuilder &builder, AllToAllOp op, Value rank, Value peer) {
  Location loc = op.getLoc();
  auto source = cast<tile::TensorType>(op.getSource().getType());
  auto destination = cast<tile::TensorType>(op.getDestination().getType());
  const int64_t numRanks = numRanksAround(op);

  SmallVector<OpFoldResult> starts(source.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes, shown;
  for (const TensorExtent &extent : source.getExtents())
    sizes.push_back(builder.getIndexAttr(extent.most(numRanks)));
  const Share scattered = shareOn(
      builder, loc, peer, source.getExtents()[op.getScatter()].most(numRanks));
  starts[op.getScatter()] = scattered.begin;
  sizes[op.getScatter()] = scattered.size;

  SmallVector<OpFoldResult> places(destination.getRank(),
                                   builder.getIndexAttr(0));
  for (auto [dim, sourceDim] : llvm::enumerate(op.getPermutation()))
    if (sourceDim == int64_t(op.getGather())) {
      const Share gathered = shareOn(
          builder, loc, rank, destination.getExtents()[dim].most(numRanks));
      places[dim] = gathered.begin;
      sizes[sourceDim] = gathered.size;
    }
  for (int64_t dim : op.getPermutation())
    shown.push_back(sizes[dim]);

  Value part = SliceOp::create(builder, loc, op.getSource(), starts, sizes);
  part = TransposeOp::create(builder, loc, part, op.getPermutation());
  Value place =
      SliceOp::create(builder, loc, op.getDestination(), places, shown);
  YieldOp::create(builder, loc, part, place);
}

void expand(AllToAllOp op) {
  OpBuilder builder(op);
  Value rank = RankOp::create(builder, op.getLoc());
  auto put = PutGridOp::create(builder, op.getLoc(), op.getPlanAttr());
  Block *body = builder.createBlock(&put.getBody(), {}, builder.getIndexType(),
                                    op.getLoc());
  buildPart(builder, op, rank, body->getArgument(0));
  op.erase();
}

struct ExpandCollectivesPass
    : tilewire::impl::ExpandCollectivesBase<ExpandCollectivesPass> {
  void runOnOperation() override {
    getOperation().walk([](AllToAllOp op) { expand(op); });
  }
};

} // namespace
