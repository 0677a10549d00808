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

/// `number * extent` as an offset; a constant when the extent is zero.
OpFoldResult scaled(OpBuilder &builder, Location loc, Value number,
                    int64_t extent) {
  if (extent == 0)
    return builder.getIndexAttr(0);
  Value factor = arith::ConstantIndexOp::create(builder, loc, extent);
  return arith::MulIOp::create(builder, loc, number, factor).getResult();
}

/// The body for one peer: source part `peer` along the scattered dimension, to
/// this rank's place along the gathered one.
void buildPart(OpBuilder &builder, AllToAllOp op, Value rank, Value peer) {
  Location loc = op.getLoc();
  auto source = cast<tile::TensorType>(op.getSource().getType());
  auto destination = cast<tile::TensorType>(op.getDestination().getType());
  auto kernel = op->getParentOfType<KernelOp>();

  SmallVector<int64_t> sizes(source.getShape());
  sizes[op.getScatter()] /= kernel.getNumRanks();
  SmallVector<OpFoldResult> sourceOffsets(sizes.size(),
                                          builder.getIndexAttr(0));
  sourceOffsets[op.getScatter()] =
      scaled(builder, loc, peer, sizes[op.getScatter()]);
  Value part =
      SliceOp::create(builder, loc, op.getSource(), sourceOffsets, sizes);
  part = TransposeOp::create(builder, loc, part, op.getPermutation());

  SmallVector<OpFoldResult> places(destination.getRank(),
                                   builder.getIndexAttr(0));
  for (auto [dim, sourceDim] : llvm::enumerate(op.getPermutation()))
    if (sourceDim == int64_t(op.getGather()))
      places[dim] = scaled(builder, loc, rank, sizes[op.getGather()]);
  Value place = SliceOp::create(builder, loc, op.getDestination(), places,
                                permute(sizes, op.getPermutation()));
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
