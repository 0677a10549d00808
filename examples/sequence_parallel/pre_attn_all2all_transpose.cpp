//===- pre_attn_all2all_transpose.cpp - before attention, transposed ------===//
//
// From [B, S/P, H, D], as a projection leaves it, to [B, H/P, S, D], as
// attention wants it.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <algorithm>

using namespace sequence_parallel;
namespace tw = tilewire;

namespace {

/// Tokens of one head that one block moves, so that at most about `targetCtas`
/// blocks run: a divisor of the tokens of a rank.
int64_t rowsPerTile(int64_t seqPerRank, int64_t headParts, int64_t targetCtas) {
  int64_t tiles = targetCtas / std::max<int64_t>(1, headParts);
  tiles = std::clamp<int64_t>(tiles, 1, std::max<int64_t>(1, seqPerRank));
  while (seqPerRank % tiles != 0)
    --tiles;
  return std::max<int64_t>(1, seqPerRank / tiles);
}

/// Of `rows` tokens from `s` those that this rank has.
tw::Index rowsOwned(tw::Block &block, const tw::Extent &allTokens,
                    const tw::Index &s, int64_t rows) {
  const tw::Index tokens = block.shareSize(allTokens, block.rank());
  return tokens.asConstant() ? rows : tw::min(rows, tokens - s);
}

/// One block for a few tokens of one head, and one peer after another, as the
/// reference of Programs.h has it.
void fillBlockLevel(tw::ProgramBuilder &p, const tw::TensorArgument &src,
                    const tw::TensorArgument &dst, int64_t targetCtas) {
  const int64_t batch = src.extents()[0].value;
  const tw::Extent &allTokens = src.extents()[1], &allHeads = dst.extents()[1];
  const int64_t headDim = src.extents()[3].value;
  const int64_t peers = p.numRanks();
  const int64_t tokens = allTokens.most(p.numRanks());
  const int64_t heads = allHeads.most(p.numRanks());
  const int64_t rows = rowsPerTile(tokens, batch * heads * peers, targetCtas);
  const int64_t tiles = tokens / rows;
  p.kernel(
      {.grid = {batch * heads * tiles, peers}, .threads = 128},
      [&](tw::Block &block) {
        auto [tile, peer] = block.indices({"tile", "peer"});
        tw::Index s = (tile % std::max<int64_t>(tiles, 1) * rows).named("s");
        tw::Index head = (tile / std::max<int64_t>(tiles, 1)).named("head");
        tw::Index b = (head / heads).named("b");
        tw::Index h = (head % heads).named("h");
        tw::Index first = block.shareBegin(allHeads, peer);
        tw::Index one = oneIfOwned(block, allHeads, peer, h);
        tw::Index start = block.shareBegin(allTokens, block.rank());
        tw::Index count = rowsOwned(block, allTokens, s, rows);
        auto from = src.tile({b, s, first + h, 0}, {1, count, one, headDim});
        auto to = dst.tile({b, h, start + s, 0}, {1, one, count, headDim});
        block.putBlock(from.transpose({0, 2, 1, 3}), to, peer);
      });
}

} // namespace

AllToAllProgram sequence_parallel::preAttnAllToAllTranspose() {
  return {
      .name = "pre_attn_all2all_transpose",
      .label = "pre-attention transpose all-to-all",
      .description = "The all-to-all before sequence-parallel attention, with "
                     "a fused transpose: [B, S/P, H, D] to [B, H/P, S, D].",
      .inputOrder = "BSHD",
      .outputOrder = "BHSD",
      .scattered = 'H',
      .gathered = 'S',
      .movesKeysAndValues = true,
      .choosesBlocks = true,
      .fill = [](tw::ProgramBuilder &p, const tw::TensorArgument &src,
                 const tw::TensorArgument &dst, const Options &options) {
        if (options.level == Level::Block)
          return fillBlockLevel(p, src, dst, options.targetCtas);
        p.allToAll(src, dst,
                   {.scatter = "H", .gather = "S", .permute = {0, 2, 1, 3}});
      }};
}
