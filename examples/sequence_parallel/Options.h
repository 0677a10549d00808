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
#include <vector>

namespace sequence_parallel {

/// Global sizes: each rank holds a share of H or of S.
struct Shape {
  int numRanks = 4;
  int64_t batchSize = 2;
  int64_t numHeads = 32;
  int64_t seqLen = 8192;
  int64_t headDim = 128;
  tilewire::DataType dtype = tilewire::DataType::F16;
  /// Heads of keys and values, each for a group of neighbouring query heads; 0
  /// where there are no groups.
  int64_t kvHeads = 0;
  /// Whether fewer of them than ranks go each to several ranks.
  bool replicateKv = false;

  /// Whether key and value heads go each to several ranks.
  bool hasReplicas() const {
    return kvHeads > 0 && kvHeads < numRanks && replicateKv;
  }
};

enum class Level { Block, Tensor };

struct Options {
  Shape shape; ///< with the longest of `seqLens`
  /// Lengths that are run, one after another.
  std::vector<int64_t> seqLens = {shape.seqLen};
  /// Whether B, H and S are parameters of one kernel, which runs all lengths.
  bool dynamic = false;
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
