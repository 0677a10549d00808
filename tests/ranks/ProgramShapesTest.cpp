//===- ProgramShapesTest.cpp - the three programs on any shape ------------===//

#include "Pairwise.h"
#include "ProgramCases.h"
#include "Trials.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace sequence_parallel;
using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;

namespace {

constexpr int numPrograms = 6; ///< three at two levels

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

// Odd ones in front; zeros last, which need no others beside them.
const std::vector<int> ranks = {4, 3, 5, 8, 2, 1};
const std::vector<DataType> types = {DataType::BF16, DataType::F8E4M3,
                                     DataType::F32, DataType::F64};
const std::vector<int64_t> headCounts = {7, 30, 5, 3, 1, 28, 12, 16, 20, 2, 0};
const std::vector<int64_t> lengths = {1001, 3,  97, 1,     7, 57,
                                      64,   13, 30, 57826, 0};
const std::vector<int64_t> headDims = {128, 127, 64, 12, 8, 1};
const std::vector<int64_t> batches = {3, 1, 2, 0};
const std::vector<int64_t> blockTargets = {65536, 100, 1};

/// Shorter sequences, odd still, where all ranks together would have more than
/// some hundred thousand elements.
int64_t lengthOf(int64_t length, int64_t elementsPerToken) {
  constexpr int64_t most = 200'000;
  if (length * elementsPerToken <= most)
    return length;
  return most / elementsPerToken | 1;
}

Case caseOf(int number, int numRanks, DataType dtype, int64_t batchSize,
            int64_t numHeads, int64_t length, int64_t headDim,
            int64_t blockTarget) {
  return makeCase(number,
                  {numRanks, batchSize, numHeads,
                   lengthOf(length, batchSize * numHeads * headDim), headDim,
                   dtype},
                  blockTarget);
}

using Choices = std::vector<std::vector<int>>;

/// In which any two of program, ranks, width and extents meet.
const Choices &sample() {
  static const Choices cases = pairwise(
      {numPrograms, int(ranks.size()), int(types.size()), int(batches.size()),
       int(headCounts.size()), int(lengths.size()), int(headDims.size()),
       int(blockTargets.size())});
  return cases;
}

/// In which any two extents meet.
const Choices &shapes() {
  static const Choices cases =
      pairwise({int(batches.size()), int(headCounts.size()),
                int(lengths.size()), int(headDims.size())});
  return cases;
}

/// How often every shape meets every program, number of ranks and width.
uint64_t numAll() {
  return numPrograms * ranks.size() * types.size() * shapes().size();
}

/// The case of a trial: first the sample, then all, those of neighbouring
/// numbers far from each other.
Case caseOfTrial(uint64_t number) {
  if (number < sample().size()) {
    const std::vector<int> &chosen = sample()[number];
    return caseOf(chosen[0], ranks[chosen[1]], types[chosen[2]],
                  batches[chosen[3]], headCounts[chosen[4]], lengths[chosen[5]],
                  headDims[chosen[6]], blockTargets[chosen[7]]);
  }
  constexpr uint64_t prime = 7919;
  uint64_t rest = (number - sample().size()) * prime % numAll();
  const auto take = [&](size_t count) {
    const size_t taken = rest % count;
    rest /= count;
    return taken;
  };
  const int program = int(take(numPrograms));
  const int numRanks = ranks[take(ranks.size())];
  const DataType dtype = types[take(types.size())];
  const std::vector<int> &chosen = shapes()[take(shapes().size())];
  return caseOf(program, numRanks, dtype, batches[chosen[0]],
                headCounts[chosen[1]], lengths[chosen[2]], headDims[chosen[3]],
                blockTargets[number % blockTargets.size()]);
}

} // namespace

TEST_CASE("every program moves every element to its place, whether ranks "
          "divide heads and tokens or not",
          "[programs][shapes]") {
  CHECK(sample().size() >= 100);
  CHECK(shapes().size() >= 40);
  checkTrials({.onEmulator = sample().size(), .onGpu = sample().size()},
              [](uint64_t number) {
                if (number < sample().size() + numAll())
                  runAll({caseOfTrial(number)});
                return std::string();
              });
}

//===----------------------------------------------------------------------===//
// One by one
//===----------------------------------------------------------------------===//

