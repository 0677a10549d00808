//===- IndexTest.cpp - what a block computes ------------------------------===//
//
// Index expressions at random, each held against the same arithmetic on the
// host: modulo 2^64, unsigned. A wrong width, sign or parenthesis shows here.
//
//===----------------------------------------------------------------------===//

#include "RankTensors.h"
#include "Ranks.h"

#include <catch2/catch.hpp>

#include <random>

using namespace sequence_parallel;
using namespace tilewire;
using namespace tilewire::test;

namespace {

constexpr int64_t numBlocks = 16;
constexpr int64_t tableSize = 4096;
constexpr int numExpressions = 80;

/// An expression of the program and what it is on a block and a rank.
struct Expression {
  Index index;
  std::function<uint64_t(uint64_t block, uint64_t rank)> value;
};

template <typename Operator>
Expression apply(Operator op, const Expression &lhs, const Expression &rhs) {
  return {op(lhs.index, rhs.index),
          [=, l = lhs.value, r = rhs.value](uint64_t block, uint64_t rank) {
            return op(l(block, rank), r(block, rank));
          }};
}
Expression operator+(const Expression &lhs, const Expression &rhs) {
  return apply(std::plus<>(), lhs, rhs);
}
Expression operator-(const Expression &lhs, const Expression &rhs) {
  return apply(std::minus<>(), lhs, rhs);
}
Expression operator*(const Expression &lhs, const Expression &rhs) {
  return apply(std::multiplies<>(), lhs, rhs);
}
Expression operator/(const Expression &lhs, const Expression &rhs) {
  return apply(std::divides<>(), lhs, rhs);
}
Expression operator%(const Expression &lhs, const Expression &rhs) {
  return apply(std::modulus<>(), lhs, rhs);
}

Expression constant(uint64_t number) {
  return {int64_t(number), [=](uint64_t, uint64_t) { return number; }};
}

/// Expressions over a block and a rank.
class Expressions {
public:
  Expressions(unsigned seed, const Index &block, const Index &rank)
      : random(seed), block{block,
                            [](uint64_t block, uint64_t) { return block; }},
        rank{rank, [](uint64_t, uint64_t rank) { return rank; }} {}

  /// Every operator to the right of every other.
  std::vector<Expression> nested() {
    std::vector<Expression> all;
    for (int inner = 0; inner < numOperators; ++inner)
      for (int outer = 0; outer < numOperators; ++outer)
        for (int outermost : {0, 1, 2})
          all.push_back(join(
              outermost, spread(),
              join(outer, join(inner, spread(), constant(7)), constant(5))));
    return all;
  }

  Expression atRandom(int depth) {
    if (depth == 0)
      return leaf();
    const Expression lhs = atRandom(int(pick(unsigned(depth))));
    const int which = int(pick(numOperators));
    return join(which, lhs,
                which < firstDivision ? atRandom(depth - 1)
                                      : constant(number() + 1));
  }

private:
  static constexpr int numOperators = 5;
  static constexpr int firstDivision = 3;

  static Expression join(int which, const Expression &lhs,
                         const Expression &rhs) {
    switch (which) {
    case 0:
      return lhs + rhs;
    case 1:
      return lhs - rhs;
    case 2:
      return lhs * rhs;
    case 3:
      return lhs / rhs;
    default:
      return lhs % rhs;
    }
  }

  unsigned pick(unsigned count) { return unsigned(random() % count); }

  /// Small, or about where 31, 32 or 63 bits end.
  uint64_t number() {
    switch (pick(6)) {
    case 0:
      return (uint64_t(1) << 31) - 2 + pick(4);
    case 1:
      return (uint64_t(1) << 32) - 2 + pick(4);
    case 2:
      return (uint64_t(1) << 62) - 2 + pick(4);
    default:
      return pick(12);
    }
  }

  /// Unlike any other, and unlike on every block and rank.
  Expression spread() {
    return block * constant(40503 + pick(1000)) + rank * constant(977) +
           constant(pick(1000));
  }

  Expression leaf() {
    switch (pick(4)) {
    case 0:
      return block;
    case 1:
      return rank;
    case 2:
      return spread();
    default:
      return constant(number());
    }
  }

  std::mt19937_64 random;
  Expression block;
  Expression rank;
};

} // namespace

TEST_CASE("index expressions compute what they say, at every width",
          "[block]") {
  const unsigned seed = GENERATE(1u, 2u, 3u, 4u);
  ProgramBuilder p("expressions", {.numRanks = 3});
  auto table = p.tensor("table", DataType::I32, {1, tableSize});
  auto out = p.tensor("out", DataType::I32, {numExpressions, numBlocks});
  std::vector<Expression> all;
  p.kernel({.grid = {numBlocks}, .threads = 32}, [&](Block &block) {
    auto [b] = block.indices({"b"});
    Expressions expressions(seed, b, block.rank());
    if (seed == 1)
      all = expressions.nested();
    while (all.size() < numExpressions)
      all.push_back(expressions.atRandom(5));
    for (size_t i = 0; i < all.size(); ++i)
      block.copy(table.tile({0, all[i].index % tableSize}, {1, 1}),
                 out.tile({int64_t(i), b}, {1, 1}));
  });
  const KernelSource source = compile(p.build());
  const std::vector<Bytes> outputs = launchOnce(source);
  for (uint64_t rank = 0; rank < 3; ++rank) {
    const Bytes input = inputOf(source, int(rank));
    Bytes expected = untouchedOutput(source);
    for (size_t i = 0; i < all.size(); ++i)
      for (uint64_t b = 0; b < numBlocks; ++b)
        copyElements(expected, int64_t(i * numBlocks + b), input,
                     int64_t(all[i].value(b, rank) % tableSize), 1, 4);
    INFO("seed " << seed << ", rank " << rank << "\n" << source.text);
    CHECK((outputs[rank] == expected));
  }
}
