//===- SizeKinds.cpp - sizes of tiles that blocks compute -----------------===//

#include "SizeKinds.h"

#include <algorithm>

using namespace tilewire;
using namespace tilewire::test;

namespace {

int64_t shareOf(int64_t total, int numRanks, int rank) {
  return total / numRanks + (rank < total % numRanks);
}

} // namespace

const std::vector<SizeKind> &test::sizeKinds() {
  static const std::vector<SizeKind> kinds = {
      {[](Block &, Index, Index) { return Index(edge); },
       [](int, int, int, int64_t) { return edge; }},
      {[](Block &, Index, Index) { return Index(1); },
       [](int, int, int, int64_t) { return int64_t(1); }},
      {[](Block &, Index, Index number) { return number; },
       [](int, int, int, int64_t number) { return number; }},
      {[](Block &, Index, Index number) { return min(4, edge - number); },
       [](int, int, int, int64_t number) {
         return std::min<int64_t>(4, edge - number);
       }},
      {[](Block &, Index, Index number) { return min(1, number); },
       [](int, int, int, int64_t number) {
         return std::min<int64_t>(1, number);
       }},
      {[](Block &block, Index, Index) {
         return block.shareSize(5, block.rank());
       },
       [](int numRanks, int rank, int, int64_t) {
         return shareOf(5, numRanks, rank);
       }},
      {[](Block &block, Index peer, Index) { return block.shareSize(6, peer); },
       [](int numRanks, int, int peer, int64_t) {
         return shareOf(6, numRanks, peer);
       }},
      {[](Block &block, Index peer, Index) {
         return block.shareSize(3, peer) * 2;
       },
       [](int numRanks, int, int peer, int64_t) {
         return 2 * shareOf(3, numRanks, peer);
       }},
      {[](Block &, Index, Index number) { return number * number % 5; },
       [](int, int, int, int64_t number) { return number * number % 5; }},
      {[](Block &, Index, Index number) { return number * number % 2 * 4; },
       [](int, int, int, int64_t number) { return number * number % 2 * 4; }},
      {[](Block &, Index, Index number) { return number / numBlocks; },
       [](int, int, int, int64_t) { return int64_t(0); }},
  };
  return kinds;
}
