//===- BlockLevelTest.cpp - block-level programs, bit for bit -------------===//

#include "Ranks.h"

#include <catch2/catch.hpp>

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;

namespace {

// Tiles that start anywhere: on rank r, elements [s, s + length) of row s go to
// both ranks, to elements from 15 - s of row r * starts + s.
constexpr int64_t starts = 16;
constexpr int64_t length = 32;
constexpr int64_t row = length + starts;

void checkStarts(const KernelSource &source) {
  const int width = byteWidth(source.parameters[0].dtype);
  checkOutputs(source, [&](Bytes &output, int) {
    for (int from = 0; from < 2; ++from)
      for (int64_t start = 0; start < starts; ++start)
        copyElements(output, (from * starts + start) * row + 15 - start,
                     inputOf(source, from), start * row + start, length, width);
  });
}

} // namespace

TEST_CASE("a copy stays on its rank and may transpose", "[block]") {
  ProgramBuilder p("turn", {.numRanks = 2});
  auto src = p.tensor("src", DataType::I32, {6, 10, 4});
  auto dst = p.tensor("dst", DataType::I32, {10, 6, 4});
  p.kernel({.grid = {3}, .threads = 32}, [&](Block &block) {
    auto [pair] = block.indices({"pair"});
    block.copy(src.tile({pair * 2, 0, 0}, {2, 10, 4}).transpose({1, 0, 2}),
               dst.tile({0, pair * 2, 0}, {10, 2, 4}));
  });
  const KernelSource source = compile(p.build());
  checkOutputs(source, [&](Bytes &output, int rank) {
    const Bytes input = inputOf(source, rank);
    for (int64_t i = 0; i < 6; ++i)
      for (int64_t j = 0; j < 10; ++j)
        copyElements(output, (j * 6 + i) * 4, input, (i * 10 + j) * 4, 4, 4);
  });
}

TEST_CASE("a transpose may move the innermost dimension", "[block]") {
  ProgramBuilder p("turn_inner", {.numRanks = 2});
  auto src = p.tensor("src", DataType::F16, {18, 33});
  auto dst = p.symmetricTensor("dst", DataType::F16, {33, 36});
  p.kernel({.grid = {2}, .threads = 96}, [&](Block &block) {
    auto [peer] = block.indices({"peer"});
    block.putBlock(src.tile({0, 0}, {18, 33}).transpose({1, 0}),
                   dst.tile({0, block.rank() * 18}, {33, 18}), peer);
  });
  const KernelSource source = compile(p.build());
  checkOutputs(source, [&](Bytes &output, int) {
    for (int from = 0; from < 2; ++from)
      for (int64_t i = 0; i < 18; ++i)
        for (int64_t j = 0; j < 33; ++j)
          copyElements(output, j * 36 + from * 18 + i, inputOf(source, from),
                       i * 33 + j, 1, 2);
  });
}

TEST_CASE("a loop puts row after row, and a block puts more than once",
          "[block]") {
  constexpr int numRanks = 3;
  constexpr int64_t rows = 7;
  ProgramBuilder p("rows", {.numRanks = numRanks});
  auto src = p.tensor("src", DataType::I16, {1, rows, 8});
  auto dst = p.symmetricTensor("dst", DataType::I16, {2 * numRanks, rows, 8});
  p.kernel({.grid = {numRanks}, .threads = 64}, [&](Block &block) {
    auto [peer] = block.indices({"peer"});
    block.forRange(1, rows, 2, [&](Index row) {
      block.putBlock(src.tile({0, row, 0}, {1, 1, 8}),
                     dst.tile({block.rank(), row, 0}, {1, 1, 8}), peer);
    });
    block.putBlock(src.tile({0, 0, 0}, {1, rows, 8}),
                   dst.tile({block.rank() + numRanks, 0, 0}, {1, rows, 8}),
                   peer);
  });
  const KernelSource source = compile(p.build());
  checkOutputs(source, [&](Bytes &output, int) {
    for (int from = 0; from < numRanks; ++from) {
      const Bytes input = inputOf(source, from);
      for (int64_t row = 1; row < rows; row += 2)
        copyElements(output, (from * rows + row) * 8, input, row * 8, 8, 2);
      copyElements(output, (from + numRanks) * rows * 8, input, 0, rows * 8, 2);
    }
  });
}

