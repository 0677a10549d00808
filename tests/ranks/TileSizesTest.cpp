//===- TileSizesTest.cpp - tiles whose sizes blocks compute ---------------===//

#include "Memory.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace tilewire;
using namespace tilewire::test;

namespace {

/// Elements between neighbours along each of three dimensions, in bytes' place.
struct Strides {
  int64_t slowest, middle;
  int64_t at(int64_t i, int64_t j, int64_t k) const {
    return i * slowest + j * middle + k;
  }
};

Strides stridesOn(const KernelSource &source, size_t parameter, int rank) {
  const auto shape =
      source.parameters[parameter].shapeOn(rank, source.numRanks);
  return {shape[1] * shape[2], shape[2]};
}

Partition cut(int64_t total, const KernelSource &source) {
  return {total, source.numRanks};
}

} // namespace

TEST_CASE("a loop's counter may be a size, of tiles wide and long", "[sizes]") {
  constexpr int64_t rows = 9, columns = 40;
  ProgramBuilder p("steps", {.numRanks = 2});
  auto src = p.tensor("src", DataType::F32, {rows, rows, columns});
  auto dst = p.symmetricTensor("dst", DataType::F32, {rows, rows, columns});
  p.kernel({.grid = {1}, .threads = 32}, [&](Block &block) {
    block.forRange(0, rows, 1, [&](Index row) {
      block.putBlock(src.tile({row, 0, 0}, {1, row, row * 4}),
                     dst.tile({row, rows - row, 0}, {1, row, row * 4}),
                     1 - block.rank());
    });
  });
  const KernelSource source = compile(p.build());
  checkOutputs(source, [&](Bytes &output, int rank) {
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < row; ++i)
        copyElements(output, (row * rows + rows - row + i) * columns,
                     inputOf(source, 1 - rank), (row * rows + i) * columns,
                     row * 4, 4);
  });
}

//===----------------------------------------------------------------------===//
// Peers with other strides
//===----------------------------------------------------------------------===//

namespace {

constexpr int64_t heads = 7, width = 5;

/// Every rank puts two rows of each peer's heads to it; what the peer has of
/// the heads is dimension `shareDim` of three there, the rows of all ranks
/// `rowDim`. `at(i, row, k)` of the source is a head's element.
void checkPeerStrides(int numRanks, size_t rowDim, size_t shareDim) {
  const size_t restDim = 3 - rowDim - shareDim;
  ProgramBuilder p("strided", {.numRanks = numRanks});
  std::vector<Extent> extents(3, 0);
  extents[rowDim] = 2 * numRanks;
  extents[shareDim] = p.share(heads);
  extents[restDim] = width;
  auto src = p.tensor("src", DataType::U8, {heads, 2, width});
  auto dst = p.symmetricTensor("dst", DataType::U8, extents);
  std::vector<int64_t> permutation(3);
  permutation[shareDim] = 0;
  permutation[rowDim] = 1;
  permutation[restDim] = 2;
  p.kernel({.grid = {numRanks}, .threads = 32}, [&](Block &block) {
    auto [peer] = block.indices({"peer"});
    const Index first = block.shareBegin(heads, peer);
    const Index count = block.shareSize(heads, peer);
    std::vector<Index> offsets(3, 0), sizes(3, width);
    offsets[rowDim] = block.rank() * 2;
    sizes[rowDim] = 2;
    sizes[shareDim] = count;
    block.putBlock(
        src.tile({first, 0, 0}, {count, 2, width}).transpose(permutation),
        dst.tile(offsets, sizes), peer);
  });
  const KernelSource source = compile(p.build());
  INFO(numRanks << " ranks, rows " << rowDim << ", share " << shareDim);
  checkOutputs(source, [&](Bytes &output, int rank) {
    const Strides to = stridesOn(source, 1, rank);
    const Partition owned = cut(heads, source);
    for (int from = 0; from < numRanks; ++from)
      for (int64_t i = 0; i < owned.size(rank); ++i)
        for (int64_t row = 0; row < 2; ++row)
          for (int64_t k = 0; k < width; ++k) {
            int64_t at[3];
            at[shareDim] = i;
            at[rowDim] = from * 2 + row;
            at[restDim] = k;
            copyElements(output, to.at(at[0], at[1], at[2]),
                         inputOf(source, from),
                         ((owned.begin(rank) + i) * 2 + row) * width + k, 1, 1);
          }
  });
}

} // namespace

