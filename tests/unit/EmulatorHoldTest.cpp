//===- EmulatorHoldTest.cpp - faults that a late thread shows -------------===//

#include "EmulatedRanks.h"

#include <catch2/catch.hpp>

using namespace tilewire;
using namespace tilewire::test;

namespace {

/// Elements that arrive wrong within 20 seeds when rank 0 sends 64 elements,
/// `send` orders them before a signal, and rank 1 does `await` before it reads.
int wrongWithin20Seeds(const std::string &send, const std::string &await) {
  int wrong = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    EmulatedRanks ranks(2, 4096, seed);
    ranks.load(makeKernel("pass", R"(
extern "C" __global__ void pass(const tw::World world, tw::b32 *mail,
                                tw::b32 *got) {
  const unsigned me = threadIdx.x;
  if (!tw::enterAll(world, 0))
    return;
  if (world.rank == 0) {
    tw::store(tw::onPeer(world, mail, 1), me, tw::Vector<tw::b32, 1>{{me + 1}});
    )" + send + R"(
    if (me == 0)
      tw::storeRelease(&tw::onPeer(world, world.flags, 1)->met[0], 1);
  } else {
    )" + await + R"(
    tw::store(got, me, tw::load<1>(mail, me));
  }
  tw::leaveAll(world, 1);
}
)",
                          64,
                          {symmetricParameter("mail", DataType::I32),
                           localParameter("got", DataType::I32)}));
    std::vector<LaunchArgument> got;
    for (int rank = 0; rank < 2; ++rank) {
      got.push_back(ranks[rank].local(std::vector<uint32_t>(64)));
      ranks.launch(rank, 1, {ranks[rank].symmetric(0, 256), got.back()});
    }
    ranks.finish();
    const auto values = contentOf<uint32_t>(ranks[1], got[1]);
    for (uint32_t i = 0; i < 64; ++i)
      wrong += values[i] != i + 1;
  }
  return wrong;
}

const std::string blockSync = "__syncthreads();";
const std::string await =
    "if (me == 0) tw::waitFor(world, 1, 0, world.flags->met, 1, "
    "world.timeoutNs);\n__syncthreads();";

} // namespace

TEST_CASE("what is released and awaited arrives under every seed",
          "[emulator][cxx]") {
  CHECK(wrongWithin20Seeds(blockSync, await) == 0);
}

TEST_CASE(
    "a block barrier left out before a release, and a wait left out, show "
    "within 20 seeds",
    "[emulator][cxx]") {
  CHECK(wrongWithin20Seeds("", await) > 0);
  CHECK(wrongWithin20Seeds(blockSync, "") > 0);
}
