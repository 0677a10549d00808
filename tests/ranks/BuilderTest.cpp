//===- BuilderTest.cpp - what the builder refuses, at the call ------------===//

#include <tilewire/tilewire.h>

#include <catch2/catch.hpp>

#include <functional>
#include <optional>

using namespace tilewire;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// The message with which `step` is refused inside the body of a kernel over a
/// grid of two axes; "" when it is not.
std::string refusalInBody(const std::function<void(Block &, TensorArgument &,
                                                   TensorArgument &)> &step) {
  ProgramBuilder p("refused", {.numRanks = 2});
  auto src = p.tensor("src", DataType::I32, {8, 8});
  auto dst = p.symmetricTensor("dst", DataType::I32, {8, 8});
  std::string message;
  p.kernel({.grid = {8, 2}}, [&](Block &block) {
    try {
      step(block, src, dst);
    } catch (const UserError &error) {
      message = error.what();
    }
  });
  return message;
}

} // namespace

TEST_CASE("every axis of the grid gets a name or none does", "[builder]") {
  CHECK_THAT(refusalInBody(
                 [](Block &block, auto &, auto &) { block.indices({"row"}); }),
             StartsWith("BuilderTest.cpp:") &&
                 Contains("a name for each of 2 axes of the grid, got 1"));
  CHECK_THAT(refusalInBody([](Block &block, auto &, auto &) {
               block.indices({"a", "b", "c"});
             }),
             Contains("got 3"));
  CHECK(refusalInBody([](Block &block, auto &, auto &) {
          block.indices({"row", "peer"});
        }) == "");
}

TEST_CASE("what a loop's body made is refused after the loop", "[builder]") {
  CHECK_THAT(
      refusalInBody([](Block &block, auto &src, auto &dst) {
        std::optional<Index> kept;
        block.forRange(0, 4, 1, [&](Index i) { kept = i; });
        block.copy(src.tile({*kept, 0}, {1, 8}), dst.tile({0, 0}, {1, 8}));
      }),
      StartsWith("BuilderTest.cpp:") &&
          Contains("expected an index of the same body or one around "
                   "it, got one of a loop that has ended"));
  CHECK_THAT(refusalInBody([](Block &block, auto &src, auto &dst) {
               std::optional<Tile> kept;
               block.forRange(0, 4, 1, [&](Index i) {
                 kept = src.tile({i, 0}, {1, 8});
               });
               block.copy(*kept, dst.tile({0, 0}, {1, 8}));
             }),
             Contains("expected a tile of the same body"));
  CHECK(refusalInBody([](Block &block, auto &src, auto &dst) {
          auto [row, peer] = block.indices({"row", "peer"});
          block.forRange(0, 4, 1, [&](Index i) {
            block.forRange(0, 2, 1, [&](Index j) {
              block.putBlock(src.tile({row, i + j}, {1, 1}),
                             dst.tile({row, i}, {1, 1}), peer);
            });
          });
        }) == "");
}

TEST_CASE("an index or a tile of another program is refused", "[builder]") {
  ProgramBuilder other("other");
  auto elsewhere = other.tensor("elsewhere", DataType::I32, {8, 8});
  other.kernel({.grid = {1}}, [&](Block &outer) {
    const Index foreign = outer.rank();
    CHECK_THAT(refusalInBody([&](Block &, auto &src, auto &) {
                 src.tile({foreign, 0}, {1, 8});
               }),
               Contains("an index of program 'refused', got one of another"));
    CHECK_THAT(
        refusalInBody([&](Block &block, auto &, auto &dst) {
          block.copy(elsewhere.tile({0, 0}, {8, 8}), dst.tile({0, 0}, {8, 8}));
        }),
        Contains("a tile of program 'refused', got one of another"));
  });
}

TEST_CASE("nothing that was made before changes a built program", "[builder]") {
  ProgramBuilder p("built");
  auto src = p.tensor("src", DataType::I32, {8});
  auto dst = p.tensor("dst", DataType::I32, {8});
  std::optional<Index> kept;
  p.kernel({.grid = {8}}, [&](Block &block) {
    auto [row] = block.indices({"row"});
    kept = row;
    block.copy(src.tile({row}, {1}), dst.tile({row}, {1}));
  });
  const Program program = p.build();
  const std::string before = program.ir();
  const auto isRefused = Contains("expected a builder in use for program "
                                  "'built', got one that was built");
  CHECK_THROWS_WITH(src.tile({0}, {8}), isRefused);
  CHECK_THROWS_WITH(*kept + 1, isRefused);
  CHECK_THROWS_WITH(kept->named("late"), isRefused);
  CHECK(program.ir() == before);
  // A handle of a block can't be kept at all.
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<Block>);
}

TEST_CASE("an empty function for a body is refused, and the program goes on",
          "[builder]") {
  CHECK_THAT(
      refusalInBody([](Block &block, auto &, auto &) {
        block.forRange(0, 4, 1, nullptr);
      }),
      StartsWith("BuilderTest.cpp:") &&
          Contains("expected a function for the body, got an empty one"));
  ProgramBuilder p("bodiless");
  CHECK_THROWS_WITH(p.kernel({.grid = {1}}, nullptr),
                    StartsWith("BuilderTest.cpp:") &&
                        Contains("a function for the body"));
  p.kernel({.grid = {1}}, [](Block &) {});
  CHECK_NOTHROW(p.build());
}