TEST_CASE("tiles may start anywhere, whatever that does to alignment",
          "[block]") {
  const DataType dtype =
      GENERATE(DataType::U8, DataType::F16, DataType::F32, DataType::I64);
  ProgramBuilder p("shifted", {.numRanks = 2});
  auto src = p.tensor("src", dtype, {starts, row});
  auto dst = p.symmetricTensor("dst", dtype, {2 * starts, row});
  p.kernel({.grid = {2}, .threads = 32}, [&](Block &block) {
    auto [peer] = block.indices({"peer"});
    // Starts known to the compiler remotely, computed by the block locally.
    for (int64_t start = 0; start < starts; ++start)
      block.putBlock(
          src.tile({start, start}, {1, length}),
          dst.tile({block.rank() * starts + start, 15 - start}, {1, length}),
          peer);
  });
  const KernelSource source = compile(p.build());
  checkStarts(source);
}

TEST_CASE("tiles may start at a place that the block computes", "[block]") {
  const DataType dtype = GENERATE(DataType::U8, DataType::F16, DataType::F64);
  ProgramBuilder p("slid", {.numRanks = 2});
  auto src = p.tensor("src", dtype, {starts, row});
  auto dst = p.symmetricTensor("dst", dtype, {2 * starts, row});
  p.kernel({.grid = {starts, 2}, .threads = 32}, [&](Block &block) {
    auto [start, peer] = block.indices({"start", "peer"});
    block.putBlock(
        src.tile({start, start}, {1, length}),
        dst.tile({block.rank() * starts + start, 15 - start}, {1, length}),
        peer);
  });
  const KernelSource source = compile(p.build());
  checkStarts(source);
}

TEST_CASE("a grid may be longer than hardware counts on any axis", "[block]") {
  constexpr int64_t rows = 65600;
  ProgramBuilder p("tall", {.numRanks = 2});
  auto src = p.tensor("src", DataType::I32, {rows, 2});
  auto dst = p.symmetricTensor("dst", DataType::I32, {2 * rows, 2});
  p.kernel({.grid = {2, rows}, .threads = 1}, [&](Block &block) {
    auto [peer, row] = block.indices({"peer", "row"});
    block.putBlock(src.tile({row, 0}, {1, 2}),
                   dst.tile({block.rank() * rows + row, 0}, {1, 2}), peer);
  });
  const KernelSource source = compile(p.build());
  checkOutputs(source, [&](Bytes &output, int) {
    for (int from = 0; from < 2; ++from)
      copyElements(output, from * rows * 2, inputOf(source, from), 0, rows * 2,
                   4);
  });
}

TEST_CASE("a put to oneself stays at home", "[block]") {
  ProgramBuilder p("keep", {.numRanks = 3});
  auto src = p.tensor("src", DataType::F32, {40});
  auto dst = p.symmetricTensor("dst", DataType::F32, {40});
  p.kernel({.grid = {1}, .threads = 33}, [&](Block &block) {
    block.putBlock(src.tile({0}, {40}), dst.tile({0}, {40}), block.rank());
  });
  const KernelSource source = compile(p.build());
  checkOutputs(
      source, [&](Bytes &output, int rank) { output = inputOf(source, rank); });
}

TEST_CASE("a put to a rank that does not exist is refused with its line",
          "[block]") {
  const int64_t beyond[] = {1, 3, int64_t(1) << 32, int64_t(1) << 62};
  for (int64_t shift : beyond) {
    ProgramBuilder p("astray", {.numRanks = 3});
    auto src = p.tensor("src", DataType::F32, {8});
    auto dst = p.symmetricTensor("dst", DataType::F32, {8});
    p.kernel({.grid = {1}, .threads = 32}, [&](Block &block) {
      block.putBlock(src.tile({0}, {8}), dst.tile({0}, {8}),
                     block.rank() + shift);
    });
    CHECK_THROWS_WITH(compile(p.build()),
                      Contains("BlockLevelTest.cpp:") &&
                          Contains("expected a peer from 0 to 2 (because the "
                                   "kernel has 3 ranks), got " +
                                   std::to_string(shift) + " to " +
                                   std::to_string(shift + 2)));
  }
}

