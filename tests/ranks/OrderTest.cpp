//===- OrderTest.cpp - moves that depend on each other --------------------===//
//
// Closed-form cases of each kind; sequences at random are elsewhere.
//
//===----------------------------------------------------------------------===//

#include "Ranks.h"

#include <catch2/catch.hpp>

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;

namespace {

int count(const std::string &text, std::string_view part) {
  int found = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + part.size()))
    ++found;
  return found;
}

constexpr const char *syncCall = "__syncthreads()";

} // namespace

TEST_CASE("a move reads what the one before it wrote", "[order]") {
  const DataType dtype =
      GENERATE(DataType::I8, DataType::F16, DataType::F32, DataType::I64);
  const int numRanks = GENERATE(1, 2, 4);
  const int64_t threads = GENERATE(32, 96, 7);
  constexpr int64_t n = 24;
  ProgramBuilder p("turn_and_send", {.numRanks = numRanks});
  auto src = p.tensor("src", dtype, {n, n});
  auto dst = p.symmetricTensor("dst", dtype, {n, n});
  auto tmp = p.tensor("tmp", dtype, {n, n});
  p.kernel({.grid = {1}, .threads = threads}, [&](Block &block) {
    block.copy(src.tile({0, 0}, {n, n}).transpose({1, 0}),
               tmp.tile({0, 0}, {n, n}));
    block.putBlock(tmp.tile({0, 0}, {n, n}), dst.tile({0, 0}, {n, n}),
                   (block.rank() + 1) % numRanks);
  });
  const KernelSource source = compile(p.build());
  CHECK(count(source.text, syncCall) == 1);
  checkOutputs(source, [&](Bytes &output, int rank) {
    const Bytes input = inputOf(source, (rank + numRanks - 1) % numRanks);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        copyElements(output, j * n + i, input, i * n + j, 1, byteWidth(dtype));
  });
}

TEST_CASE("a move overwrites what the one before it has read", "[order]") {
  constexpr int64_t n = 24;
  ProgramBuilder p("swap", {.numRanks = 2});
  auto src = p.tensor("src", DataType::I32, {2, n, n});
  auto dst = p.tensor("dst", DataType::I32, {2, n, n});
  p.kernel({.grid = {1}, .threads = 96}, [&](Block &block) {
    block.copy(src.tile({0, 0, 0}, {2, n, n}), dst.tile({0, 0, 0}, {2, n, n}));
    // Both halves turned, by way of each other: each move writes what the one
    // before it reads.
    block.copy(dst.tile({1, 0, 0}, {1, n, n}).transpose({0, 2, 1}),
               src.tile({0, 0, 0}, {1, n, n}));
    block.copy(dst.tile({0, 0, 0}, {1, n, n}).transpose({0, 2, 1}),
               dst.tile({1, 0, 0}, {1, n, n}));
    block.copy(src.tile({0, 0, 0}, {1, n, n}), dst.tile({0, 0, 0}, {1, n, n}));
  });
  const KernelSource source = compile(p.build());
  CHECK(count(source.text, syncCall) == 3);
  checkOutputs(source, [&](Bytes &output, int rank) {
    const Bytes input = inputOf(source, rank);
    for (int64_t half = 0; half < 2; ++half)
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j)
          copyElements(output, (half * n + i) * n + j, input,
                       ((1 - half) * n + j) * n + i, 1, 4);
  });
}

TEST_CASE("each turn of a loop reads what the turn before wrote", "[order]") {
  constexpr int64_t rows = 12, width = 33;
  ProgramBuilder p("down", {.numRanks = 2});
  auto src = p.tensor("src", DataType::I32, {2, width});
  auto dst = p.tensor("dst", DataType::I32, {rows, width});
  p.kernel({.grid = {1}, .threads = 64}, [&](Block &block) {
    block.copy(src.tile({0, 0}, {2, width}), dst.tile({0, 0}, {2, width}));
    block.forRange(0, rows - 3, 1, [&](Index row) {
      block.copy(dst.tile({row, 0}, {2, width}),
                 dst.tile({row + 2, 0}, {2, width}));
    });
  });
  const KernelSource source = compile(p.build());
  // Before the loop's move, of the first turn as of the others.
  CHECK(count(source.text, syncCall) == 1);
  checkOutputs(source, [&](Bytes &output, int rank) {
    for (int64_t row = 0; row < rows; ++row)
      copyElements(output, row * width, inputOf(source, rank), row % 2 * width,
                   width, 4);
  });
}

