//===- Launch.cpp - starting ranks ----------------------------------------===//

#include "runtime/world/Environment.h"
#include "runtime/world/Hub.h"
#include "runtime/world/LineMerger.h"
#include "runtime/world/RankProcess.h"
#include "runtime/world/Socket.h"

#include <tilewire/Partition.h>
#include <tilewire/World.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace tilewire {
namespace {

// How often the launcher looks after its ranks.
constexpr std::chrono::milliseconds lookPause{10};

volatile std::sig_atomic_t caughtSignal = 0;

/// Where the caller closed 0, 1 or 2, what we open would get that number, and
/// the ranks would print into our sockets.
void openStandardFiles() {
  int file = 0;
  while (file >= 0 && file <= STDERR_FILENO)
    file = ::open("/dev/null", O_RDWR);
  if (file >= 0)
    ::close(file);
}

/// While alive, the signals that ask a process to end are noted instead, unless
/// whoever started this one had it ignore them, as nohup does.
class SignalsNoted {
public:
  SignalsNoted() {
    caughtSignal = 0;
    struct sigaction action {};
    action.sa_handler = [](int number) { caughtSignal = number; };
    for (size_t i = 0; i < numbers.size(); ++i) {
      ::sigaction(numbers[i], nullptr, &before[i]);
      if (before[i].sa_handler != SIG_IGN)
        ::sigaction(numbers[i], &action, nullptr);
    }
  }
  ~SignalsNoted() {
    for (size_t i = 0; i < numbers.size(); ++i)
      ::sigaction(numbers[i], &before[i], nullptr);
  }

  /// The signal noted since the last call, or 0.
  int take() const {
    const int number = caughtSignal;
    caughtSignal = 0;
    return number;
  }

private:
  static constexpr std::array numbers{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  std::array<struct sigaction, numbers.size()> before{};
};

/// The ranks of one launch, until all have ended.
class Job {
public:
  Job(const LaunchOptions &options, const std::vector<std::string> &command)
      : options(options), hub(rendezvous, options.numRanks, HubHost::Launcher),
        ended(size_t(options.numRanks), false) {
    for (int rank = 0; rank < options.numRanks; ++rank)
      start(rank, command);
  }

  int waitForAll() {
    while (numEnded < options.numRanks) {
      output.passOn(lookPause);
      if (output.isEmpty())
        std::this_thread::sleep_for(lookPause);
      forwardSignals();
      noteEnds();
      const bool graceIsOver = killTime && Clock::now() > *killTime;
      if (graceIsOver || !awaitsCulprit())
        blame();
      if (graceIsOver)
        signalAll(SIGKILL);
    }
    output.finish();
    // A rank that failed has been reported, and matters more.
    if (!exitCode)
      output.checkWritten();
    return exitCode.value_or(0);
  }

private:
  void start(int rank, const std::vector<std::string> &command) {
    const std::string number = std::to_string(rank);
    FileDescriptor pipes[2];
    int targets[2] = {STDOUT_FILENO, STDERR_FILENO};
    if (options.prefixLines)
      for (int i = 0; i < 2; ++i) {
        pipes[i] = output.addSource("[" + number + "] ", targets[i]);
        targets[i] = pipes[i].get();
      }
    ranks.emplace_back(command,
                       std::vector<std::pair<std::string, std::string>>{
                           {rankVariable, number},
                           {sizeVariable, std::to_string(options.numRanks)},
                           {localRankVariable, number},
                           {rendezvousVariable, rendezvous}},
                       targets[0], targets[1]);
  }

  void forwardSignals() {
    const int number = signals.take();
    if (number == 0)
      return;
    // A second one means it.
    signalAll(killTime ? SIGKILL : number);
    blame();
    fail(128 + number);
  }

  void noteEnds() {
    int rank = 0;
    for (RankProcess &process : ranks) {
      if (!ended[size_t(rank)] && process.hasEnded()) {
        ended[size_t(rank)] = true;
        ++numEnded;
        hub.noteEnd(rank, process.howItEnded());
        if (process.exitCode() != 0)
          failed.push_back(rank);
      }
      ++rank;
    }
    if (!failed.empty())
      startGrace();
  }

  /// Whether the rank that broke the world, as the hub saw, is still ending.
  /// Those that it took along may be done before.
  bool awaitsCulprit() const {
    const std::optional<int> culprit = hub.culprit();
    for (int rank = 0; rank < options.numRanks; ++rank)
      if (culprit == rank)
        return !ended[size_t(rank)];
    return false;
  }

  /// Names the rank that failed first, if one has and nothing else has decided
  /// how the job ends.
  void blame() {
    if (failed.empty() || exitCode)
      return;
    int first = failed.front();
    for (int rank : failed)
      if (hub.culprit() == rank)
        first = rank;
    const RankProcess &process = *std::next(ranks.begin(), first);
    std::fprintf(stderr, "tilewire: rank %d failed (%s)\n", first,
                 process.howItEnded().c_str());
    fail(process.exitCode());
  }

  /// The first failure decides; the others get the grace to end by themselves.
  void fail(int code) {
    if (!exitCode)
      exitCode = code;
    startGrace();
  }

  void startGrace() {
    if (!killTime)
      killTime = Clock::now() + options.grace;
  }

  void signalAll(int number) {
    int rank = 0;
    for (const RankProcess &process : ranks)
      if (!ended[size_t(rank++)])
        process.signal(number);
  }

  const LaunchOptions &options;
  const SignalsNoted signals;
  const std::string rendezvous = uniqueSocketName();
  Hub hub;
  LineMerger output;
  std::list<RankProcess> ranks;
  std::vector<bool> ended;
  int numEnded = 0;
  std::vector<int> failed;     ///< in the order in which they were seen to end
  std::optional<int> exitCode; ///< of the failure that decided
  std::optional<Clock::time_point> killTime;
};

} // namespace

int launchRanks(const LaunchOptions &options,
                const std::vector<std::string> &command) {
  if (options.numRanks < 1 || options.numRanks > maxRanks)
    throw UserError("expected 1 to " + std::to_string(maxRanks) +
                    " ranks, got " + std::to_string(options.numRanks));
  if (options.grace.count() < 0 || options.grace > longestWait)
    throw UserError("expected a grace of 0 ms to 365 days, got " +
                    formatTime(options.grace));
  if (command.empty())
    throw UserError("expected a program to start, got none");
  openStandardFiles();
  return Job(options, command).waitForAll();
}

std::string currentExecutable() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

} // namespace tilewire
