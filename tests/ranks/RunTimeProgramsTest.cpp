//===- RunTimeProgramsTest.cpp - programs whose launches give extents -----===//
//
// The three programs with batch, heads and sequence as parameters of one
// kernel, in memory made once; and with heads in groups. The host checks every
// element, and what lies beside the outputs.
//
//===----------------------------------------------------------------------===//

#include "Pairwise.h"
#include "ProgramCases.h"
#include "RankTensors.h"
#include "Trials.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace sequence_parallel;
using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;

namespace {

/// A program at tensor level, with groups and parameters as they are asked for.
Case tensorCase(int program, const Shape &shape, bool isDynamic) {
  const AllToAllProgram programs[] = {preAttnAllToAll(),
                                      preAttnAllToAllTranspose(),
                                      postAttnAllToAllTranspose()};
  Options options;
  options.shape = shape;
  options.dynamic = isDynamic;
  return {programs[program], options};
}

/// A case's kernel with its memory, launched on one shape after another.
class Runner {
public:
  Runner(SymmetricHeap &heap, const Case &test)
      : world(heap.world()), test(test),
        tensors(heap, test.program, test.source), kernel(heap, test.source) {}

  void prepare(Stream &stream, const Shape &shape, unsigned launch) {
    values = valuesOf(test.source, shape);
    tensors.shape(values);
    tensors.prepare(stream, launch);
  }
  void launch(Stream &stream) { kernel.launch(stream, tensors.all(), values); }
  void check(Stream &stream, unsigned launch) const {
    std::string at;
    for (const LaunchValue &value : values)
      at += " " + value.name + " = " + std::to_string(value.value);
    expect(world, tensors.check(stream, launch).wrong == 0,
           "the closed form in launch " + std::to_string(launch) + at + " of " +
               test.describe());
  }

private:
  World &world;
  const Case &test;
  RankTensors tensors;
  Kernel kernel;
  LaunchValues values;
};

/// Runs one kernel on all of `shapes`, each beside a kernel of constant
/// extents, on one stream.
void runOnShapes(const Case &test, const Case &constant,
                 const std::vector<Shape> &shapes) {
  runLoopback(test.source.numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, RankTensors::heapBytes(test.source) +
                                  RankTensors::heapBytes(constant.source));
    Runner dynamic(heap, test), fixed(heap, constant);
    Stream stream(world);
    unsigned number = 0;
    for (const Shape &shape : shapes) {
      ++number;
      dynamic.prepare(stream, shape, number);
      fixed.prepare(stream, constant.options.shape, number);
      world.barrier(); // nobody puts before every output is poisoned
      dynamic.launch(stream);
      fixed.launch(stream);
      dynamic.launch(stream);
      stream.synchronize();
      dynamic.check(stream, number);
      fixed.check(stream, number);
    }
  });
}

const std::vector<int> ranks = {4, 3, 5, 8, 2, 1};
const std::vector<DataType> types = {DataType::BF16, DataType::F8E4M3,
                                     DataType::F32, DataType::F64};
const std::vector<int64_t> headDims = {16, 1, 3, 8};
constexpr int64_t mostBatch = 3, mostTokens = 61;

/// 0, 1, the bound, and what lies between, odd and even.
int64_t anyUpTo(int64_t most, std::mt19937_64 &random) {
  switch (random() % 6) {
  case 0:
    return most;
  case 1:
    return std::min<int64_t>(1, most);
  case 2:
    return random() % 3 == 0 ? 0 : most;
  default:
    return int64_t(random() % uint64_t(most + 1));
  }
}

/// Program, ranks, width and head dimension of a trial, any two of which meet.
const std::vector<std::vector<int>> &sample() {
  static const auto cases =
      pairwise({3, int(ranks.size()), int(types.size()), int(headDims.size())});
  return cases;
}

