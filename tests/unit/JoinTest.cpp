//===- JoinTest.cpp - who may join a world --------------------------------===//
//
// Ranks that contradict each other hear so at once, all the same.
//
//===----------------------------------------------------------------------===//

#include "HubFixture.h"

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;

TEST_CASE("ranks that believe in different sizes all hear both sizes at once",
          "[hub]") {
  // The size that the host has, then those of ranks 0, 1, ...
  const std::vector<int> sizes =
      GENERATE(std::vector<int>{3, 3, 2}, std::vector<int>{2, 2, 3, 3},
               std::vector<int>{2, 2, 2, 3}, std::vector<int>{1, 1, 2},
               std::vector<int>{4, 4, 4, 4, 2}, std::vector<int>{72, 2, 2});
  const std::string name = uniqueSocketName();
  Hub hub(name, sizes[0], HubHost::RankZero);
  const auto start = Clock::now();
  std::vector<std::optional<Failure>> failures(sizes.size() - 1);
  std::vector<std::thread> threads;
  for (int i = 0; i < int(failures.size()); ++i)
    threads.emplace_back([&, i] {
      try {
        // The others hear it whether they were there before or come later.
        std::this_thread::sleep_for(30ms * (i % 2));
        Rank rank(name, i, sizes[size_t(i) + 1], 10s);
        while (!rank.health.isBroken() && Clock::now() - start < 5s)
          std::this_thread::sleep_for(1ms);
        rank.health.check();
      } catch (...) {
        failures[size_t(i)] = describe(std::current_exception());
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(Clock::now() - start < 5s);
  checkSameFailure(failures);
  CHECK(failures[0]->kind == ErrorKind::User);
  const std::string host = std::to_string(sizes[0]) + " on rank 0";
  CHECK_THAT(failures[0]->message,
             Contains(host) && Contains(" on rank") && Contains(" and "));
}

TEST_CASE("a hub that refused a job tells ranks that come a little later",
          "[hub]") {
  const std::string name = uniqueSocketName();
  auto hub = std::make_unique<Hub>(name, 2, HubHost::RankZero);
  auto failures = runRanks(name, 3, {1}, 10s, [](Rank &) {});
  std::thread closer([&] { hub.reset(); });
  std::this_thread::sleep_for(200ms);
  failures.push_back(runRanks(name, 3, {2}, 10s, [](Rank &) {})[0]);
  closer.join();
  checkSameFailure(failures);
  CHECK_THAT(failures[0]->message,
             Contains("2 on rank 0") && Contains("3 on rank 1"));
}

TEST_CASE("the launcher's size is named as the launcher's", "[hub]") {
  const std::string name = uniqueSocketName();
  Hub hub(name, 2, HubHost::Launcher);
  const auto failures = runRanks(name, 3, {1}, 10s, [](Rank &) {});
  REQUIRE(failures[0]);
  CHECK_THAT(failures[0]->message,
             Contains("2 from the launcher") && Contains("3 on rank 1"));
  CHECK(hub.culprit() == 1);
}

TEST_CASE("a rank outside the world's size is refused everywhere at once",
          "[hub]") {
  const std::string name = uniqueSocketName();
  Hub hub(name, 2, HubHost::RankZero);
  const auto start = Clock::now();
  const auto failures = runRanks(name, 2, {0, 2}, 10s, [](Rank &) {});
  CHECK(Clock::now() - start < 5s);
  checkSameFailure(failures);
  CHECK_THAT(failures[0]->message,
             Contains("rank 0 to 1 of a world of 2") && Contains("got rank 2"));
}

TEST_CASE("ranks hear at once why another can't come", "[hub]") {
  const std::string name = uniqueSocketName();
  const auto start = Clock::now();
  std::thread absent([&] {
    callOff(name, {ErrorKind::User, "expected a number, got 'x'"});
  });
  std::this_thread::sleep_for(100ms);
  Hub hub(name, 3, HubHost::RankZero);
  const auto failures = runRanks(name, 3, {0, 1}, 10s, [](Rank &) {});
  absent.join();
  CHECK(Clock::now() - start < 5s);
  checkSameFailure(failures);
  CHECK(failures[0]->kind == ErrorKind::User);
  CHECK(failures[0]->message == "expected a number, got 'x'");
}

TEST_CASE("a host that can't go on tells ranks that came and those that will",
          "[hub]") {
  const std::string name = uniqueSocketName();
  Hub hub(name, 3, HubHost::Process);
  std::thread host([&] {
    std::this_thread::sleep_for(100ms);
    hub.callOff({ErrorKind::Machine, "no more threads"});
  });
  auto failures = runRanks(name, 3, {0, 1}, 10s, [](Rank &) {});
  host.join();
  failures.push_back(runRanks(name, 3, {2}, 10s, [](Rank &) {})[0]);
  checkSameFailure(failures);
  CHECK(failures[0]->message == "no more threads");
}

TEST_CASE("what a rank sends wrongly breaks its world with the reason",
          "[hub]") {
  const std::string name = uniqueSocketName();
  Hub hub(name, 2, HubHost::RankZero);
  std::thread wrong([&] {
    const FileDescriptor socket = connectTo(name);
    sendMessage(
        socket.get(), MessageKind::Hello,
        Packer().number(1).number(2).number(10000).number(::getpid()).take());
    receiveMessage(socket.get());
    sendMessage(socket.get(), MessageKind::Result, "");
    receiveMessage(socket.get());
  });
  const auto failures =
      runRanks(name, 2, {0}, 10s, [](Rank &rank) { rank.exchange("barrier"); });
  wrong.join();
  REQUIRE(failures[0]);
  CHECK_THAT(failures[0]->message, Contains("expected a message of a rank"));
}

TEST_CASE("calling off where nobody waits ends soon", "[hub]") {
  const auto start = Clock::now();
  callOff(uniqueSocketName(), {ErrorKind::User, "no"});
  callOff("", {ErrorKind::User, "no"});
  CHECK(Clock::now() - start < 3s);
}

TEST_CASE("two processes with one rank are refused everywhere at once",
          "[hub]") {
  const std::string name = uniqueSocketName();
  Hub hub(name, 3, HubHost::RankZero);
  std::optional<Failure> secondFailure;
  std::thread second([&] {
    std::this_thread::sleep_for(100ms);
    secondFailure = introduce(name, 1, 3, ::getpid() + 1);
  });
  const auto start = Clock::now();
  auto failures = runRanks(name, 3, {0, 1}, 10s, [](Rank &) {});
  second.join();
  CHECK(Clock::now() - start < 5s);
  failures.push_back(secondFailure);
  checkSameFailure(failures);
  CHECK_THAT(failures[0]->message, Contains("two for rank 1"));
}

TEST_CASE("a second process of a rank does not disturb a world that works",
          "[hub]") {
  const std::string name = uniqueSocketName();
  Hub hub(name, 2, HubHost::RankZero);
  std::optional<Failure> refused;
  const auto failures = runRanks(name, 2, {0, 1}, 10s, [&](Rank &rank) {
    rank.exchange("before");
    if (rank.number == 0)
      refused = introduce(name, 1, 2, ::getpid() + 1);
    rank.exchange("after");
    rank.channel->leave(10s);
  });
  for (const auto &failure : failures)
    CHECK_FALSE(failure);
  REQUIRE(refused);
  CHECK_THAT(refused->message, Contains("two for rank 1"));
}

TEST_CASE("a rank's processes may follow each other", "[hub]") {
  const std::string name = uniqueSocketName();
  Hub hub(name, 1, HubHost::RankZero);
  for (int process = 1; process <= 20; ++process)
    CHECK_FALSE(introduce(name, 0, 1, process));
}
