//===- RankProcess.cpp - one rank as a child process ----------------------===//

#include "runtime/world/RankProcess.h"

#include "runtime/FileDescriptor.h"
#include "runtime/SystemCall.h"
#include "runtime/WaitStatus.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewire {
namespace {

/// What the child needs, made before the fork: between fork and exec only
/// async-signal-safe calls are allowed.
struct ChildPlan {
  std::vector<char *> arguments;
  std::vector<char *> environment;
  int input;
  int output;
  int error;
  int failure; ///< closed by a successful exec, else told errno
  pid_t parent;
  pid_t group;
};

std::vector<std::string> mergeEnvironment(
    const std::vector<std::pair<std::string, std::string>> &added) {
  std::vector<std::string> merged;
  for (char **entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    bool isReplaced = false;
    for (const auto &[name, value] : added)
      isReplaced = isReplaced || text.substr(0, text.find('=')) == name;
    if (!isReplaced)
      merged.emplace_back(text);
  }
  for (const auto &[name, value] : added)
    merged.push_back(name + "=" + value);
  return merged;
}

std::vector<char *> pointersTo(std::vector<std::string> &texts) {
  std::vector<char *> pointers;
  for (std::string &text : texts)
    pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void becomeRank(const ChildPlan &plan) {
  // The kernel kills the rank when the launcher's thread is gone, however it
  // went; the look at the parent closes the gap before this call.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != plan.parent)
    ::_exit(127);
  ::setpgid(0, plan.group);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  if (::dup2(plan.input, STDIN_FILENO) >= 0 &&
      ::dup2(plan.output, STDOUT_FILENO) >= 0 &&
      ::dup2(plan.error, STDERR_FILENO) >= 0)
    ::execvpe(plan.arguments[0], plan.arguments.data(),
              plan.environment.data());
  const int code = errno;
  [[maybe_unused]] const ssize_t told =
      ::write(plan.failure, &code, sizeof(code));
  ::_exit(127);
}

} // namespace

RankProcess::RankProcess(
    const std::vector<std::string> &command,
    const std::vector<std::pair<std::string, std::string>> &variables,
    int output, int error) {
  std::vector<std::string> arguments = command;
  std::vector<std::string> environment = mergeEnvironment(variables);
  const FileDescriptor input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!input)
    throwSystemError("open /dev/null");
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throwSystemError("pipe2");
  const FileDescriptor failureRead(ends[0]);
  FileDescriptor failureWrite(ends[1]);
  const ChildPlan plan{pointersTo(arguments),
                       pointersTo(environment),
                       input.get(),
                       output,
                       error,
                       failureWrite.get(),
                       ::getpid(),
                       group.id()};
  pid = ::fork();
  if (pid < 0)
    throwSystemError("fork");
  if (pid == 0)
    becomeRank(plan);
  ::setpgid(pid, group.id()); // whichever of the two comes first
  failureWrite = FileDescriptor();
  int code = 0;
  if (::read(failureRead.get(), &code, sizeof(code)) == sizeof(code)) {
    ::waitpid(pid, nullptr, 0);
    throw UserError("expected a program to start, got '" + command[0] +
                    "': " + std::strerror(code));
  }
}

RankProcess::~RankProcess() {
  if (status)
    return;
  group.signal(SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

bool RankProcess::hasEnded() {
  if (status)
    return true;
  int value = 0;
  if (::waitpid(pid, &value, WNOHANG) != pid)
    return false;
  group.signal(SIGKILL);
  status = value;
  return true;
}

int RankProcess::exitCode() const {
  return WIFSIGNALED(*status) ? 128 + WTERMSIG(*status) : WEXITSTATUS(*status);
}

std::string RankProcess::howItEnded() const {
  return describeWaitStatus(*status);
}

void RankProcess::signal(int signal) const { group.signal(signal); }

} // namespace tilewire
