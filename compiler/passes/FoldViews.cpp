//===- FoldViews.cpp - slices and transposes into one slice each ----------===//

#include "compiler/Locations.h"
#include "compiler/passes/Accesses.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tilewire {
#define GEN_PASS_DEF_FOLDVIEWS
#include "compiler/passes/Passes.h.inc"
} // namespace tilewire

using namespace mlir;
using namespace tilewire;
using namespace tilewire::tile;

namespace {

/// The slices and transposes that a tile is made by; first the slice of the
/// tensor.
SmallVector<Operation *> viewsOf(Value tile) {
  SmallVector<Operation *> views;
  while (Operation *view = tile.getDefiningOp()) {
    views.push_back(view);
    tile = view->getOperand(0);
  }
  std::reverse(views.begin(), views.end());
  return views;
}

OpFoldResult sum(OpBuilder &builder, Location loc, OpFoldResult lhs,
                 OpFoldResult rhs) {
  const auto left = getConstantIntValue(lhs), right = getConstantIntValue(rhs);
  if (left && right)
    return builder.getIndexAttr(*left + *right);
  if (left == 0)
    return rhs;
  if (right == 0)
    return lhs;
  return builder.createOrFold<arith::AddIOp>(
      loc, getValueOrCreateConstantIndexOp(builder, loc, lhs),
      getValueOrCreateConstantIndexOp(builder, loc, rhs));
}

/// The tile as one slice of its tensor, made where the tile is.
Value fold(Value tile) {
  const SmallVector<Operation *> views = viewsOf(tile);
  if (views.size() == 1)
    return tile;
  auto last = cast<SliceOp>(views.front());
  SmallVector<OpFoldResult> offsets = last.getMixedOffsets();
  SmallVector<OpFoldResult> sizes = last.getMixedSizes();
  SmallVector<int64_t> most = last.getMostSizes();
  SmallVector<int64_t> shown = last.getPermutationOrIdentity();
  OpBuilder builder(views.back());
  for (Operation *view : llvm::drop_begin(views)) {
    if (auto transpose = dyn_cast<TransposeOp>(view)) {
      shown = permute(shown, transpose.getPermutation());
      continue;
    }
    last = cast<SliceOp>(view);
    const auto inner = last.getMixedOffsets(), taken = last.getMixedSizes();
    const Location unnamed = withoutName(last.getLoc());
    for (auto [number, dim] : llvm::enumerate(shown)) {
      offsets[dim] = sum(builder, unnamed, offsets[dim], inner[number]);
      sizes[dim] = taken[number];
      most[dim] = getConstantIntValue(sizes[dim]).value_or(most[dim]);
    }
    shown = permute(shown, last.getPermutationOrIdentity());
  }
  const bool isConstant = llvm::all_of(
      sizes, [](OpFoldResult size) { return isa<Attribute>(size); });
  return SliceOp::create(
      builder, last.getLoc(), tensorOf(tile), offsets, sizes, ArrayRef(shown),
      isConstant ? std::nullopt : std::optional(ArrayRef(most)));
}

/// States before a move what makes a slice lie within a tile.
class BoundsOfSlice {
public:
  BoundsOfSlice(Operation *move, SliceOp slice)
      : builder(move), slice(slice), loc(withoutName(slice.getLoc())) {}

  void state(ArrayRef<OpFoldResult> extents) {
    const auto offsets = slice.getMixedOffsets(), sizes = slice.getMixedSizes();
    for (auto [dim, extent] : llvm::enumerate(extents)) {
      const std::string ofSlice = " " + std::to_string(dim) +
                                  " of a slice of a tile of " +
                                  nameInMessages(slice.getTensor());
      stateAtMost(sizes[dim], extent, {}, "size" + ofSlice);
      // One of 0 ends with the size.
      if (getConstantIntValue(offsets[dim]) != 0)
        stateAtMost(offsets[dim], extent, sizes[dim], "offset" + ofSlice);
    }
  }

private:
  Value valueOf(OpFoldResult index) {
    return getValueOrCreateConstantIndexOp(builder, loc, index);
  }

  /// That `index` is from 0 to `end`, or to `end` less `size`.
  void stateAtMost(OpFoldResult index, OpFoldResult end, OpFoldResult size,
                   const Twine &what) {
    const auto number = getConstantIntValue(index);
    auto last = getConstantIntValue(end);
    const bool isLess = !size.isNull();
    if (isLess && last) {
      const auto taken = getConstantIntValue(size);
      last = taken ? std::optional(*last - *taken) : std::nullopt;
    }
    if (index == end || (number && last && *number >= 0 && *number <= *last))
      return;
    Value bound = last ? valueOf(builder.getIndexAttr(*last)) : valueOf(end);
    if (isLess && !last)
      bound = arith::SubIOp::create(builder, loc, bound, valueOf(size));
    Value value = valueOf(index);
    Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule,
                                        value, bound);
    const std::string shown =
        last ? std::to_string(*last)
             : std::string("the tile's") + (isLess ? " less its size" : "");
    CheckOp::create(builder, slice.getLoc(), holds, value,
                    builder.getStringAttr(what + " from 0 to " + shown));
  }

  OpBuilder builder;
  SliceOp slice;
  Location loc;
};

/// Each slice of a tile lies within it.
void stateBounds(Operation *move, Value tile) {
  SmallVector<OpFoldResult> shape;
  for (Operation *view : viewsOf(tile)) {
    SmallVector<OpFoldResult> sizes = shape;
    SmallVector<int64_t> permutation;
    if (auto slice = dyn_cast<SliceOp>(view)) {
      if (isa<TileType>(slice.getBase().getType()))
        BoundsOfSlice(move, slice).state(shape);
      sizes = slice.getMixedSizes();
      permutation = slice.getPermutationOrIdentity();
    } else {
      permutation.assign(cast<TransposeOp>(view).getPermutation());
    }
    shape.clear();
    for (int64_t dim : permutation)
      shape.push_back(sizes[dim]);
  }
}

void foldViews(KernelOp kernel) {
  SmallVector<Operation *> views, moves;
  kernel.walk([&](Operation *op) {
    if (isa<SliceOp, TransposeOp>(op))
      views.push_back(op);
    else if (!isa<AllToAllOp>(op) &&
             llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TileType>))
      moves.push_back(op);
  });
  DenseMap<Value, Value> folded;
  for (Operation *move : moves)
    for (OpOperand &operand : move->getOpOperands()) {
      Value tile = operand.get();
      if (!isa<TileType>(tile.getType()))
        continue;
      stateBounds(move, tile);
      Value &slice = folded[tile];
      if (!slice)
        slice = fold(tile);
      operand.set(slice);
    }
  for (Operation *view : llvm::reverse(views))
    if (view->use_empty())
      view->erase();
}

struct FoldViewsPass : tilewire::impl::FoldViewsBase<FoldViewsPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<KernelOp>())
      foldViews(kernel);
  }
};

} // namespace
