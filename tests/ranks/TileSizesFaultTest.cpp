//===- TileSizesFaultTest.cpp - sizes that are refused, or found wrong ----===//

#include "Ranks.h"

#include <catch2/catch.hpp>

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;

namespace {

/// A source of 8 x 8 and a symmetric destination of 8 by the share of 9.
struct Cut {
  explicit Cut(int numRanks = 2) : p("cut", {.numRanks = numRanks}) {}

  /// `body` in a kernel of 8 blocks; gets the block's number.
  Program build(const std::function<void(Block &, Index)> &body) {
    p.kernel({.grid = {8}, .threads = 32}, [&](Block &block) {
      auto [number] = block.indices({"number"});
      body(block, number);
    });
    return p.build();
  }

  ProgramBuilder p;
  TensorArgument src = p.tensor("src", DataType::F32, {8, 8});
  TensorArgument dst = p.symmetricTensor("dst", DataType::F32, {8, p.share(9)});
};

std::string lineOf(int line) {
  return "TileSizesFaultTest.cpp:" + std::to_string(line);
}

/// What every rank says of a launch.
void checkFound(const Program &program, const std::string &expected, int line) {
  for (const std::string &failure : failuresOfLaunch(compile(program)))
    CHECK_THAT(failure, Contains("kernel 'cut' on rank ") &&
                            Contains(expected) &&
                            Contains(" at " + lineOf(line)));
}

void checkRefused(const Program &program, const std::string &expected,
                  int line) {
  CHECK_THROWS_WITH(compile(program),
                    Contains(lineOf(line)) && Contains(expected));
}

} // namespace

TEST_CASE("a size larger than any share is refused where the tile is made",
          "[sizes]") {
  Cut cut;
  int line = 0;
  const auto build = [&] {
    cut.build([&](Block &, Index) {
      line = __LINE__ + 1;
      (void)cut.dst.tile({0, 0}, {1, 6});
    });
  };
  CHECK_THROWS_WITH(build(), Contains(":" + std::to_string(line)) &&
                                 Contains("expected size 1 from 0 to 5"));
}

TEST_CASE("a tile that ends beyond what its rank has is refused where that is "
          "proved",
          "[sizes]") {
  int line = 0;
  // Rank 1 has 4.
  const std::vector<std::function<void(Cut &, Block &, Index)>> bodies = {
      [&](Cut &cut, Block &block, Index) {
        line = __LINE__ + 1;
        auto to = cut.dst.tile({0, 0}, {1, 5});
        block.putBlock(cut.src.tile({0, 0}, {1, 5}), to, 1);
      },
      [&](Cut &cut, Block &block, Index) {
        line = __LINE__ + 1;
        auto to = cut.dst.tile({0, 0}, {1, 5});
        block.copy(cut.src.tile({0, 0}, {1, 5}), to);
      },
      [&](Cut &cut, Block &block, Index number) {
        line = __LINE__ + 1;
        auto to = cut.dst.tile({0, number}, {1, 1});
        block.putBlock(cut.src.tile({0, 0}, {1, 1}), to, 0);
      },
      [&](Cut &cut, Block &block, Index) {
        const Index size = block.shareSize(9, block.rank());
        line = __LINE__ + 1;
        auto to = cut.dst.tile({0, 1}, {1, size});
        block.copy(cut.src.tile({0, 0}, {1, size}), to);
      },
  };
  for (const auto &body : bodies) {
    Cut cut;
    const Program program = cut.build(
        [&](Block &block, Index number) { body(cut, block, number); });
    checkRefused(program, " of a tile of 'dst' from 0 to ", line);
  }
}

