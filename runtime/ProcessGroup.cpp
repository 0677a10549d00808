//===- ProcessGroup.cpp - processes that do not outlive this one ----------===//

#include "runtime/ProcessGroup.h"

#include "runtime/SystemCall.h"

#include <csignal>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewire {

namespace {

/// What wakes the guard: none of the signals that its group may be sent for
/// other reasons.
int wakeSignal() { return SIGRTMAX; }

/// The guard, between fork and its end: async-signal-safe calls alone.
[[noreturn]] void guardGroup(pid_t parent) {
  // It must survive what it sends to its own group.
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::setpgid(0, 0);
  // Peers and the launcher learn of this rank's death from its descriptors. A
  // system without the call lets them learn of it with the guard's end.
  ::syscall(SYS_close_range, 0u, ~0u, 0u);

  ::prctl(PR_SET_PDEATHSIG, wakeSignal());
  // The look at the parent closes the gap before that call.
  if (::getppid() == parent) {
    sigset_t wake;
    ::sigemptyset(&wake);
    ::sigaddset(&wake, wakeSignal());
    int signal = 0;
    ::sigwait(&wake, &signal);
  }
  // First so that they can tidy up, then by force. The second signal also
  // meets a process that was just about to join.
  ::kill(0, SIGTERM);
  ::sleep(1);
  ::kill(0, SIGKILL);
  ::_exit(0);
}

} // namespace

ProcessGroup::ProcessGroup() {
  const pid_t parent = ::getpid();
  guard = checked(::fork(), "fork");
  if (guard == 0)
    guardGroup(parent);
  ::setpgid(guard, guard); // whichever of the two comes first
}

ProcessGroup::~ProcessGroup() {
  // The guard is not reaped before: the group can't have become a stranger's.
  ::kill(-guard, SIGKILL);
  while (::waitpid(guard, nullptr, 0) < 0 && errno == EINTR)
    ;
}

void ProcessGroup::signal(int number) const { ::kill(-guard, number); }

void ProcessGroup::end() const { ::kill(guard, wakeSignal()); }

} // namespace tilewire
