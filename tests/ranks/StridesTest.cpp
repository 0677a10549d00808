//===- StridesTest.cpp - views of other memory, bit for bit ---------------===//

#include "Memory.h"

#include <catch2/catch.hpp>

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;

namespace {

constexpr int64_t rows = 6, columns = 16;

struct Layout {
  const char *what;
  std::vector<int64_t> strides;
  bool isDistinct = true;
};

const Layout layouts[] = {
    {"dense", {columns, 1}},
    {"rows and columns swapped", {1, rows}},
    {"padded rows", {columns + 5, 1}},
    {"padded rows in vectors", {columns + 8, 1}},
    {"every second element", {2 * columns, 2}},
    {"every third element, padded", {3 * columns + 1, 3}},
    {"one row for all", {0, 1}, false},
    {"one element for each row", {1, 0}, false},
    {"one element for all", {0, 0}, false},
    {"rows that run into each other", {3, 1}, false},
};

int64_t place(const Layout &layout, int64_t row, int64_t column) {
  return row * layout.strides[0] + column * layout.strides[1];
}

std::string differenceOf(const Layout &from, const Layout &to) {
  ProgramBuilder p("move", {.numRanks = 2});
  auto src = p.tensor("src", DataType::I16, {rows, columns},
                      {.strides = from.strides});
  auto dst = p.symmetricTensor("dst", DataType::I16, {rows, columns},
                               {.strides = to.strides});
  p.kernel({.grid = {1}, .threads = 32}, [&](Block &block) {
    block.putBlock(src.all(), dst.all(), 1 - block.rank());
  });
  const KernelSource source = compile(p.build());
  const Memory before = distinctMemory(source);
  Memory after = before;
  for (size_t rank = 0; rank < 2; ++rank)
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < columns; ++column)
        copyElements(after[rank][1], place(to, row, column),
                     before[1 - rank][0], place(from, row, column), 1, 2);
  return differenceAfter(source, before, after, {});
}

} // namespace

TEST_CASE("views are read and written where their strides say", "[strides]") {
  for (const Layout &from : layouts)
    for (const Layout &to : layouts) {
      INFO(from.what << " to " << to.what);
      if (to.isDistinct)
        CHECK(differenceOf(from, to) == "");
      else
        CHECK_THROWS_WITH(differenceOf(from, to),
                          Contains("expected a destination whose strides put "
                                   "no two indices at one place"));
    }
}

TEST_CASE("an all-to-all takes views, of shares too", "[strides]") {
  // Heads that the ranks do not divide, out of padded rows into padded rows.
  constexpr int64_t heads = 5, tokens = 7, depth = 8, padded = 12;
  for (int numRanks = 1; numRanks <= 3; ++numRanks) {
    INFO(numRanks << " ranks");
    ProgramBuilder p("views", {.numRanks = numRanks});
    auto src = p.tensor("src", DataType::I16,
                        {p.share({"S", tokens}), {"H", heads}, {"D", depth}},
                        {.strides = {heads * padded, padded, 1}});
    auto dst =
        p.symmetricTensor("dst", DataType::I16,
                          {p.share({"H", heads}), {"S", tokens}, {"D", depth}},
                          {.strides = {tokens * padded + 4, padded, 1}});
    p.allToAll(src, dst, {.scatter = "H", .gather = "S", .permute = {1, 0, 2}});
    const KernelSource source = compile(p.build());
    const Memory before = distinctMemory(source);
    Memory after = before;
    const Partition bySequence{tokens, numRanks}, byHeads{heads, numRanks};
    for (int64_t s = 0; s < tokens; ++s)
      for (int64_t h = 0; h < heads; ++h) {
        const int from = bySequence.ownerOf(s), to = byHeads.ownerOf(h);
        copyElements(
            after[size_t(to)][1],
            (h - byHeads.begin(to)) * (tokens * padded + 4) + s * padded,
            before[size_t(from)][0],
            ((s - bySequence.begin(from)) * heads + h) * padded, depth, 2);
      }
    CHECK(differenceAfter(source, before, after, {.count = 2}) == "");
  }
}

TEST_CASE("a launch refuses a tensor of other strides", "[strides]") {
  ProgramBuilder p("strided");
  auto src = p.tensor("src", DataType::I32, {4, 8});
  auto view = p.tensor("view", DataType::I32, {4, 8}, {.strides = {16, 1}});
  auto dst = p.tensor("dst", DataType::I32, {4, 8});
  p.kernel({.grid = {1}}, [&](Block &block) {
    block.copy(src.all(), dst.all());
    block.copy(view.all(), dst.all());
  });
  const KernelSource source = compile(p.build());
  CHECK_THAT(source.text, Contains("view  [4, 8] of 32 bits, strides [16, 1]"));
  runLoopback(1, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Kernel kernel(heap, source);
    Stream stream(world);
    const Tensor dense = world.tensor(DataType::I32, {4, 8});
    const Tensor out = world.tensor(DataType::I32, {4, 8});
    const Tensor padded = world.tensor(source.parameters[1]);
    CHECK(padded.numBytes() == (3 * 16 + 8) * 4);
    auto refusal = [&](const Tensor &first, const Tensor &second) {
      try {
        kernel.launch(stream, {first, second, out});
        stream.synchronize();
      } catch (const UserError &error) {
        return std::string(error.what());
      }
      return std::string();
    };
    CHECK(refusal(dense, padded) == "");
    Tensor named = dense; // the same strides, written out
    named.strides = {8, 1};
    CHECK(refusal(named, padded) == "");
    Tensor swapped = dense;
    swapped.strides = {1, 4};
    CHECK_THAT(refusal(swapped, padded),
               Contains("expected [4, 8] of i32 for 'src' of kernel 'strided', "
                        "got [4, 8] of i32 with strides [1, 4]"));
    CHECK_THAT(refusal(padded, padded), Contains("got [4, 8] of i32 with "
                                                 "strides [16, 1]"));
    CHECK_THAT(refusal(dense, dense),
               Contains("expected [4, 8] of i32 with strides [16, 1] for "
                        "'view' of kernel 'strided', got [4, 8] of i32"));
    Tensor short1 = padded;
    short1.strides = {16};
    CHECK_THAT(refusal(dense, short1), Contains("strides [16]"));
    CHECK_THROWS_WITH(stream.copy(padded, dense),
                      Contains("expected a dense tensor for the destination "
                               "of a copy"));
    std::vector<int> host(64);
    CHECK_THROWS_WITH(
        copyToHost(stream, host.data(), padded, padded.numBytes()),
        Contains("expected a dense tensor for a copy from or to the host"));
  });
}

TEST_CASE("strides that make no sense are refused where they are said",
          "[strides]") {
  ProgramBuilder p("refused");
  auto refusalOf = [&](std::vector<int64_t> strides) {
    try {
      p.tensor("x", DataType::I32, {4, 8}, {.strides = std::move(strides)});
    } catch (const UserError &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(refusalOf({1}), Contains("StridesTest.cpp:") &&
                                 Contains("a stride for each of 2 dimensions"));
  CHECK_THAT(refusalOf({8, -1}), Contains("expected strides from 0, got -1"));
  CHECK_THAT(refusalOf({int64_t(1) << 60, 1}),
             Contains("expected a tensor of fewer than 2^63 bytes"));
  CHECK(refusalOf({600'000'000, 1}) == "");
}
