//===- CollectiveChain.h - all-to-alls that depend on each other ----------===//
//
// A tensor-level program as a value: built through the language, and run on the
// host one collective after another.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_RANKS_COLLECTIVECHAIN_H
#define TILEWIRE_TESTS_RANKS_COLLECTIVECHAIN_H

#include "Memory.h"

namespace tilewire::test {

struct CollectiveChain {
  struct Tensor {
    std::string names; ///< of the dimensions, a letter each
    std::vector<int64_t> extents;
    bool symmetric = true;
    bool operator==(const Tensor &) const = default;
  };
  struct Collective {
    size_t source, destination;
    // Dimensions of the source.
    size_t scatter, gather;
    std::vector<int64_t> permutation;
  };

  int numRanks = 1;
  DataType dtype = DataType::I32;
  bool completion = true;
  std::vector<Tensor> tensors;
  std::vector<Collective> collectives;

  /// What an all-to-all makes of a tensor; its `destination` is not read.
  Tensor destinationOf(const Collective &collective) const;
  /// Adds an all-to-all to a new tensor, whose number it returns, or to
  /// `destination`.
  size_t add(Collective collective);
  void add(Collective collective, size_t destination);
  /// Barriers that its text must hold: one before each collective that touches
  /// what one since the last barrier writes, or writes what one reads.
  size_t numBarriers() const;
};

/// The same for the same number, in every run and on every machine.
CollectiveChain randomChain(uint64_t number);

Program buildChain(const CollectiveChain &chain);

/// What one launch makes of every rank's tensors.
void runOnHost(const CollectiveChain &chain, Memory &memory);

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_RANKS_COLLECTIVECHAIN_H
