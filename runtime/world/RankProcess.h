//===- RankProcess.h - one rank as a child process ------------------------===//
//
// Starts a program as a rank, in its own process group so that its children
// end with it, and neither outlives this process. Used by launchRanks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_WORLD_RANKPROCESS_H
#define TILEWIRE_RUNTIME_WORLD_RANKPROCESS_H

#include "runtime/ProcessGroup.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilewire {

class RankProcess {
public:
  /// Starts `command`, found along PATH, with `variables` added to the
  /// environment, no standard input, and its output going to `output` and
  /// `error` (borrowed). UserError when it can't be started.
  RankProcess(const std::vector<std::string> &command,
              const std::vector<std::pair<std::string, std::string>> &variables,
              int output, int error);

  /// Looks, without waiting, whether it has ended; kills what it left running.
  bool hasEnded();

  /// Its exit code, or 128 + signal; once it has ended.
  int exitCode() const;

  /// "exit code 3", "signal 9 (Killed)"; once it has ended.
  std::string howItEnded() const;

  /// Sends `signal` to its process group.
  void signal(int signal) const;

private:
  ProcessGroup group; ///< killed where this goes
  std::optional<int> status;
};

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_WORLD_RANKPROCESS_H