namespace {

/// The extent `name` that the ranks have of a tensor, one after another.
std::vector<int64_t> extentsOnRanks(const Case &test, size_t parameter,
                                    char name) {
  const std::string &order =
      parameter == 0 ? test.program.inputOrder : test.program.outputOrder;
  std::vector<int64_t> extents;
  const int numRanks = test.source.numRanks;
  for (int rank = 0; rank < numRanks; ++rank)
    extents.push_back(test.source.parameters[parameter].shapeOn(
        rank, numRanks)[order.find(name)]);
  return extents;
}

/// Together as many as `whole`, and none has more than one more than another.
void checkShares(const std::vector<int64_t> &extents, int64_t whole) {
  int64_t sum = 0;
  for (int64_t extent : extents)
    sum += extent;
  CHECK(sum == whole);
  CHECK(*std::ranges::max_element(extents) -
            *std::ranges::min_element(extents) <=
        1);
}

/// Runs every program on each shape, all of as many ranks.
void runPrograms(const std::vector<Shape> &shapes) {
  std::vector<Case> cases;
  for (const Shape &shape : shapes)
    for (int number = 0; number < numPrograms; ++number) {
      cases.push_back(makeCase(number, shape));
      const Case &test = cases.back();
      INFO(test.describe());
      const size_t whole = test.program.gathered == 'S' ? 1 : 0;
      checkShares(extentsOnRanks(test, 1 - whole, 'S'), shape.seqLen);
      CHECK(extentsOnRanks(test, whole, 'S') ==
            std::vector<int64_t>(size_t(shape.numRanks), shape.seqLen));
      checkShares(extentsOnRanks(test, whole, 'H'), shape.numHeads);
      CHECK(extentsOnRanks(test, 1 - whole, 'H') ==
            std::vector<int64_t>(size_t(shape.numRanks), shape.numHeads));
    }
  CHECK_NOTHROW(runAll(cases));
}

} // namespace

TEST_CASE("a sequence that ranks do not divide keeps its length",
          "[programs][shapes]") {
  runPrograms({{4, 1, 4, 1001, 16, DataType::F16},
               {4, 1, 4, 1, 16, DataType::F16},
               {4, 1, 4, 3, 16, DataType::F16},
               {4, 1, 4, 57826, 1, DataType::U8}});
}

TEST_CASE("heads that ranks do not divide come without padding",
          "[programs][shapes]") {
  std::vector<Shape> shapes;
  for (int64_t heads : {7, 30, 5, 3})
    shapes.push_back({4, 2, heads, 24, 16, DataType::BF16});
  runPrograms(shapes);
  runPrograms(
      {{8, 1, 20, 40, 64, DataType::BF16}, {8, 1, 28, 40, 64, DataType::BF16}});
}

TEST_CASE("as many heads as a rank has tokens are not taken for them",
          "[programs][shapes]") {
  runPrograms({{4, 2, 16, 64, 8, DataType::F16}, // H = S/P
               {4, 2, 64, 16, 8, DataType::F16}, // H/P = S
               {4, 2, 28, 28, 8, DataType::F16}, // both, and their shares
               {4, 2, 7, 28, 8, DataType::F16},  // heads cut unevenly
               {4, 2, 28, 7, 8, DataType::F16},  // tokens cut unevenly
               {4, 2, 7, 7, 7, DataType::F16}}); // both
}

TEST_CASE("tensors laid out in another order than the all-to-all makes are "
          "refused, though their extents are the same",
          "[shapes]") {
  ProgramBuilder p("swapped", {.numRanks = 4});
  auto src = p.tensor("src", DataType::F16,
                      {{"B", 2}, {"H", 16}, {"S", 16}, {"D", 8}});
  auto dst = p.symmetricTensor("dst", DataType::F16,
                               {{"B", 2}, {"S", 4}, {"H", 64}, {"D", 8}});
  CHECK_THROWS_WITH(
      p.allToAll(src, dst, {.scatter = "H", .gather = "S"}),
      Contains("ProgramShapesTest.cpp:") &&
          Contains("expected dimension 1 of tensor 'dst' to be H") &&
          Contains("got S"));
}

TEST_CASE("ranks without heads or tokens meet the others, and what follows is "
          "right",
          "[programs][shapes]") {
  const Shape usual{4, 2, 7, 9, 8, DataType::F32};
  for (const Shape &shape :
       std::vector<Shape>{{4, 0, 7, 9, 8, DataType::F32},
                          {4, 2, 0, 9, 8, DataType::F32},
                          {4, 2, 7, 0, 8, DataType::F32},
                          {4, 2, 7, 9, 0, DataType::F32},
                          {4, 2, 3, 9, 8, DataType::F32},  // one has no heads
                          {4, 2, 7, 1, 8, DataType::F32},  // three no tokens
                          {4, 1, 1, 1, 1, DataType::F32}}) // one has all
    runPrograms({shape, usual});
}
