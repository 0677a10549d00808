//===- ProcessEnd.h - whether a process ends ------------------------------===//
//
// For tests of what must not be left behind.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_UNIT_PROCESSEND_H
#define TILEWIRE_TESTS_UNIT_PROCESSEND_H

#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>

namespace tilewire::test {

/// Whether `pid` is a process that runs; a killed orphan may wait for its
/// reaper as a zombie, and doesn't.
inline bool isRunning(pid_t pid) {
  if (::kill(pid, 0) != 0)
    return false;
  std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(status, text);
  return text.find(") Z") == std::string::npos;
}

/// Whether `pid` no longer runs, now or after a bounded wait.
inline bool hasEnded(pid_t pid) {
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (isRunning(pid)) {
    if (std::chrono::steady_clock::now() > deadline)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_UNIT_PROCESSEND_H
