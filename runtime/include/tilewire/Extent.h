//===- Extent.h - how long a dimension is ---------------------------------===//
//
// A number of elements that is the same on every rank, or this rank's share of
// one. Part of the vocabulary.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_EXTENT_H
#define TILEWIRE_EXTENT_H

#include <tilewire/Partition.h>

#include <string>
#include <vector>

namespace tilewire {

/// Extent of a dimension, in elements, with the name that collectives and the
/// generated text call it by: a number, a parameter that each launch gives, or
/// a share of either.
struct Extent {
  Extent(int64_t value) : value(value) {}
  Extent(std::string name, int64_t value, bool isShare = false)
      : name(std::move(name)), value(value), isShare(isShare) {}

  std::string name;
  /// Elements, of all ranks together where it is a share; of a parameter the
  /// most that a launch may give.
  int64_t value;
  /// Whether the dimension is cut over the ranks: each has its part of the
  /// balanced partition of `value`.
  bool isShare = false;
  /// Name of the parameter whose value a launch gives; empty for a number.
  std::string parameter = {};

  /// Elements on `rank` of `numRanks`.
  int64_t on(int rank, int numRanks) const {
    return isShare ? Partition{value, numRanks}.size(rank) : value;
  }
  /// The most elements that any of `numRanks` ranks has.
  int64_t most(int numRanks) const { return on(0, numRanks); }
};

/// "[2, share(32), S, 128]".
std::string formatExtents(const std::vector<Extent> &extents);
/// ", S <= 4096, B <= 8"; empty where no extent is a parameter.
std::string formatBounds(const std::vector<Extent> &extents);

} // namespace tilewire

#endif // TILEWIRE_EXTENT_H
