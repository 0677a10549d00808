//===- ExpandCollectives.cpp - collectives to moves of the grid -----------===//

#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace tilewire {
#define GEN_PASS_DEF_EXPANDCOLLECTIVES
#include "compiler/passes/Passes.h.inc"
} // namespace tilewire

using namespace mlir;
using namespace tilewire;
using namespace tilewire::tile;

namespace {

/// All of a dimension, as far as ranks have as many.
OpFoldResult wholeOf(OpBuilder &builder, Location loc, TensorExtent extent,
                     int64_t numRanks) {
  if (!extent.parameter)
    return builder.getIndexAttr(extent.most(numRanks));
  return ParameterOp::create(builder, loc, extent.parameter).getResult();
}

/// What a rank has of a dimension that is cut.
struct Share {
  OpFoldResult begin, size;
};

Share shareOn(OpBuilder &builder, Location loc, Value rank, OpFoldResult total,
              int64_t numRanks) {
  const std::optional<int64_t> count = getConstantIntValue(total);
  if (count == 0)
    return {total, total};
  const bool isEven = count && *count % numRanks == 0;
  Value whole = getValueOrCreateConstantIndexOp(builder, loc, total);
  if (!isEven)
    return {ShareBeginOp::create(builder, loc, whole, rank).getResult(),
            ShareSizeOp::create(builder, loc, whole, rank).getResult()};
  Value size = arith::ConstantIndexOp::create(builder, loc, *count / numRanks);
  return {arith::MulIOp::create(builder, loc, rank, size).getResult(),
          builder.getIndexAttr(*count / numRanks)};
}

/// What `peer` gets of the scattered dimension.
Share partFor(OpBuilder &builder, AllToAllOp op, Value peer, OpFoldResult total,
              int64_t numRanks) {
  Location loc = op.getLoc();
  if (op.getReplicas() == 1)
    return shareOn(builder, loc, peer, total, numRanks);
  // Equal parts, each for as many ranks, one after another.
  const int64_t size = *getConstantIntValue(total) / op.numParts(numRanks);
  if (size == 0 || op.numParts(numRanks) == 1)
    return {builder.getIndexAttr(0), builder.getIndexAttr(size)};
  Value replicas =
      arith::ConstantIndexOp::create(builder, loc, op.getReplicas());
  Value part = arith::DivUIOp::create(builder, loc, peer, replicas);
  Value length = arith::ConstantIndexOp::create(builder, loc, size);
  return {arith::MulIOp::create(builder, loc, part, length).getResult(),
          builder.getIndexAttr(size)};
}

/// The same view as `rank` has it: with its shares in place of this rank's.
Value viewOn(OpBuilder &builder, Value view, Value rank) {
  Operation *op = view.getDefiningOp();
  if (!op)
    return view;
  IRMapping mapping;
  mapping.map(op->getOperand(0), viewOn(builder, op->getOperand(0), rank));
  if (auto slice = dyn_cast<SliceOp>(op))
    for (Value size : slice.getSizes())
      if (auto share = size.getDefiningOp<ShareSizeOp>())
        mapping.map(size, ShareSizeOp::create(builder, share.getLoc(),
                                              share.getTotal(), rank));
  return builder.clone(*op, mapping)->getResult(0);
}

/// Extents that the op's verifier has seen to be known.
SmallVector<TensorExtent> knownExtents(Value view) {
  return llvm::map_to_vector(extentsOf(view),
                             [](auto extent) { return *extent; });
}

/// The body for one peer: source part `peer` along the scattered dimension, to
/// this rank's place along the gathered one.
void buildPart(OpBuilder &builder, AllToAllOp op, Value rank, Value peer) {
  Location loc = op.getLoc();
  const int64_t numRanks = numRanksAround(op);
  const auto before = knownExtents(op.getSource());
  const auto after = knownExtents(op.getDestination());

  SmallVector<OpFoldResult> starts(before.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> places(starts), sizes(starts), shown;
  for (auto [place, sourceDim] : llvm::enumerate(op.getPermutation())) {
    // One of both has the whole of it: the destination of what is gathered.
    const bool isGathered = sourceDim == int64_t(op.getGather());
    const OpFoldResult whole = wholeOf(
        builder, loc, isGathered ? after[place] : before[sourceDim], numRanks);
    sizes[sourceDim] = whole;
    if (isGathered) {
      const Share share = shareOn(builder, loc, rank, whole, numRanks);
      places[place] = share.begin;
      sizes[sourceDim] = share.size;
    } else if (sourceDim == int64_t(op.getScatter())) {
      const Share share = partFor(builder, op, peer, whole, numRanks);
      starts[sourceDim] = share.begin;
      sizes[sourceDim] = share.size;
    }
    shown.push_back(sizes[sourceDim]);
  }

  Value part = SliceOp::create(builder, loc, op.getSource(), starts, sizes);
  part = TransposeOp::create(builder, loc, part, op.getPermutation());
  Value place = SliceOp::create(
      builder, loc, viewOn(builder, op.getDestination(), peer), places, shown);
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
