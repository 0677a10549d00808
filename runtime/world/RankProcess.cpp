//===- RankProcess.cpp - one rank as a child process ----------------------===//

#include "runtime/world/RankProcess.h"

#include "runtime/SystemCall.h"
#include "runtime/WaitStatus.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace tilewire {
namespace {

FileDescriptor openNothing() {
  FileDescriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!nothing)
    throwSystemError("open /dev/null");
  return nothing;
}

} // namespace

RankProcess::RankProcess(
    const std::vector<std::string> &command,
    const std::vector<std::pair<std::string, std::string>> &variables,
    int output, int error)
    : group({command,
             variables,
             {{openNothing().get(), STDIN_FILENO},
              {output, STDOUT_FILENO},
              {error, STDERR_FILENO}}}) {
  if (group.startError() == 0)
    return;
  const std::string message = describeSystemError(
      "expected a program to start, got '" + command[0] + "'",
      group.startError());
  // Not the program's fault.
  if (group.startError() == EAGAIN || group.startError() == ENOMEM)
    throw MachineError(message);
  throw UserError(message);
}

bool RankProcess::hasEnded() {
  if (status)
    return true;
  status = group.await(std::chrono::milliseconds(0));
  if (status)
    group.signal(SIGKILL);
  return status.has_value();
}

int RankProcess::exitCode() const {
  return WIFSIGNALED(*status) ? 128 + WTERMSIG(*status) : WEXITSTATUS(*status);
}

std::string RankProcess::howItEnded() const {
  return describeWaitStatus(*status);
}

void RankProcess::signal(int signal) const { group.signal(signal); }

} // namespace tilewire
