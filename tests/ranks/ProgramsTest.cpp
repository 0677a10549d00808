//===- ProgramsTest.cpp - the three programs, bit for bit -----------------===//

#include "NcclBaseline.h"
#include "Pairwise.h"
#include "ProgramCases.h"
#include "RankTensors.h"
#include "runtime/Device.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

using namespace sequence_parallel;
using namespace tilewire;
using namespace tilewire::test;

namespace {

/// Cases in which any two of program, level, ranks, extents and width meet.
std::map<int, std::vector<Case>> casesByRanks() {
  const std::vector<int> ranks = {1, 2, 3, 4, 8};
  const std::vector<int64_t> headDims = {1, 3, 16, 46, 72, 80, 128};
  const std::vector<DataType> types = {DataType::F8E4M3, DataType::BF16,
                                       DataType::F32, DataType::F64};
  const std::vector<int64_t> batches = {1, 2, 3};
  const std::vector<int64_t> shares = {1, 2, 5, 16};
  std::map<int, std::vector<Case>> cases;
  for (const std::vector<int> &chosen : pairwise(
           {6, int(ranks.size()), int(headDims.size()), int(types.size()),
            int(batches.size()), int(shares.size()), int(shares.size())})) {
    const int numRanks = ranks[chosen[1]];
    cases[numRanks].push_back(makeCase(
        chosen[0],
        {numRanks, batches[chosen[4]], numRanks * shares[chosen[5]],
         numRanks * shares[chosen[6]], headDims[chosen[2]], types[chosen[3]]}));
  }
  return cases;
}

/// The piece for this rank of every rank's `sent`, by rank, to `arrived`.
void exchangePieces(World &world, Stream &stream, const TensorPieces &arrived,
                    const TensorPieces &sent) {
  const Bytes own = readAll(stream, sent.tensor);
  const char *from = reinterpret_cast<const char *>(own.data());
  Bytes pieces;
  for (int peer = 0; peer < world.size(); ++peer) {
    // Each to all, of whom one takes it.
    const size_t bytes = size_t(sent.bytes[size_t(peer)]);
    const std::vector<std::string> offers =
        world.allGather("pieces", {from, bytes});
    from += bytes;
    if (peer != world.rank())
      continue;
    for (size_t rank = 0; rank < offers.size(); ++rank) {
      expect(world, int64_t(offers[rank].size()) == arrived.bytes[rank],
             "pieces of the sizes that their senders have");
      for (char byte : offers[rank])
        pieces.push_back(std::byte(byte));
    }
  }
  writeAll(stream, arrived.tensor, pieces);
}

/// Packs, exchanges through the host, and unpacks.
void runPacked(World &world, const Case &test) {
  SymmetricHeap heap(world, RankTensors::heapBytes(test.source));
  const RankTensors tensors(heap, test.program, test.source);
  const Packing packing = makePacking(test.program, test.source, world.rank());
  Kernel pack(heap, packing.pack), unpack(heap, packing.unpack);
  const Tensor sent = world.tensor(packing.pack.parameters[1]);
  const Tensor arrived = world.tensor(packing.unpack.parameters[0]);
  Stream stream(world);
  tensors.prepare(stream, 1);
  pack.launch(stream, {tensors.src(), sent});
  stream.synchronize();
  exchangePieces(world, stream, {arrived, packing.bytesFrom},
                 {sent, packing.bytesTo});
  unpack.launch(stream, {arrived, tensors.dst()});
  stream.synchronize();
  expect(world, tensors.check(stream, 1).wrong == 0,
         "the closed form after packing and unpacking by hand, " +
             test.describe());
}

/// The program and NCCL from the same input.
void runWithNccl(World &world, const Case &test) {
  SymmetricHeap heap(world, RankTensors::heapBytes(test.source));
  const RankTensors tensors(heap, test.program, test.source);
  Stream stream(world);
  NcclBaseline baseline(heap, test.program, test.source);
  for (unsigned launch : {1, 2}) {
    tensors.prepare(stream, launch);
    baseline.launch(stream, tensors.src());
    stream.synchronize();
    writeAll(stream, tensors.dst(), readAll(stream, baseline.output()));
    expect(world, tensors.check(stream, launch).wrong == 0,
           "the closed form from NCCL, " + test.describe());
  }
}

} // namespace

TEST_CASE("every program moves every element to its place, on shapes of all "
          "kinds",
          "[programs]") {
  for (const auto &[numRanks, cases] : casesByRanks())
    CHECK_NOTHROW(runAll(cases));
}

TEST_CASE("packed and unpacked by hand around an exchange of pieces, every "
          "element gets to the same place",
          "[programs][nccl]") {
  for (const auto &[numRanks, cases] : casesByRanks())
    CHECK_NOTHROW(runAll(cases, runPacked));
}

