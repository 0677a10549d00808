//===- Memory.h - all tensors of all ranks, before and after launches -----===//
//
// For programs that read what they wrote: every tensor starts with values of
// its own, and all are compared whole.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_RANKS_MEMORY_H
#define TILEWIRE_TESTS_RANKS_MEMORY_H

#include "Ranks.h"

namespace tilewire::test {

/// Bytes of each tensor of each rank: [rank][parameter].
using Memory = std::vector<std::vector<Bytes>>;

/// Values unlike on every rank, tensor and element, of launches with `values`.
Memory distinctMemory(const KernelSource &source,
                      const LaunchValues &values = {});

struct Launches {
  int count = 1;
  /// Ranks meet on the host after each launch: for programs without
  /// completion.
  bool meet = false;
  uint64_t emulatorSeed = 0;
  bool findRaces = false; ///< on the emulator
  LaunchValues values = {};
};

/// What launches, one after another, leave of `memory`, which is compared with
/// `expected`: nothing where all is equal, else the first difference.
/// Throws what a rank throws.
std::string differenceAfter(const KernelSource &source, const Memory &memory,
                            const Memory &expected, const Launches &launches);

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_RANKS_MEMORY_H
