//===- EmulatorCollectiveTest.cpp - ranks that meet in kernels ------------===//

#include "EmulatedRanks.h"

#include <catch2/catch.hpp>

using namespace tilewire;
using namespace tilewire::test;

namespace {

/// Rank r sends 64 elements to each peer, who keeps them in its row r.
KernelSource putKernel() {
  return makeKernel("put_all", R"(
extern "C" __global__ void __launch_bounds__(32)
put_all(const tw::World world, const tw::b16 *src, tw::b16 *dst) {
  if (!tw::enterAll(world, 0))
    return;
  for (unsigned chunk = blockIdx.x; chunk < 2 * unsigned(world.numRanks);
       chunk += gridDim.x) {
    const unsigned peer = (world.rank + 1 + chunk) % world.numRanks;
    const unsigned half = chunk / world.numRanks;
    if (threadIdx.x < 4) {
      const unsigned offset = half * 32 + threadIdx.x * 8;
      tw::store(tw::onPeer(world, dst, peer), world.rank * 64 + offset,
                tw::load<8>(src, peer * 64 + offset));
    }
  }
  tw::leaveAll(world, 1);
}
)",
                    32,
                    {localParameter("src", DataType::F16),
                     symmetricParameter("dst", DataType::F16)});
}

uint16_t sentValue(int launch, int from, int to, int element) {
  return uint16_t(launch * 977 + from * 131 + to * 17 + element);
}

} // namespace

TEST_CASE("a put reaches every peer in each of many launches",
          "[emulator][cxx]") {
  const int numRanks = GENERATE(1, 2, 3, 8);
  constexpr int numLaunches = 200;
  const int64_t rowBytes = 64 * 2;
  const int64_t dstBytes = rowBytes * numRanks;
  EmulatedRanks ranks(numRanks, dstBytes * numLaunches);
  ranks.load(putKernel());

  // All launches are queued before any is looked at.
  for (int rank = 0; rank < numRanks; ++rank)
    for (int launch = 0; launch < numLaunches; ++launch) {
      std::vector<uint16_t> sent;
      for (int to = 0; to < numRanks; ++to)
        for (int element = 0; element < 64; ++element)
          sent.push_back(sentValue(launch, rank, to, element));
      ranks.launch(rank, 1 + launch % 8,
                   {ranks[rank].local(sent),
                    ranks[rank].symmetric(launch * dstBytes, dstBytes)});
    }
  ranks.finish();

  int wrong = 0;
  for (int rank = 0; rank < numRanks; ++rank)
    for (int launch = 0; launch < numLaunches; ++launch) {
      const auto got = contentOf<uint16_t>(
          ranks[rank], ranks[rank].symmetric(launch * dstBytes, dstBytes));
      for (int from = 0; from < numRanks; ++from)
        for (int element = 0; element < 64; ++element)
          wrong += got[std::size_t(from * 64 + element)] !=
                   sentValue(launch, from, rank, element);
    }
  CHECK(wrong == 0);
  for (int rank = 0; rank < numRanks; ++rank) {
    CHECK(ranks[rank].report->complete == 0);
    CHECK(ranks[rank].table.flags->epoch == numLaunches);
  }
}

TEST_CASE("no block leaves barrierAll before all blocks of all ranks arrived",
          "[emulator][cxx]") {
  const int threads = GENERATE(1, 2, 33, 256);
  const int numBlocks = GENERATE(1, 2, 8);
  const uint64_t seed = GENERATE(1, 2, 3, 4);
  constexpr int numRanks = 3;
  constexpr int numRounds = 5;
  EmulatedRanks ranks(numRanks, 256, seed);
  ranks.load(makeKernel("meet", R"(
extern "C" __global__ void meet(const tw::World world, tw::b32 *arrivals,
                                tw::b32 *seen) {
  for (unsigned round = 0; round < 5; ++round) {
    if (tw::threadInBlock() == 0)
      for (int peer = 0; peer < world.numRanks; ++peer)
        tw::addAcquireRelease(tw::onPeer(world, arrivals, peer) + round, 1u);
    if (!tw::barrierAll(world, 0))
      return;
    if (tw::threadInBlock() == tw::threadsInBlock() - 1)
      tw::store(seen, blockIdx.x * 5 + round, tw::load<1>(arrivals, round));
  }
}
)",
                        threads,
                        {symmetricParameter("arrivals", DataType::I32),
                         localParameter("seen", DataType::I32)}));
  std::vector<LaunchArgument> seen;
  for (int rank = 0; rank < numRanks; ++rank) {
    seen.push_back(ranks[rank].local(
        std::vector<uint32_t>(std::size_t(numBlocks * numRounds))));
    ranks.launch(rank, numBlocks,
                 {ranks[rank].symmetric(0, 4 * numRounds), seen.back()});
  }
  ranks.finish();
  for (int rank = 0; rank < numRanks; ++rank)
    CHECK(contentOf<uint32_t>(ranks[rank], seen[std::size_t(rank)]) ==
          std::vector<uint32_t>(std::size_t(numBlocks * numRounds),
                                uint32_t(numRanks * numBlocks)));
}

TEST_CASE("a wait for a rank that never launches ends in a report",
          "[emulator][cxx]") {
  EmulatedRanks ranks(2, 4096, 0, std::chrono::milliseconds(100));
  ranks.load(putKernel());
  const auto start = std::chrono::steady_clock::now();
  ranks.launch(
      0, 4,
      {ranks[0].local(std::vector<uint16_t>(128)), ranks[0].symmetric(0, 256)});
  ranks.finish();
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
  const tw::Report &report = *ranks[0].report;
  CHECK(report.complete == 1);
  CHECK(report.abort == 1);
  CHECK(report.wait == 0);
  CHECK(report.peer == 1);
  CHECK(report.expected == 1);
  CHECK(report.seen == 0);
}

TEST_CASE("an abort from the host ends every wait", "[emulator][cxx]") {
  EmulatedRanks ranks(2, 4096);
  ranks.load(putKernel());
  ranks.launch(
      0, 4,
      {ranks[0].local(std::vector<uint16_t>(128)), ranks[0].symmetric(0, 256)});
  CHECK_FALSE(ranks[0].stream->isIdle());
  __atomic_store_n(&ranks[0].report->abort, 1u, __ATOMIC_RELEASE);
  ranks.finish();
  CHECK(ranks[0].report->complete == 0);
}
