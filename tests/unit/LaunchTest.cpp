//===- LaunchTest.cpp - ranks as processes --------------------------------===//

#include "CapturedStream.h"
#include "ProcessEnd.h"

#include <tilewire/Error.h>
#include <tilewire/Launch.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sstream>
#include <sys/wait.h>
#include <thread>

using namespace tilewire;
using Catch::Matchers::Contains;
using tilewire::test::CapturedStream;
using tilewire::test::hasEnded;
using namespace std::chrono_literals;

namespace {

struct Outcome {
  int code;
  std::vector<std::string> output;
  std::string error;
  std::chrono::steady_clock::duration time;
};

Outcome launchShell(int numRanks, const std::string &script,
                    std::chrono::milliseconds grace = 5s,
                    bool prefixLines = true) {
  const CapturedStream output(STDOUT_FILENO);
  const CapturedStream error(STDERR_FILENO);
  const auto start = std::chrono::steady_clock::now();
  const int code =
      launchRanks({numRanks, prefixLines, grace}, {"/bin/sh", "-c", script});
  return {code, output.sortedLines(), error.text(),
          std::chrono::steady_clock::now() - start};
}

} // namespace

TEST_CASE("ranks know who they are, and their lines are prefixed whole",
          "[launch]") {
  const Outcome outcome = launchShell(
      3, "echo $TILEWIRE_RANK of $TILEWIRE_SIZE on $TILEWIRE_LOCAL_RANK; "
         "printf 'no end'");
  CHECK(outcome.code == 0);
  CHECK(outcome.output ==
        std::vector<std::string>{"[0] 0 of 3 on 0", "[0] no end",
                                 "[1] 1 of 3 on 1", "[1] no end",
                                 "[2] 2 of 3 on 2", "[2] no end"});
  CHECK(outcome.error.empty());
}

TEST_CASE("output stays as it is when no prefix is asked for", "[launch]") {
  const Outcome outcome = launchShell(2, "echo plain; echo bad >&2", 5s,
                                      /*prefixLines=*/false);
  CHECK(outcome.code == 0);
  CHECK(outcome.output == std::vector<std::string>{"plain", "plain"});
  CHECK(outcome.error == "bad\nbad\n");
}

TEST_CASE("ranks of one job share a rendezvous that no other job has",
          "[launch]") {
  const auto names = [] {
    return launchShell(2, "echo $TILEWIRE_RENDEZVOUS", 5s, false).output;
  };
  const auto first = names();
  const auto second = names();
  REQUIRE(first.size() == 2);
  CHECK(first[0] == first[1]);
  CHECK_FALSE(first[0].empty());
  CHECK(first[0] != second[0]);
}

TEST_CASE("lines of several ranks never mix", "[launch]") {
  const Outcome outcome = launchShell(
      4, "i=0; while [ $i -lt 200 ]; do printf $TILEWIRE_RANK; printf "
         "'%s\\n' $TILEWIRE_RANK; i=$((i+1)); done");
  REQUIRE(outcome.output.size() == 800);
  for (size_t i = 0; i < 800; ++i) {
    const std::string rank = std::to_string(i / 200);
    CHECK(outcome.output[i] == "[" + rank + "] " + rank + rank);
  }
}

TEST_CASE("a line of more than 65,536 bytes comes as several lines",
          "[launch]") {
  const size_t length = GENERATE(65535, 65536, 65537, 131072, 131073);
  const Outcome outcome = launchShell(1, "head -c " + std::to_string(length) +
                                             " /dev/zero | tr '\\0' x; echo");
  size_t total = 0;
  for (const std::string &line : outcome.output) {
    CHECK(line.substr(0, 5) == "[0] x");
    CHECK(line.size() - 4 <= 65536);
    total += line.size() - 4;
  }
  CHECK(total == length);
  CHECK(outcome.output.size() == (length + 65535) / 65536);
}

TEST_CASE("the first failing rank gives the exit code and is named",
          "[launch]") {
  const Outcome outcome =
      launchShell(3, "[ $TILEWIRE_RANK = 1 ] && exit 3; sleep 30", 100ms);
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.error, Contains("rank 1") && Contains("exit code 3"));
  CHECK(outcome.time < 5s);
}

TEST_CASE("a rank killed by a signal is named with it", "[launch]") {
  const Outcome outcome =
      launchShell(2, "[ $TILEWIRE_RANK = 0 ] && kill -9 $$; sleep 30", 100ms);
  CHECK(outcome.code == 128 + SIGKILL);
  CHECK_THAT(outcome.error,
             Contains("rank 0") && Contains("signal 9 (Killed)"));
  CHECK(outcome.time < 5s);
}

TEST_CASE("a grace that is no time is refused", "[launch]") {
  for (const auto grace : {-1ms, std::chrono::milliseconds::min(),
                           std::chrono::milliseconds::max()})
    CHECK_THROWS_WITH(launchRanks({1, false, grace}, {"true"}),
                      Contains("expected a grace of 0 ms to 365 days"));
}

TEST_CASE("others may end by themselves within the grace", "[launch]") {
  const Outcome outcome = launchShell(
      2, "[ $TILEWIRE_RANK = 0 ] && exit 1; sleep 0.2; echo done", 20s);
  CHECK(outcome.code == 1);
  CHECK(outcome.output == std::vector<std::string>{"[1] done"});
  CHECK(outcome.time < 5s);
}

