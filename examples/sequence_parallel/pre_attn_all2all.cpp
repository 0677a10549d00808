//===- pre_attn_all2all.cpp - before attention, heads over ranks ----------===//
//
// From every rank holding all heads of its part of the sequence,
// [B, H, S/P, D], to every rank holding the whole sequence of its heads,
// [B, H/P, S, D].
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

using namespace sequence_parallel;
namespace tw = tilewire;

namespace {

/// One block for each (batch, head, peer), as the reference of
/// Programs.h has it.
void fillBlockLevel(tw::ProgramBuilder &p, const tw::TensorArgument &src,
                    const tw::TensorArgument &dst) {
  const int64_t batch = src.extents()[0].value;
  const tw::Extent &allHeads = dst.extents()[1], &allTokens = src.extents()[2];
  const int64_t headDim = src.extents()[3].value;
  const int64_t peers = p.numRanks();
  const int64_t heads = allHeads.most(p.numRanks());
  p.kernel({.grid = {batch * heads, peers}, .threads = 128},
           [&](tw::Block &block) {
             auto [part, peer] = block.indices({"part", "peer"});
             tw::Index b = (part / heads).named("b");
             tw::Index h = (part % heads).named("h");
             tw::Index first = block.shareBegin(allHeads, peer);
             tw::Index one = oneIfOwned(block, allHeads, peer, h);
             tw::Index start = block.shareBegin(allTokens, block.rank());
             tw::Index tokens = block.shareSize(allTokens, block.rank());
             block.putBlock(
                 src.tile({b, first + h, 0, 0}, {1, one, tokens, headDim}),
                 dst.tile({b, h, start, 0}, {1, one, tokens, headDim}), peer);
           });
}

} // namespace

AllToAllProgram sequence_parallel::preAttnAllToAll() {
  return {.name = "pre_attn_all2all",
          .label = "pre-attention all-to-all",
          .description = "The all-to-all before sequence-parallel attention: "
                         "[B, H, S/P, D] to [B, H/P, S, D].",
          .inputOrder = "BHSD",
          .outputOrder = "BHSD",
          .scattered = 'H',
          .gathered = 'S',
          .movesKeysAndValues = true,
          .fill = [](tw::ProgramBuilder &p, const tw::TensorArgument &src,
                     const tw::TensorArgument &dst, const Options &options) {
            if (options.level == Level::Block)
              return fillBlockLevel(p, src, dst);
            p.allToAll(src, dst, {.scatter = "H", .gather = "S"});
          }};
}
