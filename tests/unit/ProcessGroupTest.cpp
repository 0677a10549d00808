//===- ProcessGroupTest.cpp - programs, whatever becomes of SIGCHLD -------===//

#include "CapturedStream.h"
#include "ProcessEnd.h"

#include "runtime/ProcessGroup.h"
#include "runtime/emulator/ChildProcess.h"
#include "runtime/emulator/HostMemory.h"

#include <tilewire/Launch.h>

#include <catch2/catch.hpp>

#include <functional>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilewire;
using namespace tilewire::test;
using namespace std::chrono_literals;

namespace {

/// What `body` returns in a process of its own, which has 20 seconds; -1 when
/// it was killed.
int runAlone(const std::function<int()> &body) {
  const pid_t process = ::fork();
  if (process == 0) {
    ::alarm(20);
    int result = 99;
    try {
      result = body();
    } catch (const std::exception &error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    ::_exit(result);
  }
  int status = 0;
  ::waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void setChildSignal(void (*handler)(int), int flags = 0) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigaction(SIGCHLD, &action, nullptr);
}

/// What a process that starts programs may do about the children it has.
struct Treatment {
  std::string name;
  std::function<void()> begin;
};

const std::vector<Treatment> treatments = {
    {"the default", [] {}},
    {"ignored", [] { setChildSignal(SIG_IGN); }},
    {"never waited for", [] { setChildSignal(SIG_DFL, SA_NOCLDWAIT); }},
    {"reaped by a handler",
     [] {
       setChildSignal([](int) {
         while (::waitpid(-1, nullptr, WNOHANG) > 0)
           ;
       });
     }},
    {"reaped by a thread",
     [] {
       std::thread([] {
         while (true)
           if (::waitpid(-1, nullptr, 0) < 0)
             std::this_thread::sleep_for(100us);
       }).detach();
     }},
};

} // namespace

TEST_CASE("ranks are waited for, whatever becomes of a process's children",
          "[launch]") {
  const Treatment treatment = GENERATE(from_range(treatments));
  INFO(treatment.name);
  CHECK(runAlone([&] {
          treatment.begin();
          return launchRanks({2}, {"/bin/sh", "-c", "true"});
        }) == 0);
  const CapturedStream error(STDERR_FILENO);
  CHECK(runAlone([&] {
          treatment.begin();
          return launchRanks({2}, {"/bin/sh", "-c", "exit 3"});
        }) == 3);
}

TEST_CASE("a program is waited for, whatever becomes of a process's children",
          "[emulator]") {
  const Treatment treatment = GENERATE(from_range(treatments));
  INFO(treatment.name);
  CHECK(runAlone([&] {
          treatment.begin();
          const FileDescriptor unused = emulator::makeMemoryFile("unused");
          const int status = emulator::runChild({"sh", "-c", "sh -c 'exit 5'"},
                                                "", unused.get(), 10s)
                                 .status;
          return WEXITSTATUS(status);
        }) == 5);
}

TEST_CASE("a program can wait for its children though its starter ignores its "
          "own",
          "[launch]") {
  CHECK(runAlone([] {
          setChildSignal(SIG_IGN);
          return launchRanks({1},
                             {"/bin/sh", "-c",
                              "test $((0x$(sed -n 's/^SigIgn:[^0-9a-f]*//p' "
                              "/proc/self/status) & 0x10000)) = 0"});
        }) == 0);
}

TEST_CASE("a group that may be a stranger's is sent nothing", "[launch]") {
  const FileDescriptor shared = emulator::makeMemoryFile("numbers");
  ProcessGroup group(
      {{"sh", "-c", "sleep 300 & echo $! >&3; wait"}, {}, {{shared.get(), 3}}});
  REQUIRE(group.startError() == 0);
  std::string text;
  while ((text = emulator::readMemoryFile(shared.get())).empty())
    std::this_thread::sleep_for(1ms);
  const pid_t member = pid_t(std::stol(text));
  const pid_t guard = ::getpgid(member);
  // As one who waits for any process at all would reap it.
  ::kill(guard, SIGKILL);
  REQUIRE(::waitpid(guard, nullptr, __WALL) == guard);
  group.signal(SIGKILL);
  group.end();
  std::this_thread::sleep_for(100ms);
  CHECK(isRunning(member));
  CHECK(group.await(10s) == SIGKILL);
  ::kill(member, SIGKILL);
}
