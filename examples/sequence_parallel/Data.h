//===- Data.h - inputs as a closed form, outputs compared with it ---------===//
//
// Each element is a function of (rank, index, launch). Where an output element
// must have come from follows from the names of the dimensions and how they are
// cut over the ranks, written here without the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_EXAMPLES_DATA_H
#define TILEWIRE_EXAMPLES_DATA_H

#include <tilewire/Partition.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sequence_parallel {

/// Extents of one rank's tensor, in the order of its memory: 'B', 'H', 'S', 'D'
/// each once, or in place of 'H' the key and value heads 'K', and behind them
/// the query heads of each, 'G'.
struct Layout {
  std::string order;
  std::vector<int64_t> extents;

  int64_t numElements() const;
  int64_t extent(char name) const;
  /// Elements between neighbours along a dimension.
  int64_t stride(char name) const;
};

/// What an all-to-all moves: `gathered` is cut over the ranks in the input and
/// whole in the output, `scattered` the other way round.
struct Exchange {
  int numRanks;
  std::string inputOrder, outputOrder; ///< dimensions, slowest first
  char scattered, gathered;
  std::vector<int64_t> extents; ///< of all ranks together, in `inputOrder`
  int replicas = 1; ///< neighbouring ranks that get the same scattered part

  /// How the dimension `name` is cut: for the ranks, or, where it is scattered,
  /// into the parts that they get.
  tilewire::Partition cut(char name) const;
  /// The part of what is scattered that `rank` gets.
  int partOf(int rank) const { return rank / replicas; }
  Layout input(int rank) const;
  Layout output(int rank) const;
  /// What goes from one rank to another, in the output's order.
  Layout piece(int from, int to) const;
};

/// What a rank's input holds: `width`-byte elements, bit patterns of all kinds.
std::vector<std::byte> makeInput(int rank, int64_t numElements, int width,
                                 unsigned launch);

/// An element that is not what it should be.
struct Mismatch {
  int64_t index; ///< in the output of this rank
  uint64_t expected;
  uint64_t seen;
};

struct Comparison {
  int64_t wrong = 0;
  std::vector<Mismatch> first; ///< at most ten
  size_t pair = 0;             ///< of tensors, in which they are
};

/// Compares `rank`'s whole output with what the ranks' inputs held.
Comparison compareOutput(const std::vector<std::byte> &output, int rank,
                         const Exchange &exchange, int width, unsigned launch);

} // namespace sequence_parallel

#endif // TILEWIRE_EXAMPLES_DATA_H