TEST_CASE("heads and tokens that ranks do not divide get to the same place, "
          "packed and unpacked by hand",
          "[programs][nccl]") {
  const Shape shapes[] = {{3, 2, 7, 8, 16, DataType::F16},
                          {4, 1, 2, 9, 5, DataType::U8}, // ranks without heads
                          {3, 2, 1, 2, 8, DataType::F64},
                          {5, 1, 0, 7, 4, DataType::F32},
                          {2, 1, 5, 0, 4, DataType::F32}};
  for (const Shape &shape : shapes) {
    std::vector<Case> cases;
    for (int number = 3; number < 6; ++number)
      cases.push_back(makeCase(number, shape));
    CHECK_NOTHROW(runAll(cases, runPacked));
  }
}

TEST_CASE("NCCL between the same copies gives the programs' outputs",
          "[programs][nccl]") {
  std::string reason;
  const int numGpus = countCudaDevices(&reason);
  if (numGpus == 0)
    WARN("skipped: " << reason);
  for (int numRanks = 1; numRanks <= std::min(numGpus, 4); ++numRanks) {
    std::vector<Case> cases;
    for (int number = 3; number < 6; ++number) {
      cases.push_back(makeCase(number, {numRanks, 2, 5 * numRanks, 7 * numRanks,
                                        46, DataType::F16}));
      cases.push_back(makeCase(
          number, {numRanks, 2, 5 * numRanks, 7 * numRanks, 0, DataType::F16}));
      cases.push_back(makeCase(number, {numRanks, 2, 3, 7, 46, DataType::F16}));
    }
    CHECK_NOTHROW(runAll(cases, runWithNccl));
  }
}

TEST_CASE("NCCL is refused on every rank where a rank has no GPU of its own",
          "[programs][nccl]") {
  const int numRanks = std::max(2, countCudaDevices() + 1);
  const std::string refusal = refusalOf(
      numRanks, [](World &world) { NcclCommunicator refused(world); });
  if (isEmulated())
    CHECK(refusal == "expected ranks on GPUs to compare with NCCL, got the "
                     "emulator, 4 SMs");
  else
    CHECK(refusal == "expected a GPU for each rank to compare with NCCL, got 2 "
                     "ranks on one GPU");
}

TEST_CASE("heads and tokens of one extent are not taken for each other",
          "[programs]") {
  std::vector<Case> cases;
  for (int number = 0; number < 6; ++number)
    for (int64_t headDim : {64, 128})
      cases.push_back(makeCase(number, {4, 2, 64, 64, headDim, DataType::F16}));
  CHECK_NOTHROW(runAll(cases));
}

TEST_CASE("an extent of zero moves nothing, and the next launch is right",
          "[programs]") {
  std::vector<Case> cases;
  for (int number = 0; number < 6; ++number) {
    cases.push_back(makeCase(number, {3, 0, 6, 9, 8, DataType::F16}));
    cases.push_back(makeCase(number, {3, 2, 0, 9, 8, DataType::F16}));
    cases.push_back(makeCase(number, {3, 2, 6, 0, 8, DataType::F16}));
    cases.push_back(makeCase(number, {3, 2, 6, 9, 0, DataType::F16}));
    cases.push_back(makeCase(number, {3, 2, 6, 9, 8, DataType::F16}));
  }
  CHECK_NOTHROW(runAll(cases));
}

TEST_CASE("after attention undoes before attention, on one stream",
          "[programs]") {
  const int level = GENERATE(0, 3);
  const Shape shape{4, 2, 12, 40, 24, DataType::F16};
  const Case before = makeCase(level + 1, shape);
  const Case after = makeCase(level + 2, shape);
  runLoopback(4, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, 2 * RankTensors::heapBytes(before.source));
    const RankTensors tensors(heap, before.program, before.source);
    const Tensor back = heap.tensor(after.source.parameters[1]);
    Kernel scatter(heap, before.source);
    Kernel gather(heap, after.source);
    Stream stream(world);
    for (unsigned launch = 1; launch <= 5; ++launch) {
      tensors.prepare(stream, launch);
      world.barrier(); // nobody puts before every output is poisoned
      scatter.launch(stream, {tensors.src(), tensors.dst()});
      gather.launch(stream, {tensors.dst(), back});
      stream.synchronize();
      expect(world, readAll(stream, back) == readAll(stream, tensors.src()),
             "the input back after launch " + std::to_string(launch));
      expect(world, tensors.check(stream, launch).wrong == 0,
             "the closed form");
    }
  });
}

TEST_CASE("pairwise cases meet every pair", "[pairwise]") {
  const auto cases = pairwise({3, 4, 2});
  for (int first = 0; first < 3; ++first)
    for (int second = 0; second < 4; ++second)
      CHECK(std::any_of(cases.begin(), cases.end(), [&](const auto &chosen) {
        return chosen[0] == first && chosen[1] == second;
      }));
  CHECK(cases.size() < 24);
}
