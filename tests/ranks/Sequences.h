//===- Sequences.h - programs of dependent steps, as values ---------------===//
//
// A block-level program that can be compiled, through the language's builder,
// and be run step by step on the host. The two have nothing but this
// description in common.
//
// Each tensor is cut into regions along its first dimension: one for each block
// and, where the tensor is symmetric, for each block of each rank.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_RANKS_SEQUENCES_H
#define TILEWIRE_TESTS_RANKS_SEQUENCES_H

#include "Memory.h"

#include <cstdint>
#include <vector>

namespace tilewire::test {

/// One block of one rank, and the counters of the loops around, outermost
/// first.
struct Point {
  int64_t rank = 0;
  int64_t block = 0;
  std::vector<int64_t> counters = {};
};

/// A constant and multiples of what a block knows.
struct Affine {
  int64_t constant = 0;
  int64_t rank = 0;
  int64_t block = 0;
  std::vector<int64_t> counters = {}; ///< of the outermost loops

  int64_t at(const Point &point) const;
  bool operator==(const Affine &) const = default;
};

/// The region of block (block + blockShift) % numBlocks of rank
/// (rank + rankShift) % numRanks, and where in it a tile starts.
struct Place {
  size_t tensor = 0;
  int64_t rankShift = 0;
  int64_t blockShift = 0;
  std::vector<Affine> offsets;
};

/// A copy, or a put to rank peer % numRanks.
struct Move {
  Place from, to;
  std::vector<int64_t> sizes; ///< of the source's tile
  /// Dimension i of the destination is dimension permutation[i] of the source.
  std::vector<int64_t> permutation;
  bool isPut = false;
  Affine peer;
};

struct Step {
  enum Kind { Moves, Sync, Barrier, Loop } kind;
  Move move = {};
  // Of a loop: counts from `begin` by `stride` while below `end`.
  Affine begin = {}, end = {};
  int64_t stride = 1;
  std::vector<Step> body = {};
};

struct Sequence {
  struct Tensor {
    bool symmetric;
    std::vector<int64_t> region; ///< extents of one
  };

  int numRanks = 1;
  std::vector<int64_t> grid;
  int64_t threads = 32;
  DataType dtype = DataType::I32;
  bool completion = true;
  std::vector<Tensor> tensors;
  std::vector<Step> steps;

  int64_t numBlocks() const;
  /// Extents of the whole tensor.
  std::vector<int64_t> extents(const Tensor &tensor) const;
  /// Number of the region that `place` lies in.
  int64_t regionOf(const Place &place, const Point &point) const;
};

/// The sequence in the language.
Program buildSequence(const Sequence &sequence);

/// What one launch makes of every rank's tensors: every step at once on all
/// blocks of all ranks, one after another.
void runOnHost(const Sequence &sequence, Memory &memory);

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_RANKS_SEQUENCES_H
