//===- SizeKinds.h - sizes of tiles that blocks compute -------------------===//
//
// Ways to compute a size in the language, each with what it is on the host, for
// tests of tiles of all sizes.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_RANKS_SIZEKINDS_H
#define TILEWIRE_TESTS_RANKS_SIZEKINDS_H

#include <tilewire/tilewire.h>

#include <functional>
#include <vector>

namespace tilewire::test {

inline constexpr int64_t edge = 6;             ///< the largest of these sizes
inline constexpr int64_t numBlocks = edge + 1; ///< whose numbers are sizes too

/// A size from 0 to `edge`, on a rank that puts to a peer, in one of its
/// blocks.
struct SizeKind {
  std::function<Index(Block &, Index peer, Index number)> compute;
  std::function<int64_t(int numRanks, int rank, int peer, int64_t number)>
      value;
};

const std::vector<SizeKind> &sizeKinds();

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_RANKS_SIZEKINDS_H
