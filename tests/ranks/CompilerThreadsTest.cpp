//===- CompilerThreadsTest.cpp - the compiler on several threads ----------===//

#include <tilewire/tilewire.h>

#include <catch2/catch.hpp>

#include <atomic>
#include <latch>
#include <thread>

using namespace tilewire;
using Catch::Matchers::Contains;

namespace {

constexpr int numThreads = 8;

/// A program whose text is `number`'s own.
ProgramBuilder makeBuilder(int number) {
  return ProgramBuilder("rows" + std::to_string(number), {.numRanks = 2});
}

/// Many moves that differ, each with much that a context sees for the first
/// time.
void fill(ProgramBuilder &p, int number) {
  constexpr int64_t numMoves = 12;
  auto src = p.tensor("src", DataType::F16, {numMoves, 400 + number});
  auto dst = p.symmetricTensor("dst", DataType::F16, {numMoves, 400 + number});
  p.kernel({.grid = {4}, .threads = 64}, [&](Block &block) {
    auto [index] = block.indices({"index"});
    for (int64_t move = 0; move < numMoves; ++move)
      block.putBlock(src.tile({move, 3 * move + number}, {1, 101 + move}),
                     dst.tile({move, index + 5 * move}, {1, 101 + move}),
                     (index + move) % 2);
  });
}

Program build(int number) {
  ProgramBuilder p = makeBuilder(number);
  fill(p, number);
  return p.build();
}

/// All that the compiler makes of a program.
std::vector<std::string> everythingOf(const Program &program) {
  const KernelSource source = compile(program);
  return {source.text, source.program, program.ir(),
          lower(program, "plan-transfers"), lower(program, "legalize-names")};
}

/// How often each test starts its threads: only what a context has not seen
/// before makes it write much.
constexpr int numTurns = 8;

/// Runs `isRight(thread)` on all threads at once; on how many it was not.
int wrongOnThreads(const std::function<bool(int)> &isRight) {
  std::latch ready(numThreads);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < numThreads; ++thread)
    threads.emplace_back([&, thread] {
      ready.arrive_and_wait();
      wrong += !isRight(thread);
    });
  for (std::thread &thread : threads)
    thread.join();
  return wrong;
}

} // namespace

TEST_CASE("copies of one program compile on several threads at once, each to "
          "the same text",
          "[compiler-threads]") {
  const std::vector<std::string> expected = everythingOf(build(0));
  for (int turn = 0; turn < numTurns; ++turn) {
    const Program program = build(0);
    CHECK(wrongOnThreads([&, copy = program](int) {
            const Program own = copy;
            return everythingOf(own) == expected;
          }) == 0);
  }
}

TEST_CASE("a program that a pass refuses is refused alike by every thread",
          "[compiler-threads]") {
  std::string moves;
  for (int move = 0; move < 20; ++move)
    moves += "tile.copy %from to %to : !tile.tile<12xf16> -> "
             "!tile.tile<12xf16>\n";
  const std::string text =
      "tile.kernel @k(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) "
      "attributes "
      "{num_ranks = 2 : i64, grid = array<i64: 8>, threads = 32 : i64} {\n"
      "%from = tile.slice %src[0] sizes [12] : !tile.tensor<64xf16> -> "
      "!tile.tile<12xf16>\n"
      "%to = tile.slice %dst[0] sizes [12] : !tile.tensor<64xf16> -> "
      "!tile.tile<12xf16>\n" +
      moves +
      "tile.copy %from to %to plan <vector = 8, unroll = 1, order = source> : "
      "!tile.tile<12xf16> -> !tile.tile<12xf16>\n"
      "tile.return\n}\n";
  const auto refusalOf = [](const Program &program) -> std::string {
    try {
      return compile(program).text;
    } catch (const Error &error) {
      return error.what();
    }
  };
  const std::string expected = refusalOf(Program::parse(text));
  CHECK_THAT(expected, Contains("ir:") && Contains("vector of at most 4"));
  for (int turn = 0; turn < numTurns; ++turn) {
    const Program program = Program::parse(text);
    CHECK(wrongOnThreads([&](int) { return refusalOf(program) == expected; }) ==
          0);
  }
}

TEST_CASE("programs of several threads are built and compiled at once, each to "
          "its own text",
          "[compiler-threads]") {
  std::vector<std::vector<std::string>> expected;
  for (int number = 0; number < numThreads; ++number)
    expected.push_back(everythingOf(build(number)));
  for (int turn = 0; turn < numTurns; ++turn)
    CHECK(wrongOnThreads([&](int thread) {
            const Program own = build(thread);
            const std::vector<std::string> &texts = expected[size_t(thread)];
            return everythingOf(own) == texts &&
                   everythingOf(Program::parse(own.ir()))[0] == texts[0];
          }) == 0);
}

TEST_CASE("a builder that is used after its program was built refuses, and "
          "leaves the program alone",
          "[compiler-threads]") {
  const std::vector<std::string> expected = everythingOf(build(0));
  for (int turn = 0; turn < numTurns; ++turn) {
    ProgramBuilder p = makeBuilder(0);
    fill(p, 0);
    const Program program = p.build();
    CHECK(wrongOnThreads([&](int thread) {
            if (thread > 0)
              return everythingOf(program) == expected;
            try {
              p.tensor("more", DataType::F16, {4});
            } catch (const UserError &) {
              return true;
            }
            return false;
          }) == 0);
  }
}