std::string failureOf(uint64_t number) {
  const std::vector<int> &chosen = sample()[number % sample().size()];
  std::mt19937_64 random(number);
  Shape most{ranks[chosen[1]], mostBatch,           0,
             mostTokens,       headDims[chosen[3]], types[chosen[2]]};
  // Groups every other time, and then at times too few for the ranks.
  const bool hasGroups = random() % 2 == 0;
  most.numHeads = 7 + int64_t(random() % 6);
  if (hasGroups) {
    most.replicateKv = random() % 2 == 0;
    most.kvHeads = most.replicateKv && most.numRanks % 2 == 0
                       ? most.numRanks / 2
                       : most.numRanks + int64_t(random() % 3);
    most.numHeads = most.kvHeads * (most.hasReplicas() ? 4 : 3);
  }
  std::vector<Shape> shapes;
  for (int i = 0; i < 8; ++i) {
    Shape &shape = shapes.emplace_back(most);
    shape.batchSize = anyUpTo(most.batchSize, random);
    shape.seqLen = anyUpTo(most.seqLen, random);
    // Whole groups, and as many for each rank where they are replicated.
    const int64_t step = most.hasReplicas() ? most.numRanks : 1;
    if (hasGroups && !most.hasReplicas()) {
      shape.kvHeads = std::max<int64_t>(1, anyUpTo(most.kvHeads, random));
      shape.numHeads = shape.kvHeads * anyUpTo(3, random);
    } else {
      shape.numHeads = step * anyUpTo(most.numHeads / step, random);
    }
  }
  const Case constant = tensorCase(
      int(number % 3), {most.numRanks, 1, 5, 9, 4, types[number % 4]}, false);
  try {
    runOnShapes(tensorCase(chosen[0], most, true), constant, shapes);
  } catch (const std::exception &error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("one kernel of each program serves all batches, heads and lengths, "
          "in any order, and its neighbours are right",
          "[programs][run-time-extent]") {
  checkTrials({.onEmulator = sample().size(), .onGpu = sample().size()},
              failureOf);
}

TEST_CASE("keys and values have fewer heads, whole groups of query heads stay "
          "with theirs",
          "[programs][groups]") {
  for (const Shape &shape : std::vector<Shape>{
           {4, 2, 28, 9, 8, DataType::BF16, 7},
           {3, 1, 20, 10, 8, DataType::F32, 5},
           {2, 2, 6, 16, 16, DataType::U8, 2},
           {1, 2, 6, 5, 4, DataType::F64, 3},
           {4, 1, 16, 16, 8, DataType::F16, 16},
           {4, 1, 0, 7, 8, DataType::F16, 5}}) // groups of no heads
    for (int program = 0; program < 3; ++program)
      CHECK_NOTHROW(runAll({tensorCase(program, shape, false)}));
}

TEST_CASE("fewer heads of keys and values than ranks go each to the ranks of "
          "their queries",
          "[programs][groups]") {
  const auto [numRanks, kvHeads] = GENERATE(table<int, int64_t>(
      {{4, 2}, {4, 1}, {8, 2}, {8, 4}, {6, 3}, {3, 1}, {2, 1}}));
  Shape shape{numRanks, 2, 2 * numRanks, 9, 8, DataType::BF16, kvHeads};
  for (int program = 0; program < 3; ++program) {
    shape.replicateKv = true;
    const Case test = tensorCase(program, shape, false);
    CHECK_NOTHROW(runAll({test}));
    shape.replicateKv = false;
    CHECK_THROWS_WITH(
        tensorCase(program, shape, false),
        Contains("--replicate-kv") &&
            Contains(std::to_string(2 * numRanks) + " query heads with " +
                     std::to_string(kvHeads) + " for keys and values on " +
                     std::to_string(numRanks) + " ranks"));
    if (!test.program.movesKeysAndValues)
      continue;
    // The closed form of the check: rank r has head floor(r * KV / P).
    const Exchange keys = exchangesOf(test.program, test.source)[1];
    CHECK(keys.cut('K').maxSize() == 1);
    for (int rank = 0; rank < numRanks; ++rank)
      CHECK(keys.cut('K').begin(keys.partOf(rank)) ==
            rank * kvHeads / numRanks);
  }
}
