//===- WorldProcessTest.cpp - ranks as processes that join a world --------===//
//
// Each test starts this program again as ranks, with a hidden test as their
// body.
//
//===----------------------------------------------------------------------===//

#include "CapturedStream.h"
#include "WorldFixture.h"

#include <tilewire/Launch.h>

#include <catch2/catch.hpp>

#include <csignal>
#include <thread>
#include <unistd.h>

using namespace tilewire;
using namespace tilewire::test;

namespace {

struct Outcome {
  int code;
  std::string output;

  int countOf(const std::string &text) const {
    int count = 0;
    for (size_t at = 0; (at = output.find(text, at)) != std::string::npos; ++at)
      ++count;
    return count;
  }
};

Outcome launchTest(int numRanks, const std::string &tag,
                   std::chrono::milliseconds grace = std::chrono::seconds(5)) {
  const CapturedStream output(STDOUT_FILENO);
  const CapturedStream error(STDERR_FILENO);
  const int code = launchRanks({.numRanks = numRanks, .grace = grace},
                               {currentExecutable(), tag});
  return {code, output.text() + error.text()};
}

/// What a rank does: rank 1's error breaks the world, and it ends this much
/// later, with exit code 4. Its peers end at once: rank 0 with 3, rank 2
/// with 5.
void failOnRankOne(std::chrono::milliseconds timeToEnd) {
  const int rank = rankFromEnvironment()->rank;
  try {
    World world = World::join(emulated(std::chrono::seconds(60)));
    if (rank == 1)
      throw UserError("rank 1 can't go on");
    world.barrier();
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  if (rank == 1)
    std::this_thread::sleep_for(timeToEnd);
  ::_exit(rank + 3);
}

} // namespace

TEST_CASE("body of a rank: data from every peer", "[.rank-exchange]") {
  for (int round = 0; round < 3; ++round) {
    World world = World::join(emulated());
    SymmetricHeap heap(world, 1 << 16);
    CHECK(heap.mechanism() == "memfd");
    Kernel kernel(heap, exchangeKernel(world.size()));
    Stream stream(world);
    const Tensor dst = heap.tensor(DataType::I32, {world.size()});
    std::vector<int32_t> sent, expected;
    for (int peer = 0; peer < world.size(); ++peer) {
      sent.push_back(world.rank() * 100 + peer);
      expected.push_back(peer * 100 + world.rank());
    }
    kernel.launch(stream, {filled(world, sent), dst});
    stream.synchronize();
    CHECK(valuesOf(world, dst) == expected);
  }
}

TEST_CASE("body of a rank: rank 1 dies while its peers wait in a kernel",
          "[.rank-killed]") {
  World world = World::join(emulated(std::chrono::seconds(60)));
  SymmetricHeap heap(world, 1 << 16);
  Kernel kernel(heap, exchangeKernel(world.size()));
  Stream stream(world);
  const Tensor dst = heap.tensor(DataType::I32, {world.size()});
  if (world.rank() == 1)
    ::raise(SIGKILL);
  kernel.launch(
      stream, {filled(world, std::vector<int32_t>(size_t(world.size()))), dst});
  stream.synchronize();
}

TEST_CASE("body of a rank: rank 1 loops for ever before its peers wait for it",
          "[.rank-endless]") {
  World world = World::join(emulated(std::chrono::seconds(3)));
  SymmetricHeap heap(world, 1 << 16);
  KernelSource source = exchangeKernel(world.size());
  const size_t body = source.text.find('{') + 1;
  source.text.insert(body, " while (world.rank == 1) {}");
  Kernel kernel(heap, source);
  Stream stream(world);
  const Tensor dst = heap.tensor(DataType::I32, {world.size()});
  kernel.launch(
      stream, {filled(world, std::vector<int32_t>(size_t(world.size()))), dst});
  try {
    stream.synchronize();
  } catch (const UserError &error) {
    std::fprintf(stderr, "%s\n", error.what()); // the framework breaks lines
    throw;
  }
}

TEST_CASE("body of a rank: rank 1 fails and ends after its peers",
          "[.rank-slow-end]") {
  failOnRankOne(/*timeToEnd=*/std::chrono::milliseconds(300));
}

TEST_CASE("body of a rank: rank 1 fails and does not end", "[.rank-no-end]") {
  failOnRankOne(/*timeToEnd=*/std::chrono::minutes(1));
}

TEST_CASE("ranks that are processes exchange data, world after world",
          "[world][cxx]") {
  for (int numRanks : {1, 4}) {
    const Outcome outcome = launchTest(numRanks, "[.rank-exchange]");
    INFO(outcome.output);
    CHECK(outcome.code == 0);
  }
}

TEST_CASE("the death of a rank ends its peers' kernels and is named by all",
          "[world][cxx]") {
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = launchTest(3, "[.rank-killed]");
  INFO(outcome.output);
  CHECK(outcome.code == 128 + SIGKILL);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
  CHECK(outcome.countOf(
            "rank 1 ended without leaving the world (signal 9 (Killed))") == 2);
  CHECK(outcome.countOf("tilewire: rank 1 failed (signal 9 (Killed))") == 1);
}

TEST_CASE("a rank that fails is named by all, though it is the last to end",
          "[world]") {
  const Outcome outcome = launchTest(3, "[.rank-slow-end]");
  INFO(outcome.output);
  CHECK(outcome.code == 4);
  CHECK(outcome.countOf("rank 1 gave up because of an error of its own") == 2);
  CHECK(outcome.countOf("tilewire: rank 1 failed (exit code 4)") == 1);
}

TEST_CASE("the end of a rank that fails is not awaited longer than the grace",
          "[world]") {
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome =
      launchTest(2, "[.rank-no-end]", std::chrono::milliseconds(200));
  INFO(outcome.output);
  CHECK(outcome.code == 3);
  CHECK(outcome.countOf("tilewire: rank 0 failed (exit code 3)") == 1);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("a loop that does not end on one rank is named by all",
          "[world][cxx]") {
  const Outcome outcome = launchTest(3, "[.rank-endless]");
  INFO(outcome.output);
  CHECK(outcome.code != 0);
  CHECK(outcome.countOf("kernel 'exchange' on rank 1, block ") >= 3);
}