TEST_CASE("a put to a rank that turns out not to exist is named on every rank",
          "[block]") {
  if (!isEmulated()) {
    WARN("skipped: peers are checked on the emulator only");
    return;
  }
  // Of blocks 0 to 4 the squares, some beyond 32 bits.
  const int64_t factors[] = {1, int64_t(1) << 32};
  for (int64_t factor : factors) {
    ProgramBuilder p("astray", {.numRanks = 3});
    auto src = p.tensor("src", DataType::F32, {8});
    auto dst = p.symmetricTensor("dst", DataType::F32, {8});
    int line = 0;
    p.kernel({.grid = {5}, .threads = 32}, [&](Block &block) {
      auto [b] = block.indices({"b"});
      line = __LINE__ + 1;
      block.putBlock(src.tile({0}, {8}), dst.tile({0}, {8}), b * b * factor);
    });
    for (const std::string &failure : failuresOfLaunch(compile(p.build())))
      CHECK_THAT(failure, Contains("kernel 'astray' on rank ") &&
                              Contains("expected a peer from 0 to 2 at "
                                       "BlockLevelTest.cpp:" +
                                       std::to_string(line) + ", got "));
  }
}

TEST_CASE("an index that divides by zero is named on every rank", "[block]") {
  if (!isEmulated()) {
    WARN("skipped: divisors are checked on the emulator only");
    return;
  }
  ProgramBuilder p("split", {.numRanks = 2});
  auto src = p.tensor("src", DataType::F32, {4});
  auto dst = p.symmetricTensor("dst", DataType::F32, {8});
  p.kernel({.grid = {1}, .threads = 32}, [&](Block &block) {
    block.putBlock(src.tile({0}, {4}), dst.tile({4 / block.rank()}, {4}), 1);
  });
  for (const std::string &failure : failuresOfLaunch(compile(p.build())))
    CHECK_THAT(failure, Contains("'split' on rank 0, block 0, thread ") &&
                            Contains("a divisor other than 0 at split.cu:") &&
                            Contains("got 0"));
}

TEST_CASE("constant indices compute as those of the program do", "[block]") {
  ProgramBuilder p("folded", {.numRanks = 1});
  auto src = p.tensor("src", DataType::I32, {8});
  auto dst = p.tensor("dst", DataType::I32, {8});
  p.kernel({.grid = {1}, .threads = 32}, [&](Block &block) {
    const Index quotient = Index(-1) / ((int64_t(1) << 62) + 1); // 3
    const Index remainder = Index(INT64_MIN) % Index(-1);        // far outside
    CHECK_NOTHROW(Index(INT64_MIN) / Index(-1));                 // 0
    CHECK_NOTHROW(Index(INT64_MAX) + 1);
    CHECK_THROWS_AS(Index(1) / 0, UserError);
    CHECK_THROWS_AS(block.rank() / 0, UserError);
    CHECK_THROWS_AS(block.rank() % 0, UserError);
    block.copy(src.tile({quotient}, {1}), dst.tile({remainder % 5}, {1}));
  });
  const KernelSource source = compile(p.build());
  checkOutputs(source, [&](Bytes &output, int rank) {
    copyElements(output, 3, inputOf(source, rank), 3, 1, 4);
  });
}

TEST_CASE("a built program never changes, and half a body is none", "[block]") {
  ProgramBuilder p("spent");
  auto src = p.tensor("src", DataType::I32, {8});
  auto dst = p.tensor("dst", DataType::I32, {8});
  p.kernel({.grid = {1}}, [&](Block &block) {
    block.copy(src.tile({0}, {8}), dst.tile({0}, {8}));
  });
  const Program program = p.build();
  const std::string before = program.ir();
  CHECK_THROWS_AS(p.tensor("late", DataType::I32, {8}), UserError);
  CHECK_THROWS_AS(p.kernel({.grid = {1}}, [](Block &) {}), UserError);
  CHECK_THROWS_AS(p.build(), UserError);
  CHECK(program.ir() == before);

  ProgramBuilder q("half");
  CHECK_THROWS_AS(
      q.kernel({.grid = {1}}, [](Block &) { throw std::runtime_error("x"); }),
      std::runtime_error);
  CHECK_THROWS_AS(q.build(), UserError);
}
