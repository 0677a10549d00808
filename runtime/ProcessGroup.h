//===- ProcessGroup.h - processes that do not outlive this one ------------===//
//
// A process group for a program that starts others, as a compiler or a rank
// may. Its first member is a guard: a small process that ends all the others
// when this one dies, however it dies; the system's own signal for a parent's
// death reaches children and not theirs. Used by runChild and RankProcess.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_PROCESSGROUP_H
#define TILEWIRE_RUNTIME_PROCESSGROUP_H

#include <sys/types.h>

namespace tilewire {

/// Lives and dies in one thread: the guard takes that thread's end for the
/// process's.
class ProcessGroup {
public:
  /// Starts the guard. MachineError when the system refuses.
  ProcessGroup();

  /// Kills all that is in the group.
  ~ProcessGroup();

  ProcessGroup(const ProcessGroup &) = delete;
  ProcessGroup &operator=(const ProcessGroup &) = delete;

  /// What a process that is to join gives to setpgid.
  pid_t id() const { return guard; }

  /// Sends a signal to all that is in the group. Even after SIGKILL the group
  /// can't become a stranger's: the guard keeps its number until it is reaped.
  void signal(int number) const;

  /// Begins what this process's death would begin: asks every member to end,
  /// and kills them a second later.
  void end() const;

private:
  pid_t guard;
};

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_PROCESSGROUP_H
