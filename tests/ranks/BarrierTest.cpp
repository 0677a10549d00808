//===- BarrierTest.cpp - the barrier of all blocks of all ranks -----------===//

#include "RankTensors.h"
#include "Ranks.h"

#include <catch2/catch.hpp>

using namespace sequence_parallel;
using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;

namespace {

constexpr int64_t numBlocks = 8;
constexpr int64_t numRounds = 4;

/// In each round every block stamps its place on every rank, meets all, keeps
/// what its own rank then holds, and meets all again before the next stamps.
KernelSource stampProgram(int numRanks, int64_t threads) {
  const int64_t width = 4; // elements of one stamp
  ProgramBuilder p("stamps", {.numRanks = numRanks});
  auto src = p.tensor("src", DataType::I32, {numRounds, numBlocks, width});
  auto seen =
      p.symmetricTensor("seen", DataType::I32,
                        {numRounds * numBlocks, numRanks * numBlocks, width});
  auto stamps = p.symmetricTensor("stamps", DataType::I32,
                                  {1, numRanks * numBlocks, width});
  p.kernel({.grid = {numBlocks}, .threads = threads}, [&](Block &block) {
    auto [b] = block.indices({"b"});
    for (int64_t round = 0; round < numRounds; ++round) {
      for (int peer = 0; peer < numRanks; ++peer)
        block.putBlock(
            src.tile({round, b, 0}, {1, 1, width}),
            stamps.tile({0, block.rank() * numBlocks + b, 0}, {1, 1, width}),
            peer);
      block.barrierAll();
      block.copy(stamps.tile({0, 0, 0}, {1, numRanks * numBlocks, width}),
                 seen.tile({b + round * numBlocks, 0, 0},
                           {1, numRanks * numBlocks, width}));
      block.barrierAll();
    }
  });
  return compile(p.build());
}

/// What every block must see in every round.
Bytes expectedStamps(const KernelSource &source, unsigned launch) {
  Bytes seen = untouchedOutput(source);
  const int64_t stampsPerRank = numBlocks * 4;
  for (int64_t round = 0; round < numRounds; ++round)
    for (int64_t block = 0; block < numBlocks; ++block)
      for (int from = 0; from < source.numRanks; ++from)
        copyElements(seen,
                     ((round * numBlocks + block) * source.numRanks + from) *
                         stampsPerRank,
                     inputOf(source, from, launch), round * stampsPerRank,
                     stampsPerRank, 4);
  return seen;
}

/// Launches three times, the first as if there had been `start` rounds, and
/// checks that every block saw the stamps of all in every round.
void meetAndCheck(const KernelSource &source, unsigned start) {
  runLoopback(source.numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 20);
    Kernel kernel(heap, source);
    Stream stream(world);
    const Tensor seen = heap.tensor(source.parameters[1]);
    const Tensor stamps = heap.tensor(source.parameters[2]);
    const Tensor src = world.tensor(source.parameters[0]);
    startCountingAt(heap, start);
    for (unsigned launch = 1; launch <= 3; ++launch) {
      writeAll(stream, src, inputOf(source, world.rank(), launch));
      world.barrier(); // copies are done before any kernel waits for a peer
      kernel.launch(stream, {src, seen, stamps});
      stream.synchronize();
      expect(world, readAll(stream, seen) == expectedStamps(source, launch),
             "the stamps of all in launch " + std::to_string(launch));
      world.barrier();
    }
  });
}

/// A program that meets once.
KernelSource meetProgram(int64_t grid) {
  ProgramBuilder p("meet", {.numRanks = 2});
  auto src = p.tensor("src", DataType::I32, {4});
  auto dst = p.symmetricTensor("dst", DataType::I32, {4});
  p.kernel({.grid = {grid}, .threads = 256}, [&](Block &block) {
    block.barrierAll();
    block.putBlock(src.tile({0}, {4}), dst.tile({0}, {4}), block.rank());
  });
  return compile(p.build());
}

} // namespace

TEST_CASE("no block leaves a barrier before every block of every rank came",
          "[barrier]") {
  const int numRanks = GENERATE(1, 2, 4);
  const int64_t threads = GENERATE(1, 33, 128);
  meetAndCheck(stampProgram(numRanks, threads), /*start=*/0);
}

TEST_CASE("blocks meet while the count of rounds wraps", "[barrier]") {
  const unsigned start = GENERATE(0x7ffffff6u, 0xfffffff6u);
  meetAndCheck(stampProgram(3, 64), start);
}

TEST_CASE("a grid that waits is refused, with both numbers, when it does not "
          "fit at once",
          "[barrier]") {
  const KernelSource source = meetProgram(1000000);
  CHECK_THAT(refusalOf(2,
                       [&](World &world) {
                         SymmetricHeap heap(world, 4096);
                         Kernel kernel(heap, source);
                       }),
             Contains("1000000 blocks") && Contains("'meet'") &&
                 Contains("room for"));
}

TEST_CASE("a grid that waits may be as large as fits and no larger",
          "[barrier]") {
  if (!isEmulated()) {
    WARN("skipped: how much fits is known on the emulator only");
    return;
  }
  runLoopback(2, worldOptions(), [](World &world) {
    SymmetricHeap heap(world, 4096);
    const KernelSource fitting = meetProgram(8);
    Kernel kernel(heap, fitting);
    expect(world, kernel.numBlocks() == 8, "every block");
    Stream stream(world);
    kernel.launch(stream, {world.tensor(DataType::I32, {4}),
                           heap.tensor(DataType::I32, {4})});
    stream.synchronize();
  });
  const KernelSource larger = meetProgram(9);
  CHECK_THAT(refusalOf(2,
                       [&](World &world) {
                         SymmetricHeap heap(world, 4096);
                         Kernel kernel(heap, larger);
                       }),
             Contains("all 9 blocks") && Contains("room for 8"));
}

TEST_CASE("a barrier that a rank does not reach ends with that rank's number",
          "[barrier]") {
  constexpr int numRanks = 3;
  ProgramBuilder p("meet_late", {.numRanks = numRanks, .completion = false});
  p.kernel({.grid = {numBlocks}, .threads = 32},
           [&](Block &block) { block.barrierAll(); });
  const KernelSource source = compile(p.build());
  // Compiled before the clock runs.
  runLoopback(numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, 4096);
    Kernel(heap, source);
  });
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string> failures = failuresOf(
      numRanks, worldOptions(std::chrono::seconds(3)), [&](World &world) {
        SymmetricHeap heap(world, 4096);
        Kernel kernel(heap, source);
        Stream stream(world);
        if (world.rank() != 1)
          kernel.launch(stream, {});
        stream.synchronize();
        world.barrier();
      });
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
  for (int rank : {0, 2})
    CHECK_THAT(failures[size_t(rank)],
               Contains("'meet_late', barrier_all at BarrierTest.cpp:") &&
                   Contains("waited for rank 1 longer than 3 s"));
}