TEST_CASE("a collective reads what another wrote, on every rank", "[order]") {
  const int numRanks = GENERATE(1, 2, 3, 4);
  const bool completion = GENERATE(true, false);
  const int64_t rows = 2 * numRanks, columns = 40;
  ProgramBuilder p("there_and_back",
                   {.numRanks = numRanks, .completion = completion});
  auto src = p.tensor("src", DataType::I16, {{"X", rows}, {"Y", columns}});
  auto dst =
      p.symmetricTensor("dst", DataType::I16, {{"X", rows}, {"Y", columns}});
  auto mid = p.symmetricTensor("mid", DataType::I16,
                               {{"X", 2}, {"Y", columns * numRanks}});
  p.allToAll(src, mid, {.scatter = "X", .gather = "Y"});
  p.allToAll(mid, dst, {.scatter = "Y", .gather = "X"});
  const KernelSource source = compile(p.build());
  CHECK(count(source.text, "tw::barrierAll(") == 1);
  checkOutputs(
      source, [&](Bytes &output, int rank) { output = inputOf(source, rank); });
}

TEST_CASE(
    "a peer that is not there is not looked for by a loop that never runs",
    "[order]") {
  // Rank 0 has no rank below it, and puts nothing there.
  constexpr int numRanks = 3;
  constexpr int64_t width = 64;
  ProgramBuilder p("down", {.numRanks = numRanks});
  auto src = p.tensor("src", DataType::I32, {1, width});
  auto dst = p.symmetricTensor("dst", DataType::I32, {1, width});
  p.kernel({.grid = {1}, .threads = 64}, [&](Block &block) {
    const Index rank = block.rank();
    block.forRange(0, (rank + (numRanks - 1)) / numRanks, 1, [&](Index) {
      block.putBlock(src.tile({0, 0}, {1, width}), dst.tile({0, 0}, {1, width}),
                     rank - 1);
    });
  });
  const KernelSource source = compile(p.build());
  checkOutputs(source, [&](Bytes &output, int rank) {
    if (rank + 1 < numRanks)
      output = inputOf(source, rank + 1);
  });
}

TEST_CASE("a barrier in a loop orders each of its turns", "[order]") {
  const int numRanks = GENERATE(1, 2, 3);
  const int64_t threads = GENERATE(7, 32);
  constexpr int64_t turns = 5, width = 21;
  ProgramBuilder p("ring", {.numRanks = numRanks});
  auto src = p.tensor("src", DataType::I32, {1, width});
  auto dst = p.symmetricTensor("dst", DataType::I32, {turns + 1, width});
  p.kernel({.grid = {1}, .threads = threads}, [&](Block &block) {
    block.copy(src.tile({0, 0}, {1, width}), dst.tile({0, 0}, {1, width}));
    block.forRange(0, turns, 1, [&](Index turn) {
      block.putBlock(dst.tile({turn, 0}, {1, width}),
                     dst.tile({turn + 1, 0}, {1, width}),
                     (block.rank() + 1) % numRanks);
      block.barrierAll();
    });
  });
  const KernelSource source = compile(p.build());
  checkOutputs(source, [&](Bytes &output, int rank) {
    for (int64_t turn = 0; turn <= turns; ++turn)
      copyElements(
          output, turn * width,
          inputOf(source, int((rank - turn + turns * numRanks) % numRanks)), 0,
          width, 4);
  });
}

TEST_CASE(
    "a tile that lies outside when the kernel runs is named with its line",
    "[order]") {
  constexpr int64_t rows = 8, width = 16;
  ProgramBuilder p("outside", {.numRanks = 2});
  auto src = p.tensor("src", DataType::I32, {rows, width});
  auto dst = p.tensor("dst", DataType::I32, {rows, width});
  int line = 0;
  p.kernel({.grid = {5}, .threads = 32}, [&](Block &block) {
    auto [b] = block.indices({"b"});
    // Within the tensor's memory, but the last block's row is too long.
    line = __LINE__ + 1;
    const Tile from = src.tile({0, b * b}, {1, 4});
    block.copy(from, dst.tile({b, 0}, {1, 4}));
  });
  for (const std::string &failure : failuresOfLaunch(compile(p.build()))) {
    CHECK_THAT(failure, Contains("kernel 'outside' on rank "));
    CHECK_THAT(failure,
               Contains("expected offset 1 of a tile of 'src' from 0 to 12 at "
                        "OrderTest.cpp:" +
                        std::to_string(line) + ", got 16"));
  }
}

