//===- ProcessGroup.h - a program that does not outlive this process ------===//
//
// Starts a program in a process group for it and what it starts in turn, as a
// compiler or a rank may. The first member is a guard: a small process that is
// the program's parent, tells how it ended, and ends all the others when this
// process dies, however it dies; the system's own signal for a parent's death
// reaches children and not theirs.
//
// The guard is a child of this process that sends no SIGCHLD, so it is nobody's
// business but ours: whatever this process does with that signal, and whoever
// waits for any child, the guard keeps its number until it is reaped here, and
// the program is reaped by the guard. Used by runChild and RankProcess.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_PROCESSGROUP_H
#define TILEWIRE_RUNTIME_PROCESSGROUP_H

#include "runtime/FileDescriptor.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace tilewire {

/// How a program is started: no signal blocked, and those that ask it to end,
/// or tell it of its children's end, not ignored.
struct ProgramStart {
  std::vector<std::string> command; ///< found along PATH
  /// Added to this process's environment.
  std::vector<std::pair<std::string, std::string>> variables;
  /// Descriptors of ours (borrowed), each with the program's number for it.
  std::vector<std::pair<int, int>> files;
};

/// Lives and dies in one thread: the guard takes that thread's end for the
/// process's.
class ProcessGroup {
public:
  /// Starts the guard, and through it the program. MachineError when the system
  /// refuses the guard.
  explicit ProcessGroup(const ProgramStart &start);

  /// Kills all that is in the group.
  ~ProcessGroup();

  ProcessGroup(const ProcessGroup &) = delete;
  ProcessGroup &operator=(const ProcessGroup &) = delete;

  /// Why the program could not be started, as in errno; 0 when it was.
  int startError() const { return whyNotStarted; }

  /// The program's status, as waitpid gives it, once it has ended; nothing when
  /// it has not within `time`.
  std::optional<int> await(std::chrono::milliseconds time);

  /// Sends a signal to all that is in the group; to nobody when the group's
  /// number may be a stranger's.
  void signal(int number) const;

  /// Begins what this process's death would begin: asks every member to end,
  /// and kills them a second later.
  void end() const;

private:
  bool isOurs() const;

  pid_t guard;
  int whyNotStarted = 0;
  FileDescriptor statusPipe; ///< from the guard; ends with it
  std::optional<int> status;
};

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_PROCESSGROUP_H