TEST_CASE("what a rank left running in the background ends with it",
          "[launch]") {
  const Outcome outcome =
      launchShell(2, "sleep 100 & echo $!", 100ms, /*prefixLines=*/false);
  CHECK(outcome.code == 0);
  REQUIRE(outcome.output.size() == 2);
  for (const std::string &pid : outcome.output)
    CHECK(hasEnded(pid_t(std::stol(pid))));
}

TEST_CASE("output that can't be written is an error once the ranks have ended",
          "[launch]") {
  const int stream = GENERATE(STDOUT_FILENO, STDERR_FILENO);
  const std::string name =
      stream == STDOUT_FILENO ? "standard output" : "standard error";
  const FileDescriptor saved(::dup(stream));
  const FileDescriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  REQUIRE(full);
  const auto launch = [&](const std::string &script) {
    ::dup2(full.get(), stream);
    std::string result;
    try {
      result =
          "exit code " + std::to_string(launchRanks({2, /*prefixLines=*/true},
                                                    {"/bin/sh", "-c", script}));
    } catch (const MachineError &error) {
      result = error.what();
    }
    ::dup2(saved.get(), stream);
    return result;
  };
  // More than a pipe holds.
  const std::string print = "seq 20000 >&" + std::to_string(stream);
  CHECK(launch(print) ==
        "can't write to " + name + ": No space left on device (28)");
  CHECK(launch(print + "; exit 3") == "exit code 3");
  CHECK(launch("true") == "exit code 0");
}

TEST_CASE(
    "a signal that asks the launcher to end reaches the ranks, which then "
    "have the grace",
    "[launch]") {
  const int number = GENERATE(SIGTERM, SIGINT, SIGHUP, SIGQUIT);
  const pid_t launcher = ::getpid();
  std::string ready = (std::filesystem::temp_directory_path() / "ready-XXXXXX");
  REQUIRE(::mkdtemp(ready.data()));
  std::thread killer([&] {
    const auto isReady = [&](const char *rank) {
      return std::filesystem::exists(ready + "/" + rank);
    };
    for (int i = 0; i < 2000 && !(isReady("0") && isReady("1")); ++i)
      std::this_thread::sleep_for(10ms);
    ::kill(launcher, number);
  });
  // The grace is longer than the group's own end would be.
  const Outcome outcome =
      launchShell(2,
                  "trap 'sleep 1.3; echo caught; exit 0' TERM INT HUP QUIT; "
                  ": > " +
                      ready + "/$TILEWIRE_RANK; sleep 60 & wait",
                  20s);
  killer.join();
  std::filesystem::remove_all(ready);
  CHECK(outcome.code == 128 + number);
  CHECK(outcome.output == std::vector<std::string>{"[0] caught", "[1] caught"});
  CHECK(outcome.time < 50s);
}

TEST_CASE("a signal that the launcher was to ignore is ignored", "[launch]") {
  struct sigaction before {};
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  ::sigaction(SIGHUP, &ignored, &before);
  const Outcome outcome =
      launchShell(1, "kill -HUP " + std::to_string(::getpid()) +
                         "; kill -HUP $$; sleep 0.1; echo done");
  ::sigaction(SIGHUP, &before, nullptr);
  CHECK(outcome.code == 0);
  CHECK(outcome.output == std::vector<std::string>{"[0] done"});
}

TEST_CASE("nothing of a rank outlives the launcher, however that ends",
          "[launch]") {
  const int number = GENERATE(SIGKILL, SIGTERM, SIGHUP);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t launcher = ::fork();
  if (launcher == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    try {
      // A child, a grandchild that ignores what it can, and the rank.
      launchRanks({2}, {"/bin/sh", "-c",
                        "sleep 100 & echo $!; sh -c 'trap \"\" TERM HUP QUIT; "
                        "sleep 100 & echo $!; wait' & echo $$; wait"});
    } catch (...) {
    }
    ::_exit(1);
  }
  ::close(ends[1]);
  std::string text;
  char byte;
  while (std::count(text.begin(), text.end(), '\n') < 6 &&
         ::read(ends[0], &byte, 1) == 1)
    text += byte;
  ::kill(launcher, number);
  ::waitpid(launcher, nullptr, 0);
  ::close(ends[0]);
  std::istringstream lines(text);
  int numProcesses = 0;
  for (std::string pid; std::getline(lines, pid); ++numProcesses)
    CHECK(hasEnded(pid_t(std::stol(pid))));
  CHECK(numProcesses == 6);
}

TEST_CASE("what can't be started is refused", "[launch]") {
  CHECK_THROWS_WITH(launchRanks({2}, {"/no/such/program"}),
                    Contains("/no/such/program") && Contains("No such file"));
  CHECK_THROWS_AS(launchRanks({2}, {}), UserError);
  CHECK_THROWS_WITH(launchRanks({0}, {"true"}), Contains("got 0"));
  CHECK_THROWS_WITH(launchRanks({73}, {"true"}), Contains("got 73"));
}

TEST_CASE("a program finds its own path", "[launch]") {
  CHECK_THAT(currentExecutable(), Contains("tilewire-unit-tests"));
}
