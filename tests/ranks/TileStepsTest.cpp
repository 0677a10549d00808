//===- TileStepsTest.cpp - dependent moves of tiles of any size -----------===//
//
// Copies at random between tiles that overlap those of other copies or not,
// which their computed offsets and sizes decide, against the host.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "SizeKinds.h"
#include "Trials.h"

#include <catch2/catch.hpp>

#include <random>

using namespace tilewire;
using namespace tilewire::test;

namespace {

/// A copy within a rank, once or in a loop whose counter moves the tile on.
/// Each block has a row of its own in all tensors.
struct Step {
  size_t from, to; ///< tensors
  size_t kind;     ///< of its length
  size_t sourceStart, destinationStart;
  int64_t width, turns;
};

constexpr int64_t length = 3 * edge + 4, width = 8, numTensors = 3;

/// Where a tile of `size` starts that a block of this number moves.
template <typename T> T startOf(size_t kind, const T &number, const T &size) {
  if (kind == 0)
    return T(0);
  if (kind == 1)
    return T(edge);
  return kind == 2 ? number * 2 : edge - size;
}

std::vector<Step> stepsOf(uint64_t number) {
  std::mt19937_64 random(number);
  const auto pick = [&](size_t count) { return size_t(random() % count); };
  std::vector<Step> steps;
  for (int i = 0; i < 5; ++i) {
    const size_t from = pick(numTensors);
    steps.push_back({from, (from + 1 + pick(numTensors - 1)) % numTensors,
                     pick(sizeKinds().size()), pick(4), pick(4),
                     int64_t(1 + pick(width)), pick(2) ? 1 : 3});
  }
  return steps;
}

Program buildSteps(const std::vector<Step> &steps, int numRanks) {
  ProgramBuilder p("steps", {.numRanks = numRanks, .completion = false});
  std::vector<TensorArgument> tensors;
  for (int64_t i = 0; i < numTensors; ++i)
    tensors.push_back(p.tensor("t" + std::to_string(i), DataType::BF16,
                               {numBlocks, length, width}));
  const auto run = [&](Block &block, const Step &step, const Index &number,
                       const Index &turn) {
    const Index size =
        sizeKinds()[step.kind].compute(block, block.rank(), number);
    const Index from = startOf<Index>(step.sourceStart, number, size) + turn;
    const Index to =
        startOf<Index>(step.destinationStart, number, size) + turn * 2;
    block.copy(
        tensors[step.from].tile({number, from, 0}, {1, size, step.width}),
        tensors[step.to].tile({number, to, 0}, {1, size, step.width}));
  };
  p.kernel({.grid = {numBlocks}, .threads = 32}, [&](Block &block) {
    auto [number] = block.indices({"number"});
    for (const Step &step : steps) {
      if (step.turns == 1)
        run(block, step, number, 0);
      else
        block.forRange(0, step.turns, 1,
                       [&](Index turn) { run(block, step, number, turn); });
    }
  });
  return p.build();
}

void runOnHost(const std::vector<Step> &steps, int rank,
               std::vector<Bytes> &tensors, int numRanks) {
  for (int64_t number = 0; number < numBlocks; ++number)
    for (const Step &step : steps)
      for (int64_t turn = 0; turn < step.turns; ++turn) {
        const int64_t size =
            sizeKinds()[step.kind].value(numRanks, rank, rank, number);
        const int64_t row = number * length;
        const int64_t from =
            row + startOf<int64_t>(step.sourceStart, number, size) + turn;
        const int64_t to =
            row + startOf<int64_t>(step.destinationStart, number, size) +
            turn * 2;
        for (int64_t i = 0; i < size; ++i)
          copyElements(tensors[step.to], (to + i) * width, tensors[step.from],
                       (from + i) * width, step.width, 2);
      }
}

std::string failureOfSteps(uint64_t number) {
  const int numRanks = int(1 + number % 3);
  const std::vector<Step> steps = stepsOf(number);
  const Program program = buildSteps(steps, numRanks);
  const KernelSource source = compile(program);
  const Memory memory = distinctMemory(source);
  Memory expected = memory;
  for (int rank = 0; rank < numRanks; ++rank)
    runOnHost(steps, rank, expected[size_t(rank)], numRanks);
  std::string failure;
  try {
    failure = differenceAfter(source, memory, expected,
                              {.emulatorSeed = number, .findRaces = true});
  } catch (const std::exception &error) {
    failure = error.what();
  }
  return failure.empty() ? "" : failure + "\n" + program.ir() + source.text;
}

} // namespace

TEST_CASE("a block's moves of tiles of any size take effect one after another",
          "[sizes]") {
  checkTrials({.onEmulator = 60, .onGpu = 60}, failureOfSteps);
}
