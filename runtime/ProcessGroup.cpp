//===- ProcessGroup.cpp - a program that does not outlive this process ----===//

#include "runtime/ProcessGroup.h"

#include "runtime/SystemCall.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewire {

namespace {

using Clock = std::chrono::steady_clock;

// The lowest number that no program is given a file under.
constexpr int firstSpareNumber = 4;

/// A copy that no file takes the place of when the program gets its files.
FileDescriptor copyAside(int file) {
  return FileDescriptor(
      checked(::fcntl(file, F_DUPFD_CLOEXEC, firstSpareNumber), "fcntl"));
}

/// What wakes the guard: none of the signals that its group may be sent for
/// other reasons.
int wakeSignal() { return SIGRTMAX; }

struct Pipe {
  FileDescriptor read;
  FileDescriptor write;

  Pipe() {
    int ends[2];
    checked(::pipe2(ends, O_CLOEXEC), "pipe2");
    read = FileDescriptor(ends[0]);
    write = FileDescriptor(ends[1]);
  }
};

/// What guard and program need, made before the fork: after it, other threads'
/// locks stay locked, and only async-signal-safe calls are allowed.
struct Plan {
  std::vector<char *> arguments;
  std::vector<char *> environment;
  std::vector<std::pair<int, int>> files; ///< ours set aside, and theirs
  int failure; ///< closed by a successful exec, else told errno
  int status;  ///< told how the program ended
  pid_t parent;
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

/// A fork that runs nobody's fork handlers. The child's end is told to its
/// parent by `signal`; by none when 0, and then only who asks for it reaps it.
pid_t forkWith(int signal) {
  return pid_t(
      ::syscall(SYS_clone, signal, nullptr, nullptr, nullptr, nullptr));
}

template <typename Value> void tell(int pipe, const Value &value) {
  [[maybe_unused]] const ssize_t told = ::write(pipe, &value, sizeof(value));
}

/// Nothing when the pipe ended without a value.
template <typename Value> std::optional<Value> hear(int pipe) {
  Value value;
  ssize_t received;
  while ((received = ::read(pipe, &value, sizeof(value))) < 0 && errno == EINTR)
    ;
  if (received != sizeof(value))
    return std::nullopt;
  return value;
}

[[noreturn]] void becomeProgram(const Plan &plan, pid_t guard) {
  // Whoever kills the guard alone ends the program too; the look at the parent
  // closes the gap before this call.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != guard)
    ::_exit(127);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  bool isConnected = true;
  for (const auto &[ours, theirs] : plan.files)
    isConnected = isConnected && ::dup2(ours, theirs) >= 0;
  if (isConnected)
    ::execvpe(plan.arguments[0], plan.arguments.data(),
              plan.environment.data());
  tell(plan.failure, errno);
  ::_exit(127);
}

/// Waits for the wake signal, and meanwhile tells how `program` ended.
void guardProgram(pid_t program) {
  sigset_t awaited;
  ::sigemptyset(&awaited);
  ::sigaddset(&awaited, wakeSignal());
  ::sigaddset(&awaited, SIGCHLD);
  int signal = 0;
  while (::sigwait(&awaited, &signal) != 0 || signal != wakeSignal()) {
    int status = 0;
    if (::waitpid(program, &status, WNOHANG) == program)
      tell(STDIN_FILENO, status);
  }
}

/// The guard, between fork and its end.
[[noreturn]] void becomeGuard(const Plan &plan) {
  // It must survive what it sends to its own group.
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  // Where it is ignored, no child can be waited for.
  ::signal(SIGCHLD, SIG_DFL);
  ::setpgid(0, 0);
  const pid_t guard = ::getpid();
  const pid_t program = forkWith(SIGCHLD);
  if (program == 0)
    becomeProgram(plan, guard);
  if (program < 0)
    tell(plan.failure, errno);
  ::close(plan.failure);
  // Peers and the launcher learn of a rank's death from its descriptors. A
  // system without the call lets them learn of it with the guard's end.
  ::dup2(plan.status, STDIN_FILENO);
  ::syscall(SYS_close_range, STDIN_FILENO + 1u, ~0u, 0u);

  ::prctl(PR_SET_PDEATHSIG, wakeSignal());
  // The look at the parent closes the gap before that call.
  if (::getppid() == plan.parent)
    guardProgram(program);
  // First so that they can tidy up, then by force. The second signal also
  // meets a process that was just about to start.
  ::kill(0, SIGTERM);
  ::sleep(1);
  ::kill(0, SIGKILL);
  ::_exit(0);
}

} // namespace

ProcessGroup::ProcessGroup(const ProgramStart &start) {
  std::vector<std::string> arguments = start.command;
  std::vector<std::string> environment = mergeEnvironment(start.variables);
  Pipe failurePipe, endPipe;
  failurePipe.write = copyAside(failurePipe.write.get());
  std::vector<FileDescriptor> copies;
  std::vector<std::pair<int, int>> files;
  for (const auto &[ours, theirs] : start.files) {
    copies.push_back(copyAside(ours));
    files.emplace_back(copies.back().get(), theirs);
  }
  const Plan plan{pointersTo(arguments),   pointersTo(environment), files,
                  failurePipe.write.get(), endPipe.write.get(),     ::getpid()};
  guard = checked(forkWith(/*signal=*/0), "fork");
  if (guard == 0)
    becomeGuard(plan);
  failurePipe.write = FileDescriptor();
  statusPipe = std::move(endPipe.read);
  whyNotStarted = hear<int>(failurePipe.read.get()).value_or(0);
}

ProcessGroup::~ProcessGroup() {
  signal(SIGKILL);
  while (::waitpid(guard, nullptr, __WALL) < 0 && errno == EINTR)
    ;
}

std::optional<int> ProcessGroup::await(std::chrono::milliseconds time) {
  const Clock::time_point deadline = Clock::now() + time;
  while (!status) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd polled{statusPipe.get(), POLLIN, 0};
    const int slice = int(std::clamp<int64_t>(left.count(), 0, 1000));
    if (::poll(&polled, 1, slice) > 0)
      // Where the guard was killed before it could tell, so was the program.
      status = hear<int>(statusPipe.get()).value_or(SIGKILL);
    else if (left.count() <= 0)
      break;
  }
  return status;
}

void ProcessGroup::signal(int number) const {
  if (isOurs())
    ::kill(-guard, number);
}

void ProcessGroup::end() const {
  if (isOurs())
    ::kill(guard, wakeSignal());
}

/// Even dead, the guard keeps its number until it is reaped, which only we do,
/// or someone who waits for just any process of the system's.
bool ProcessGroup::isOurs() const {
  siginfo_t info;
  return ::waitid(P_PID, id_t(guard), &info,
                  WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

} // namespace tilewire
