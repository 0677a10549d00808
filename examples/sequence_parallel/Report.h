//===- Report.h - what a run tells ----------------------------------------===//
//
// The lines that a rank prints and the file that --json asks for. Used by Run;
// measures nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_EXAMPLES_REPORT_H
#define TILEWIRE_EXAMPLES_REPORT_H

#include "Data.h"
#include "Run.h"

namespace sequence_parallel {

/// " S = 4096" where a run has several lengths.
std::string lengthOf(const Options &options, int64_t seqLen);

/// Prints "rank R check passed", or what is wrong and the first wrong elements;
/// `length` as of lengthOf.
void reportCheck(int rank, const std::string &length, const Layout &output,
                 int width, const Comparison &comparison);

/// Says on standard error that times mean nothing, where ranks share a GPU or
/// are on the emulator; standard output stays as asked.
void noteTimes(const tilewire::World &world);

/// Prints "<label> time: T us".
void reportTime(const AllToAllProgram &program, const std::string &length,
                const tilewire::Timing &timing);

/// Another way to move as many bytes, timed in turn with the program.
struct TimeComparison {
  double medianUs = 0; ///< of the other way; 0 when it was not timed
  double ratio = 0; ///< the program's time over it: median over pairs of runs
  double lowestRatio = 0;
  double highestRatio = 0;
};

/// Prints "copy of as many bytes: T us; ratio R (lowest to highest)".
void reportCopy(const TimeComparison &copy);

struct NcclComparison {
  TimeComparison whole;  ///< pack, all-to-all and unpack
  double exchangeUs = 0; ///< the all-to-all alone
};

/// Prints "NCCL V, packed and unpacked: T us (T us the exchange alone); ratio R
/// (lowest to highest)".
void reportNccl(const NcclComparison &nccl);

/// What came out of one length.
struct Figures {
  int64_t seqLen;
  bool passed;
  int64_t bytesToPeers;
  tilewire::Timing timing;
  TimeComparison copy;
  NcclComparison nccl;
};

/// Writes what was run and its figures, one for each length, to the file that
/// --json names.
void writeJson(const AllToAllProgram &program, const Options &options,
               const tilewire::World &world,
               const std::vector<Figures> &figures);

} // namespace sequence_parallel

#endif // TILEWIRE_EXAMPLES_REPORT_H