TEST_CASE("a loop whose constant bounds or step make no sense is refused",
          "[builder]") {
  using Bounds = std::array<int64_t, 3>;
  for (const auto &[begin, end, step] :
       {Bounds{0, -1, 1}, Bounds{-1, 8, 1}, Bounds{0, INT64_MIN, 1}})
    CHECK_THAT(refusalInBody([&, begin = begin, end = end,
                              step = step](Block &block, auto &, auto &) {
                 block.forRange(begin, end, step, [](Index) {});
               }),
               StartsWith("BuilderTest.cpp:") &&
                   Contains("expected bounds that are not negative, got -"));
  for (int64_t step : {int64_t(0), int64_t(-1), INT64_MIN})
    CHECK_THAT(
        refusalInBody([&](Block &block, auto &, auto &) {
          block.forRange(0, 8, step, [](Index) {});
        }),
        StartsWith("BuilderTest.cpp:") &&
            Contains("expected a positive step, got " + std::to_string(step)));
}

TEST_CASE("handles that outlive their builder are refused", "[builder]") {
  std::optional<Index> index;
  std::optional<Tile> tile;
  std::optional<TensorArgument> tensor;
  {
    ProgramBuilder p("gone");
    tensor = p.tensor("t", DataType::F16, {8});
    p.kernel({.grid = {1}}, [&](Block &block) {
      index = block.rank();
      tile = tensor->tile({0}, {8});
    });
  }
  const auto spent = Contains("expected a builder in use for program 'gone', "
                              "got one that was built or destroyed");
  CHECK_THROWS_WITH(*index + 1, spent);
  CHECK_THROWS_WITH(2 * *index, spent);
  CHECK_THROWS_WITH(index->named("late"), spent);
  CHECK_THROWS_WITH(tensor->tile({0}, {8}), spent);
  CHECK_THROWS_WITH(tensor->mayAlias(), spent);
  CHECK_THROWS_WITH(tile->transpose({0}), spent);
  CHECK_THROWS_WITH(tile->shape(), spent);
}

TEST_CASE("half a loop is no program, and a body does not end its program",
          "[builder]") {
  ProgramBuilder p("half");
  p.kernel({.grid = {1}}, [&](Block &block) {
    CHECK_THROWS_AS(
        block.forRange(0, 4, 1, [](Index) { throw std::runtime_error("x"); }),
        std::runtime_error);
    CHECK_THROWS_WITH(block.rank(), Contains("whose body threw"));
  });
  CHECK_THROWS_WITH(p.build(), Contains("whose body threw"));

  ProgramBuilder q("inside");
  q.kernel({.grid = {1}}, [&](Block &) {
    CHECK_THROWS_WITH(q.build(),
                      Contains("after the body of program 'inside'"));
  });
  CHECK_NOTHROW(q.build());
}

TEST_CASE("the only axis, the rank and folded values keep their names",
          "[builder]") {
  ProgramBuilder p("names", {.numRanks = 2});
  auto src = p.tensor("src", DataType::I32, {8, 8});
  auto dst = p.symmetricTensor("dst", DataType::I32, {16, 8});
  p.kernel({.grid = {16}}, [&](Block &block) {
    auto [row] = block.indices({"row"});
    const Index me = block.rank().named("me");
    const Index from = (row % 8 * 1).named("from");
    block.putBlock(src.tile({from, 0}, {1, 8}),
                   dst.tile({me * 8 + from, 0}, {1, 8}), row / 8);
  });
  const std::string text = compile(p.build()).text;
  CHECK_THAT(text, Contains("for (unsigned row = blockIdx.x; row < 16;") &&
                       Contains("const unsigned me = world.rank;") &&
                       Contains("const unsigned from = row % 8;"));
}

namespace {

/// A program of `count` loops in each other.
Program nestLoops(int count) {
  ProgramBuilder p("nested");
  auto src = p.tensor("src", DataType::I32, {8, 8});
  auto dst = p.tensor("dst", DataType::I32, {8, 8});
  p.kernel({.grid = {8}}, [&](Block &block) {
    auto [row] = block.indices({"row"});
    std::function<void(int)> nest = [&](int left) {
      if (left == 0)
        return block.copy(src.tile({row, 0}, {1, 8}),
                          dst.tile({row, 0}, {1, 8}));
      block.forRange(0, row, 1, [&](Index i) {
        i.named("a").named("b");
        nest(left - 1);
      });
    };
    nest(count);
  });
  return p.build();
}

} // namespace

TEST_CASE("loops nest as deep as the program can be read again", "[builder]") {
  const Program program = nestLoops(240);
  CHECK_NOTHROW(Program::parse(program.ir()));
  for (const std::string &step : pipelineSteps())
    CHECK_NOTHROW(Program::parse(lower(program, step)));
  for (int count : {241, 5000})
    CHECK_THROWS_WITH(
        nestLoops(count),
        StartsWith("BuilderTest.cpp:") &&
            Contains("expected at most 240 loops in each other, got more"));
}

