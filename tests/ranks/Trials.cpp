//===- Trials.cpp - many random programs, several at once -----------------===//

#include "Trials.h"

#include "Ranks.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>

namespace tilewire::test {

namespace {

/// Longer lists say no more, and programs are long.
constexpr size_t maxShown = 3;

uint64_t numberFrom(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  return text && *text ? std::stoull(text) : otherwise;
}

/// The running test, as an argument that selects it: in double quotes, and a
/// comma would begin another test's name.
std::string argumentOfThisTest() {
  std::string argument = "\"";
  for (char c : Catch::getResultCapture().getCurrentTestName())
    argument += c == ',' ? "\\," : std::string(1, c);
  return argument + "\"";
}

std::string messageOf(const std::function<std::string(uint64_t)> &trial,
                      uint64_t number) {
  try {
    return trial(number);
  } catch (const std::exception &error) {
    return error.what();
  }
}

/// What the trials that fail say, by number.
std::map<uint64_t, std::string>
failuresOfTrials(uint64_t first, uint64_t count,
                 const std::function<std::string(uint64_t)> &trial) {
  std::atomic<uint64_t> next = first;
  std::mutex mutex;
  std::map<uint64_t, std::string> failures;
  const auto work = [&] {
    for (uint64_t number; (number = next++) < first + count;) {
      const std::string message = messageOf(trial, number);
      const std::lock_guard lock(mutex);
      if (!message.empty())
        failures[number] = message;
    }
  };
  // Worlds that share a GPU would wait for room on it.
  const unsigned workers =
      isEmulated() ? std::max(1u, std::thread::hardware_concurrency()) : 1;
  std::vector<std::jthread> threads;
  for (unsigned worker = 0; worker < workers; ++worker)
    threads.emplace_back(work);
  threads.clear(); // waits for them
  return failures;
}

} // namespace

void checkTrials(const TrialCount &count,
                 const std::function<std::string(uint64_t)> &trial) {
  // $TILEWIRE_TRIALS: how many random programs each test of such runs, in place
  // of some hundreds; 5000 take ten minutes on two cores. That of shapes goes
  // on from its sample to all cases, some 17000, and ends there.
  // $TILEWIRE_FIRST_TRIAL: number of the first of them, 0 unless it is set.
  const uint64_t trials = numberFrom(
      "TILEWIRE_TRIALS", isEmulated() ? count.onEmulator : count.onGpu);
  const auto failures =
      failuresOfTrials(numberFrom("TILEWIRE_FIRST_TRIAL", 0), trials, trial);
  size_t shown = 0;
  for (const auto &[number, message] : failures)
    if (shown++ < maxShown)
      FAIL_CHECK("to run this trial alone: TILEWIRE_TRIALS=1 "
                 "TILEWIRE_FIRST_TRIAL="
                 << number << " tilewire-ranks-tests " << argumentOfThisTest()
                 << "\n"
                 << message);
  INFO(failures.size() << " of " << trials << " trials fail");
  CHECK(failures.empty());
}

} // namespace tilewire::test
