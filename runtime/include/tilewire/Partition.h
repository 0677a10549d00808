//===- Partition.h - a dimension cut over ranks ---------------------------===//
//
// The balanced partition of n items over P ranks: rank r owns n / P items, plus
// one if r < n % P, in rank order. Part of the vocabulary.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_PARTITION_H
#define TILEWIRE_PARTITION_H

#include <algorithm>
#include <cstdint>

namespace tilewire {

/// The most ranks a program may span.
inline constexpr int maxRanks = 72;

/// The balanced partition of `total` items over `numRanks` ranks.
struct Partition {
  int64_t total;
  int numRanks;

  /// Items that `rank` owns.
  int64_t size(int rank) const {
    return total / numRanks + (rank < total % numRanks ? 1 : 0);
  }

  /// First item that `rank` owns; `begin(numRanks)` is `total`.
  int64_t begin(int rank) const {
    return total / numRanks * rank + std::min<int64_t>(rank, total % numRanks);
  }

  /// The rank that owns `item`, one of the total.
  int ownerOf(int64_t item) const {
    const int64_t least = total / numRanks;
    const int64_t larger = total % numRanks; // ranks that own one more
    const int64_t begin = larger * (least + 1);
    return int(item < begin ? item / (least + 1)
                            : larger + (item - begin) / least);
  }

  /// The most items that any rank owns.
  int64_t maxSize() const { return size(0); }

  /// Whether every rank owns as many.
  bool isEven() const { return total % numRanks == 0; }
};

} // namespace tilewire

#endif // TILEWIRE_PARTITION_H
