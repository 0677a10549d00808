//===- FoldTransposes.cpp - transposes into the slices they look at -------===//

#include "compiler/passes/Passes.h"

namespace tilewire {
#define GEN_PASS_DEF_FOLDTRANSPOSES
#include "compiler/passes/Passes.h.inc"
} // namespace tilewire

using namespace mlir;
using namespace tilewire;
using namespace tilewire::tile;

namespace {

/// Replaces the transpose of a slice by the slice with its permutation.
void fold(TransposeOp transpose) {
  auto slice = cast<SliceOp>(transpose.getOperand().getDefiningOp());
  OpBuilder builder(transpose);
  auto permutation =
      permute(slice.getPermutationOrIdentity(), transpose.getPermutation());
  const bool identity =
      llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size()));
  auto folded = SliceOp::create(
      builder, slice.getLoc(), transpose.getType(), slice.getTensor(),
      slice.getOffsets(), slice.getSizes(), slice.getStaticOffsets(),
      slice.getStaticSizes(),
      identity ? nullptr : builder.getDenseI64ArrayAttr(permutation),
      slice.getMostAttr());
  transpose.replaceAllUsesWith(folded.getResult());
  transpose.erase();
  if (slice->use_empty())
    slice.erase();
}

struct FoldTransposesPass
    : tilewire::impl::FoldTransposesBase<FoldTransposesPass> {
  void runOnOperation() override {
    // In order, so that an inner transpose is a slice when its user comes; no
    // other op makes tiles.
    getOperation().walk([](TransposeOp transpose) { fold(transpose); });
  }
};

} // namespace