TEST_CASE("an index named often bears one name", "[builder]") {
  ProgramBuilder p("renamed");
  auto src = p.tensor("src", DataType::I32, {8});
  auto dst = p.tensor("dst", DataType::I32, {8});
  p.kernel({.grid = {8}}, [&](Block &block) {
    auto [row] = block.indices({"row"});
    for (int time = 0; time < 5000; ++time)
      row.named(time % 2 ? "odd" : "even");
    block.copy(src.tile({row}, {1}), dst.tile({row}, {1}));
  });
  const Program program = p.build();
  CHECK_NOTHROW(Program::parse(program.ir()));
  CHECK_THAT(compile(program).text, Contains("odd = blockIdx.x"));
}

TEST_CASE("a number that is no data type is refused", "[builder]") {
  ProgramBuilder p("untyped");
  for (int number : {-1, 11, 99})
    for (int64_t extent : {0, 8}) {
      CHECK_THROWS_WITH(p.tensor("a", DataType(number), {extent}),
                        StartsWith("BuilderTest.cpp:") &&
                            Contains("expected a data type (f16, ") &&
                            Contains("got " + std::to_string(number)));
      CHECK_THROWS_WITH(p.symmetricTensor("a", DataType(number), {extent}),
                        Contains("expected a data type (f16, "));
    }
}

TEST_CASE("an offset that turns out to be out of range is refused",
          "[builder]") {
  ProgramBuilder p("beyond");
  auto src = p.tensor("src", DataType::I32, {8});
  auto dst = p.tensor("dst", DataType::I32, {8});
  p.kernel({.grid = {8}}, [&](Block &block) {
    auto [row] = block.indices({"row"});
    block.copy(src.tile({row * 0 + 100}, {1}), dst.tile({row}, {1}));
  });
  CHECK_THROWS_WITH(compile(p.build()),
                    StartsWith("BuilderTest.cpp:") &&
                        Contains("expected offset 0 from 0 to 7 (because 1 "
                                 "elements of 8 are taken), got 100"));
}

TEST_CASE("a tile of a tile is refused where it is made", "[builder]") {
  CHECK_THAT(refusalInBody([](Block &, auto &src, auto &) {
               src.tile({0, 0}, {4, 8}).tile({4, 0}, {1, 8});
             }),
             StartsWith("BuilderTest.cpp:") &&
                 Contains("expected offset 0 from 0 to 3 (because 1 elements "
                          "of 4 are taken), got 4"));
  CHECK_THAT(refusalInBody(
                 [](Block &, auto &src, auto &) { src.all().tile({0}, {8}); }),
             Contains("expected 2 offsets and sizes for a tile, got 1 and 1"));
  CHECK_THAT(
      refusalInBody([](Block &, auto &src, auto &) { src.all().drop({1}); }),
      Contains("leaves out dimensions of size 1 only, got [0] without "
               "dimension 1 of size 8"));
  CHECK_THAT(
      refusalInBody([](Block &, auto &src, auto &) { src.all().drop({2}); }),
      Contains("expected a dimension from 0 to 1, got 2"));
  CHECK_THAT(refusalInBody(
                 [](Block &, auto &src, auto &) { src.all().select(-1, 0); }),
             Contains("expected a dimension from 0 to 1, got -1"));
  CHECK_THAT(
      refusalInBody([](Block &, auto &src, auto &) { src.all().select(0, 8); }),
      Contains("expected offset 0 from 0 to 7"));
}

TEST_CASE("all of a tensor is refused in a body where ranks differ",
          "[builder]") {
  ProgramBuilder p("whose", {.numRanks = 2});
  auto src = p.tensor("src", DataType::I32, {p.share(9)});
  p.kernel({.grid = {1}}, [&](Block &) {
    CHECK_THROWS_WITH(src.all(),
                      StartsWith("BuilderTest.cpp:") &&
                          Contains("got [share(9)] over 2 ranks; say "
                                   "with shareSize whose part"));
  });
}

TEST_CASE("a collective of tiles names what they show", "[builder]") {
  ProgramBuilder p("parts", {.numRanks = 2});
  auto src = p.tensor("src", DataType::I32, {{"C", 3}, {"H", 4}, {"S", 8}});
  auto dst = p.symmetricTensor("dst", DataType::I32, {{"H", 2}, {"S", 16}});
  CHECK_THROWS_WITH(
      p.allToAll(src.all().select(0, 1), dst.all(),
                 {.scatter = "C", .gather = "S"}),
      StartsWith("BuilderTest.cpp:") &&
          Contains("expected 'scatter' to name a dimension of the tile of "
                   "tensor 'src' (H, S), got 'C'"));
  p.allToAll(src.all().select(0, 1), dst.all(),
             {.scatter = "H", .gather = "S"});
  CHECK_NOTHROW(p.build());
}
