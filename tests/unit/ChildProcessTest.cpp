//===- ChildProcessTest.cpp - programs run to their end -------------------===//

#include "EmulatedRanks.h"
#include "ProcessEnd.h"

#include "runtime/emulator/ChildProcess.h"
#include "runtime/emulator/HostMemory.h"

#include <tilewire/Error.h>

#include <catch2/catch.hpp>

#include <sstream>
#include <sys/wait.h>

using namespace tilewire;
using namespace tilewire::emulator;
using namespace tilewire::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

ChildResult runShell(const std::string &script, const std::string &input = "",
                     std::chrono::milliseconds limit = 20s) {
  const FileDescriptor unused = makeMemoryFile("unused");
  return runChild({"sh", "-c", script}, input, unused.get(), limit);
}

/// The numbers that a program wrote to `file`, once there are `count`; none
/// when they do not come.
std::vector<pid_t> awaitNumbers(int file, std::size_t count) {
  for (int i = 0; i < 1000; ++i) {
    std::istringstream text(readMemoryFile(file));
    std::vector<pid_t> numbers;
    for (pid_t number; text >> number;)
      numbers.push_back(number);
    if (numbers.size() == count)
      return numbers;
    std::this_thread::sleep_for(10ms);
  }
  return {};
}

/// Runs `script`, which writes its own number and two of its children's to
/// descriptor 3, in a process that is then killed. Checks that all it started
/// ends.
void checkEndsWithItsParent(const std::string &script) {
  const FileDescriptor shared = makeMemoryFile("numbers");
  const pid_t parent = ::fork();
  if (parent == 0) {
    try {
      runChild({"sh", "-c", script}, "", shared.get(), 60s);
    } catch (...) {
    }
    ::_exit(1);
  }
  std::vector<pid_t> members = awaitNumbers(shared.get(), 3);
  REQUIRE(members.size() == 3);
  const pid_t group = ::getpgid(members[0]);
  CHECK(group != ::getpgrp());
  for (const pid_t member : members) {
    CHECK(isRunning(member));
    CHECK(::getpgid(member) == group);
  }
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  members.push_back(group); // the guard
  for (const pid_t member : members)
    CHECK(hasEnded(member));
}

} // namespace

TEST_CASE("a program gets its input and gives its output and status",
          "[emulator]") {
  const ChildResult result =
      runShell("cat; echo out; echo error >&2; exit 3", "some input\n");
  CHECK(WEXITSTATUS(result.status) == 3);
  CHECK(result.output == "some input\nout\nerror\n");
  CHECK(runShell("exit 0").status == 0);
  CHECK(WTERMSIG(runShell("kill -9 $$").status) == SIGKILL);
}

TEST_CASE("a program that can't be started is named with the reason",
          "[emulator]") {
  const FileDescriptor unused = makeMemoryFile("unused");
  const auto start = [&](const std::string &program) {
    return messageOf<MachineError>(
        [&] { runChild({program}, "", unused.get(), 1s); });
  };
  CHECK_THAT(start("/nowhere/program"),
             Contains("starting /nowhere/program: No such file"));
  CHECK_THAT(start("/"), Contains("starting /: Permission denied"));
}

TEST_CASE("a program that does not end is stopped with all it started",
          "[emulator]") {
  const FileDescriptor shared = makeMemoryFile("numbers");
  const auto start = std::chrono::steady_clock::now();
  CHECK_THAT(messageOf<MachineError>([&] {
               runChild({"sh", "-c", "sleep 300 & echo $! >&3; wait"}, "",
                        shared.get(), 500ms);
             }),
             Contains("expected sh to end within 500 ms"));
  CHECK(std::chrono::steady_clock::now() - start < 10s);
  const std::vector<pid_t> started = awaitNumbers(shared.get(), 1);
  REQUIRE(started.size() == 1);
  CHECK(hasEnded(started[0]));
}

TEST_CASE("what a program leaves running ends with it", "[emulator]") {
  const std::string left = runShell("sleep 300 & echo $!").output;
  CHECK(hasEnded(pid_t(std::stol(left))));
}

TEST_CASE("a program is asked to end before it is killed", "[emulator]") {
  const FileDescriptor shared = makeMemoryFile("numbers");
  CHECK_THROWS_AS(
      runChild({"sh", "-c", "trap 'echo 7 >&3; exit' TERM; sleep 300 & wait"},
               "", shared.get(), 500ms),
      MachineError);
  CHECK(readMemoryFile(shared.get()) == "7\n");
}

TEST_CASE("kill -9 of a process leaves nothing of the programs it runs",
          "[emulator]") {
  SECTION("a tree of processes") {
    checkEndsWithItsParent(
        "sh -c 'sleep 300 & echo $$ $! >&3; wait' & echo $$ >&3; wait");
  }
  SECTION("one that does not end when asked") {
    checkEndsWithItsParent("trap '' TERM; sleep 300 & a=$!; sleep 300 & "
                           "echo $$ $a $! >&3; wait");
  }
}
