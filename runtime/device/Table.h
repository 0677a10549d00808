//===- Table.h - what every kernel is told about the ranks ----------------===//
//
// The by-value first parameter of each generated kernel, the page of flags at
// the start of each rank's symmetric heap, and the report of a wait that did
// not end. Read by NVRTC, by the emulator's host compiler and by the runtime,
// so it includes nothing and uses only fundamental types.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DEVICE_TABLE_H
#define TILEWIRE_DEVICE_TABLE_H

namespace tw {

constexpr int maxRanks = 72;

/// How far a rank is in one kernel: counted by the emulator, whose peers look
/// at it while they hold a thread. GPUs leave it at zero.
struct Progress {
  unsigned begun;    ///< launches
  unsigned ended;    ///< launches
  unsigned releases; ///< that its threads made
  unsigned stalls;   ///< rounds in which all its threads did was to poll
};

/// Flags of one kernel, in the symmetric heap of each rank. Epochs count
/// launches, are never reset, and compare wrap-safely. Zero when allocated.
struct Flags {
  // Written by peers, slot r by rank r.
  unsigned digests[maxRanks]; ///< World::digest of the launch that r enters
  unsigned entered[maxRanks]; ///< epoch of the launch that rank r has entered
  unsigned left[maxRanks];    ///< epoch of the launch whose data are all sent
  unsigned met[maxRanks];     ///< round of barrier_all that rank r has reached
  // Written by this rank's own blocks.
  unsigned epoch;    ///< launches completed
  unsigned arrived;  ///< blocks that arrived at the exit
  unsigned gathered; ///< blocks that arrived at the current barrier_all
  unsigned round;    ///< rounds of barrier_all completed
  unsigned failed;   ///< 1 once a block has begun to write the report
  Progress progress;
};

/// Host-visible: set by the kernel when a wait does not end, read by the host;
/// `abort` is set by the host, or by the kernel, to end every wait.
struct Report {
  unsigned abort;    ///< nonzero: every wait gives up
  unsigned complete; ///< 1 once the fields below are valid
  unsigned problem;  ///< one of those below
  int wait;          ///< number of the wait, index in KernelSource::waits
  int peer;          ///< the rank waited for
  unsigned expected; ///< epoch, round or digest
  unsigned seen;
};

/// What a report is about.
constexpr unsigned waitOutlasted = 0;
constexpr unsigned launchesDiffer = 1; ///< expected and seen are digests
/// `wait` is the number of a check, `seen` and `expected` the lower and upper
/// half of the value that it shows.
constexpr unsigned checkFailed = 2;

/// First parameter of every kernel, by value.
struct World {
  unsigned rank; ///< unsigned, as all that kernels count
  unsigned numRanks;
  /// Of this launch: where its symmetric tensors lie, and the values of its
  /// parameters.
  unsigned digest;
  unsigned long long timeoutNs; ///< longest that one wait may take
  Report *report;
  Flags *flags;          ///< this rank's, in its symmetric heap
  char *bases[maxRanks]; ///< each rank's symmetric heap as mapped here
};

} // namespace tw

#endif // TILEWIRE_DEVICE_TABLE_H
