//===- Links.h - what the links between GPUs give -------------------------===//
//
// Times the moves of LinkKernels.h over several numbers of blocks, each checked
// bit for bit. Called by tilewire-links on every rank.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TOOLS_LINKS_LINKS_H
#define TILEWIRE_TOOLS_LINKS_LINKS_H

#include <tilewire/Benchmark.h>

#include <string>
#include <vector>

namespace tilewire::links {

struct LinkOptions {
  int numRanks = 4;
  int64_t bytesPerPeer = 8388608;
  std::vector<int64_t> blocks = {16, 33, 66, 132, 264};
  BenchmarkOptions benchmark{
      .warmup = 20, .repetitions = 20, .launchesPerSample = 20};
};

struct LinkTime {
  std::string kind; ///< "16-byte stores" or "bulk copies"
  int64_t blocks;   ///< of each launch
  Timing timing;

  /// Bytes that leave a rank in a second, over 1e9.
  double gigabytesPerSecond(const LinkOptions &options) const;
};

/// Collective. MachineError when something arrives wrong. Bulk copies are left
/// out on the emulator.
std::vector<LinkTime> timeLinks(World &world, const LinkOptions &options);

} // namespace tilewire::links

#endif // TILEWIRE_TOOLS_LINKS_LINKS_H