TEST_CASE("a tile that ends beyond what its peer has is found with its line",
          "[sizes]") {
  int line = 0;
  const std::vector<std::function<void(Cut &, Block &, Index)>> bodies = {
      // All of rank 0's, which is one more than rank 1 has.
      [&](Cut &cut, Block &block, Index number) {
        line = __LINE__ + 1;
        auto to = cut.dst.tile({0, 0}, {1, 5});
        block.putBlock(cut.src.tile({0, 0}, {1, 5}), to, number % 2);
      },
      // This rank's share at a peer.
      [&](Cut &cut, Block &block, Index number) {
        const Index size = block.shareSize(9, block.rank());
        line = __LINE__ + 1;
        auto to = cut.dst.tile({0, 0}, {1, size});
        block.putBlock(cut.src.tile({0, 0}, {1, size}), to, number % 2);
      },
      // From one on.
      [&](Cut &cut, Block &block, Index number) {
        const Index size = block.shareSize(9, number % 2);
        line = __LINE__ + 1;
        auto to = cut.dst.tile({0, number / 4}, {1, size});
        block.putBlock(cut.src.tile({0, 0}, {1, size}), to, number % 2);
      },
      // Beyond the rows, which all ranks have.
      [&](Cut &cut, Block &block, Index number) {
        const Index size = number * number % 5; // up to 4
        line = __LINE__ + 1;
        auto to = cut.dst.tile({number, 0}, {size, 1});
        block.putBlock(cut.src.tile({0, 0}, {size, 1}), to, number % 2);
      },
      // A size that has gone below zero.
      [&](Cut &cut, Block &block, Index number) {
        const Index size = number * number % 5 - 1;
        line = __LINE__ + 1;
        auto from = cut.src.tile({0, 0}, {size, 1});
        auto to = cut.dst.tile({0, 0}, {size, 1});
        block.putBlock(from, to, number % 2);
      },
  };
  for (const auto &body : bodies) {
    Cut cut;
    const Program program = cut.build(
        [&](Block &block, Index number) { body(cut, block, number); });
    checkFound(program, " of a tile of '", line);
  }
}

TEST_CASE("a share of a rank that does not exist is refused with its line",
          "[sizes]") {
  // Blocks 2 to 7 are none.
  const std::vector<Index (Block::*)(const Extent &, const Index &,
                                     std::source_location)>
      shares = {&Block::shareBegin, &Block::shareSize};
  for (const auto &share : shares) {
    Cut cut;
    int line = 0;
    const Program program = cut.build([&](Block &block, Index number) {
      line = __LINE__ + 1;
      const auto place = std::source_location::current();
      const Index of = (block.*share)(7, number, place);
      block.copy(cut.src.tile({of, 0}, {1, 1}), cut.dst.tile({0, 0}, {1, 1}));
    });
    checkRefused(program,
                 "expected a rank from 0 to 1 (because the kernel has 2 "
                 "ranks), got 0 to 7",
                 line);
  }
}

TEST_CASE("a share of a rank that turns out not to exist is found with its "
          "line",
          "[sizes]") {
  Cut cut;
  int line = 0;
  const Program program = cut.build([&](Block &block, Index number) {
    const Index rank = number * number % 5;
    line = __LINE__ + 1;
    const Index begin = block.shareBegin(7, rank);
    block.copy(cut.src.tile({begin, 0}, {1, 1}), cut.dst.tile({0, 0}, {1, 1}));
  });
  checkFound(program, "expected a rank from 0 to 1", line);
}

TEST_CASE("sizes of source and destination that differ are refused where that "
          "is proved",
          "[sizes]") {
  Cut cut;
  int line = 0;
  const Program program = cut.build([&](Block &block, Index number) {
    line = __LINE__ + 1;
    block.copy(cut.src.tile({0, 0}, {number, 1}),
               cut.dst.tile({0, 0}, {number + 1, 1}));
  });
  checkRefused(program,
               "expected source and destination of equal sizes, got different "
               "ones along dimension 0",
               line);
}

TEST_CASE("sizes of source and destination that turn out to differ are found "
          "with their line",
          "[sizes]") {
  Cut cut;
  int line = 0;
  const Program program = cut.build([&](Block &block, Index number) {
    line = __LINE__ + 1;
    block.copy(cut.src.tile({0, 0}, {number, 1}),
               cut.dst.tile({0, 0}, {number * number % 8, 1}));
  });
  checkFound(program,
             "expected source and destination of equal sizes along dimension "
             "0, by the source's",
             line);
}

TEST_CASE("sizes that are computed in two ways and equal are right",
          "[sizes]") {
  Cut cut;
  const Program program = cut.build([&](Block &block, Index number) {
    block.putBlock(cut.src.tile({number, 0}, {1, number * 2 % 5}),
                   cut.dst.tile({number, 0}, {1, (number + number) % 5}),
                   1 - block.rank());
  });
  // No more than rank 1 has of any row.
  const KernelSource source = compile(program);
  checkOutputs(source, [&](Bytes &output, int rank) {
    for (int64_t row = 0; row < 8; ++row)
      copyElements(output, row * (rank == 0 ? 5 : 4), inputOf(source, 1 - rank),
                   row * 8, row * 2 % 5, 4);
  });
}
