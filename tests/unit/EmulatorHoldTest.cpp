//===- EmulatorHoldTest.cpp - faults that a late thread shows -------------===//

#include "EmulatedRanks.h"

#include <catch2/catch.hpp>

using namespace tilewire;
using namespace tilewire::test;

namespace {

/// Elements that arrive wrong under the first of 300 seeds that shows any, when
/// rank 0 sends 64 elements to the last rank, which reads them. `send`, `pass`
/// and `await` are what the first rank, those between and the last do besides,
/// in this order.
int wrongWithin300Seeds(int numRanks, const std::string &send,
                        const std::string &pass, const std::string &await) {
  const KernelSource source =
      makeKernel("pass", R"(
extern "C" __global__ void pass(const tw::World world, tw::b32 *mail,
                                tw::b32 *got) {
  const unsigned me = threadIdx.x, last = world.numRanks - 1;
  if (!tw::enterAll(world, 0))
    return;
  if (world.rank == 0) {
    tw::store(tw::onPeer(world, mail, last), me,
              tw::Vector<tw::b32, 1>{{me + 1}});
    )" + send + R"(
  } else if (world.rank < last) {
    )" + pass + R"(
  } else {
    )" + await + R"(
    tw::store(got, me, tw::load<1>(mail, me));
  }
  tw::leaveAll(world, 1);
}
)",
                 64,
                 {symmetricParameter("mail", DataType::I32),
                  localParameter("got", DataType::I32)});
  const std::string image = openEmulatorDevice(0, 0)->compile(source);
  int wrong = 0;
  for (uint64_t seed = 1; seed <= 300 && wrong == 0; ++seed) {
    EmulatedRanks ranks(numRanks, 4096, seed);
    ranks.load(source, image);
    std::vector<LaunchArgument> got;
    for (int rank = 0; rank < numRanks; ++rank) {
      got.push_back(ranks[rank].local(std::vector<uint32_t>(64)));
      ranks.launch(rank, 1, {ranks[rank].symmetric(0, 256), got.back()});
    }
    ranks.finish();
    const auto values = contentOf<uint32_t>(ranks[numRanks - 1], got.back());
    for (uint32_t i = 0; i < 64; ++i)
      wrong += values[i] != i + 1;
  }
  return wrong;
}

const std::string blockSync = "__syncthreads();";
const std::string signalNext =
    "if (me == 0) tw::storeRelease(&tw::onPeer(world, world.flags, "
    "world.rank + 1)->met[0], 1);";
const std::string await =
    "if (me == 0) tw::waitFor(world, 1, 0, world.flags->met, 1, "
    "world.timeoutNs);\n__syncthreads();";

} // namespace

TEST_CASE("what is released and awaited arrives under every seed",
          "[emulator][cxx]") {
  const int numRanks = GENERATE(2, 3);
  CHECK(wrongWithin300Seeds(numRanks, blockSync + signalNext,
                            await + signalNext, await) == 0);
}

TEST_CASE("a wait left out shows within 300 seeds", "[emulator][cxx]") {
  CHECK(wrongWithin300Seeds(2, blockSync + signalNext, "", "") > 0);
}

TEST_CASE("a block barrier left out before a release shows within 300 seeds, "
          "also on a rank that another tells of it",
          "[emulator][cxx]") {
  const int numRanks = GENERATE(2, 3);
  CHECK(wrongWithin300Seeds(numRanks, signalNext, await + signalNext, await) >
        0);
}
