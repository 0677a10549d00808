//===- Launch.h - starting ranks ------------------------------------------===//
//
// Starts N processes of one program as the ranks of a job, prefixes their
// output, and ends all when one fails. Used by tilewire-run and by programs
// that start their own ranks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_LAUNCH_H
#define TILEWIRE_LAUNCH_H

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tilewire {

struct LaunchOptions {
  int numRanks = 1;
  /// "[rank] " before each line of output; one of more than 65,536 bytes comes
  /// as several lines.
  bool prefixLines = false;
  /// After one rank fails, how long the others get before they are killed.
  std::chrono::milliseconds grace{5000};
};

/// Starts the ranks, waits for all, and returns 0 or the first failing rank's
/// exit code (128 + signal when it was killed), having printed to stderr which
/// rank failed and how. Leaves nothing behind, however it ends. MachineError
/// when no rank failed but output that it prefixed could not be written.
int launchRanks(const LaunchOptions &options,
                const std::vector<std::string> &command);

/// Rank and size that the environment gives this process, and by which
/// launcher ("tilewire", "torchrun", "open mpi", "mpich", "slurm").
struct RankIdentity {
  int rank;
  int size;
  int localRank;
  std::string launcher;
  std::string rendezvous; ///< abstract Unix socket name shared by the job
};

/// Reads the environment; nothing when no launcher is recognised; UserError
/// when its variables contradict each other or are no numbers, of which ranks
/// that wait for this one are told.
std::optional<RankIdentity> rankFromEnvironment();

/// Path of the running executable, for a program that starts itself again.
std::string currentExecutable();

} // namespace tilewire

#endif // TILEWIRE_LAUNCH_H
