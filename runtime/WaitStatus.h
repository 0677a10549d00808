//===- WaitStatus.h - how a process ended, in words -----------------------===//
//
// Words the status that waitpid gives. Used by what starts processes: the
// launcher and the emulator's compiler.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_WAITSTATUS_H
#define TILEWIRE_RUNTIME_WAITSTATUS_H

#include <cstring>
#include <string>
#include <sys/wait.h>

namespace tilewire {

/// "exit code 3", "signal 9 (Killed)".
inline std::string describeWaitStatus(int status) {
  if (!WIFSIGNALED(status))
    return "exit code " + std::to_string(WEXITSTATUS(status));
  const int number = WTERMSIG(status);
  return "signal " + std::to_string(number) + " (" + ::strsignal(number) + ")";
}

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_WAITSTATUS_H