TEST_CASE("a put is laid out by the strides of its peer", "[sizes]") {
  for (int numRanks : {1, 3, 4, 8}) // of 8 one has no head
    for (size_t rowDim = 0; rowDim < 3; ++rowDim)
      for (size_t shareDim = 0; shareDim < 3; ++shareDim)
        if (shareDim != rowDim)
          checkPeerStrides(numRanks, rowDim, shareDim);
}

TEST_CASE("tiles may start anywhere in rows that are longer on one rank",
          "[sizes]") {
  constexpr int64_t starts = 16, length = 32, row = length + starts;
  const DataType dtype = GENERATE(DataType::U8, DataType::F16, DataType::F64);
  const int64_t longer = GENERATE(0, 1);
  const int64_t total = 2 * row + longer;
  ProgramBuilder p("slid", {.numRanks = 2});
  auto src = p.tensor("src", dtype, {starts, p.share(total)});
  auto dst = p.symmetricTensor("dst", dtype, {2 * starts, p.share(total)});
  p.kernel({.grid = {starts, 2}, .threads = 32}, [&](Block &block) {
    auto [start, peer] = block.indices({"start", "peer"});
    const Index size = min(length, start * length); // none of the first
    block.putBlock(
        src.tile({start, start}, {1, size}),
        dst.tile({block.rank() * starts + start, 15 - start}, {1, size}), peer);
  });
  const KernelSource source = compile(p.build());
  checkOutputs(source, [&](Bytes &output, int rank) {
    const Partition rows = cut(total, source);
    for (int from = 0; from < 2; ++from)
      for (int64_t start = 1; start < starts; ++start)
        copyElements(output,
                     (from * starts + start) * rows.size(rank) + 15 - start,
                     inputOf(source, from), start * rows.size(from) + start,
                     length, byteWidth(dtype));
  });
}

TEST_CASE("what is in a tensor need not be all that it holds", "[sizes]") {
  // 1000 elements in tensors of 1001, on ranks that divide the one and not the
  // other, and the other way round.
  const int64_t capacity = GENERATE(1000, 1001, 1003);
  const int64_t live = GENERATE(997, 1000);
  ProgramBuilder p("partly", {.numRanks = 4});
  auto src = p.tensor("src", DataType::BF16, {p.share(capacity)});
  auto dst = p.symmetricTensor("dst", DataType::BF16, {capacity});
  p.kernel({.grid = {4}, .threads = 64}, [&](Block &block) {
    auto [peer] = block.indices({"peer"});
    const Index size = block.shareSize(live, block.rank());
    block.putBlock(src.tile({0}, {size}),
                   dst.tile({block.shareBegin(live, block.rank())}, {size}),
                   peer);
  });
  const KernelSource source = compile(p.build());
  INFO(live << " of " << capacity);
  checkOutputs(source, [&](Bytes &output, int) {
    const Partition parts = cut(live, source);
    for (int from = 0; from < 4; ++from)
      copyElements(output, parts.begin(from), inputOf(source, from), 0,
                   parts.size(from), 2);
  });
}

TEST_CASE("ranks that put nothing meet the others, and the next launches are "
          "right",
          "[sizes]") {
  constexpr int numRanks = 4;
  const int64_t total = GENERATE(0, 2, 4); // items of all ranks
  ProgramBuilder p("few", {.numRanks = numRanks});
  auto src = p.tensor("src", DataType::I32, {p.share(total), 8});
  auto middle = p.symmetricTensor("middle", DataType::I32, {total, 8});
  auto dst = p.symmetricTensor("dst", DataType::I32, {p.share(total), 8});
  p.kernel({.grid = {numRanks}, .threads = 32}, [&](Block &block) {
    auto [peer] = block.indices({"peer"});
    const Index first = block.shareBegin(total, block.rank());
    const Index count = block.shareSize(total, block.rank());
    block.putBlock(src.tile({0, 0}, {count, 8}),
                   middle.tile({first, 0}, {count, 8}), peer);
    block.barrierAll();
    block.copy(middle.tile({first, 0}, {count, 8}),
               dst.tile({0, 0}, {count, 8}));
  });
  const KernelSource source = compile(p.build());
  const Memory memory = distinctMemory(source);
  Memory expected = memory;
  for (int rank = 0; rank < numRanks; ++rank) {
    expected[size_t(rank)][2] = memory[size_t(rank)][0];
    expected[size_t(rank)][1].clear();
    for (int from = 0; from < numRanks; ++from)
      expected[size_t(rank)][1].insert(expected[size_t(rank)][1].end(),
                                       memory[size_t(from)][0].begin(),
                                       memory[size_t(from)][0].end());
  }
  CHECK(differenceAfter(source, memory, expected, {.count = 3}) == "");
}