TEST_CASE("tiles that overlap when the kernel runs are named with their line",
          "[order]") {
  // Shifted by 4, 1 and 0 rows for blocks 2, 1 and 0.
  const int64_t first = GENERATE(0, 1);
  ProgramBuilder p("shift", {.numRanks = 2});
  auto src = p.tensor("src", DataType::I32, {8, 16});
  auto dst = p.tensor("dst", DataType::I32, {3, 16, 16});
  int line = 0;
  p.kernel({.grid = {3 - first}, .threads = 32}, [&](Block &block) {
    auto [b] = block.indices({"b"});
    const Index shift = (b + first) * (b + first);
    block.copy(src.tile({0, 0}, {4, 16}).transpose({0, 1}),
               src.tile({0, 0}, {4, 16}));
    line = __LINE__ + 1;
    block.copy(dst.tile({b, 0, 0}, {1, 4, 16}),
               dst.tile({b, shift, 0}, {1, 4, 16}));
  });
  const std::vector<std::string> failures =
      failuresOfLaunch(compile(p.build()));
  for (const std::string &failure : failures)
    CHECK_THAT(
        failure,
        Contains("expected source and destination of a move within 'dst' that "
                 "are identical or do not overlap") &&
            Contains("OrderTest.cpp:" + std::to_string(line)));
}

TEST_CASE("tensors that may alias are given one memory, and ordered",
          "[order]") {
  constexpr int64_t n = 16;
  ProgramBuilder p("alias", {.numRanks = 2});
  auto src = p.tensor("src", DataType::I32, {n, n});
  auto dst = p.tensor("dst", DataType::I32, {n, n});
  auto also = p.tensor("also", DataType::I32, {n, n});
  dst.mayAlias();
  also.mayAlias();
  p.kernel({.grid = {1}, .threads = 32}, [&](Block &block) {
    block.copy(src.tile({0, 0}, {n, n}).transpose({1, 0}),
               dst.tile({0, 0}, {n, n}));
    block.copy(also.tile({0, 0}, {n, n}).transpose({1, 0}),
               src.tile({0, 0}, {n, n}));
    block.copy(src.tile({0, 0}, {n, n}), dst.tile({0, 0}, {n, n}));
  });
  const KernelSource source = compile(p.build());
  runLoopback(2, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 20);
    Kernel kernel(heap, source);
    Stream stream(world);
    const Tensor in = world.tensor(DataType::I32, {n, n});
    const Tensor out = world.tensor(DataType::I32, {n, n});
    const Bytes input = inputOf(source, world.rank());
    copyToDevice(stream, in, input.data(), in.numBytes());
    kernel.launch(stream, {in, out, out});
    Bytes output(input.size());
    copyToHost(stream, output.data(), out, out.numBytes());
    expect(world, output == input, "what was turned twice as it was");
  });
}

TEST_CASE("a thousand moves in one body are compiled and done", "[order]") {
  constexpr int64_t rows = 1000, width = 8;
  ProgramBuilder p("thousand", {.numRanks = 1});
  auto src = p.tensor("src", DataType::I32, {rows, width});
  auto dst = p.tensor("dst", DataType::I32, {rows, width});
  p.kernel({.grid = {1}, .threads = 32}, [&](Block &block) {
    for (int64_t row = 0; row < rows; ++row)
      block.copy(src.tile({row, 0}, {1, width}),
                 dst.tile({rows - 1 - row, 0}, {1, width}));
  });
  const KernelSource source = compile(p.build());
  checkOutputs(source, [&](Bytes &output, int rank) {
    for (int64_t row = 0; row < rows; ++row)
      copyElements(output, (rows - 1 - row) * width, inputOf(source, rank),
                   row * width, width, 4);
  });
}
