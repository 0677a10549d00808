//===- Run.h - what the three programs do alike ---------------------------===//
//
// A program says what it is and how it is built; running it (ranks, memory,
// launches, check, times, report) is the same for all.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_EXAMPLES_RUN_H
#define TILEWIRE_EXAMPLES_RUN_H

#include "Options.h"

#include <functional>
#include <string>

namespace sequence_parallel {

/// One of the three programs.
struct AllToAllProgram {
  std::string name;  ///< of the kernel
  std::string label; ///< in front of "time: T us"
  std::string description;
  std::string inputOrder;  ///< dimensions of the input, slowest first
  std::string outputOrder; ///< dimensions of the output
  char scattered;          ///< dimension cut over the ranks: the output's share
  char gathered;           ///< dimension put together: the input's share
  /// Whether keys and values go the same way beside the queries.
  bool movesKeysAndValues = false;
  /// Whether the block-level form aims at Options::targetCtas blocks.
  bool choosesBlocks = false;
  /// Fills a builder whose tensors are the input and the output.
  std::function<void(tilewire::ProgramBuilder &,
                     const tilewire::TensorArgument &src,
                     const tilewire::TensorArgument &dst, const Options &)>
      fill;
};

/// A whole run from the command line to the exit code.
int runMain(int argc, char **argv, const AllToAllProgram &program);

} // namespace sequence_parallel

#endif // TILEWIRE_EXAMPLES_RUN_H
