//===- post_attn_all2all_transpose.cpp - after attention, transposed ------===//
//
// From [B, H/P, S, D], as attention leaves it, back to [B, S/P, H, D].
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

using namespace sequence_parallel;
namespace tw = tilewire;

namespace {

/// One block for each token, one peer after another, as the reference of
/// Programs.h has it.
void fillBlockLevel(tw::ProgramBuilder &p, const tw::TensorArgument &src,
                    const tw::TensorArgument &dst) {
  const int64_t batch = src.extents()[0].value;
  const tw::Extent &allHeads = src.extents()[1], &allTokens = dst.extents()[1];
  const int64_t headDim = src.extents()[3].value;
  const int64_t peers = p.numRanks();
  const int64_t tokens = allTokens.most(p.numRanks());
  p.kernel(
      {.grid = {batch * tokens, peers}, .threads = 128}, [&](tw::Block &block) {
        auto [token, peer] = block.indices({"token", "peer"});
        tw::Index b = (token / tokens).named("b");
        tw::Index s = (token % tokens).named("s");
        tw::Index first = block.shareBegin(allTokens, peer);
        tw::Index one = oneIfOwned(block, allTokens, peer, s);
        tw::Index start = block.shareBegin(allHeads, block.rank());
        tw::Index heads = block.shareSize(allHeads, block.rank());
        auto from = src.tile({b, 0, first + s, 0}, {1, heads, one, headDim});
        auto to = dst.tile({b, s, start, 0}, {1, one, heads, headDim});
        block.putBlock(from.transpose({0, 2, 1, 3}), to, peer);
      });
}

} // namespace

AllToAllProgram sequence_parallel::postAttnAllToAllTranspose() {
  return {
      .name = "post_attn_all2all_transpose",
      .label = "post-attention transpose all-to-all",
      .description = "The all-to-all after sequence-parallel attention, with "
                     "a fused transpose: [B, H/P, S, D] to [B, S/P, H, D].",
      .inputOrder = "BHSD",
      .outputOrder = "BSHD",
      .scattered = 'S',
      .gathered = 'H',
      .fill = [](tw::ProgramBuilder &p, const tw::TensorArgument &src,
                 const tw::TensorArgument &dst, const Options &options) {
        if (options.level == Level::Block)
          return fillBlockLevel(p, src, dst);
        p.allToAll(src, dst,
                   {.scatter = "S", .gather = "H", .permute = {0, 2, 1, 3}});
      }};
}
