//===- Options.h - the command line of the three programs -----------------===//
//
// What a run is asked for. Used by Run and by the programs, which read their
// shape and level; knows no ranks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_EXAMPLES_OPTIONS_H
#define TILEWIRE_EXAMPLES_OPTIONS_H

#include <tilewire/tilewire.h>

#include <optional>
#include <string>

namespace sequence_parallel {

/// Global sizes: each rank holds a share of H or of S.
struct Shape {
  int numRanks = 4;
  int64_t batchSize = 2;
  int64_t numHeads = 32;
  int64_t seqLen = 8192;
  int64_t headDim = 128;
  tilewire::DataType dtype = tilewire::DataType::F16;
};

enum class Level { Block, Tensor };

struct Options {
  Shape shape;
  Level level = Level::Tensor;
  int64_t targetCtas = 65536; ///< for a program that chooses its blocks
  int warmup = 20;
  int repetitions = 50; ///< samples, each of `launchesPerSample`
  bool printSource = false;
  bool loopback = false;
  bool completion = true;
  bool compareCopy = false;
  bool compareNccl = false;
  int launchesPerSample = 1;
  std::optional<std::string> json; ///< file that gets the figures
  tilewire::PeerMemory peerMemory = tilewire::PeerMemory::Auto;
  tilewire::WorldOptions world;
};

/// Reads the command line, which may have --target-ctas where the program
/// `choosesBlocks`. Nothing when it was answered (--help); throws UserError
/// naming the option, what was expected and what was got.
std::optional<Options> parseOptions(int argc, char **argv,
                                    const std::string &description,
                                    bool choosesBlocks);

} // namespace sequence_parallel

#endif // TILEWIRE_EXAMPLES_OPTIONS_H
