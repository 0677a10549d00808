//===- HubTest.cpp - hub and channels, rank by rank -----------------------===//

#include "HubFixture.h"

#include <atomic>
#include <fcntl.h>
#include <sys/mman.h>

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;

TEST_CASE("an exchange hands every rank's payload to every rank, by rank",
          "[hub]") {
  for (int size : {1, 2, 3, 8, 72}) {
    std::atomic<int> wrong{0};
    const auto failures = runAll(size, [&](Rank &rank) {
      for (int round = 0; round < 5; ++round) {
        const auto all =
            rank.exchange("round", std::to_string(rank.number * 1000 + round));
        for (int other = 0; other < size; ++other)
          if (all[size_t(other)].payload !=
              std::to_string(other * 1000 + round))
            ++wrong;
      }
      rank.channel->leave(10s);
    });
    for (const auto &failure : failures)
      CHECK_FALSE(failure);
    CHECK(wrong == 0);
  }
}

TEST_CASE("payloads larger than a socket's buffer arrive whole", "[hub]") {
  std::atomic<int> right{0};
  runAll(3, [&](Rank &rank) {
    const std::string big(size_t(4 << 20), char('a' + rank.number));
    const auto all = rank.exchange("big", big);
    for (int other = 0; other < 3; ++other)
      right += all[size_t(other)].payload ==
               std::string(size_t(4 << 20), char('a' + other));
    rank.channel->leave(10s);
  });
  CHECK(right == 9);
}

TEST_CASE("descriptors reach every rank, and only from ranks that sent one",
          "[hub]") {
  std::atomic<int> right{0};
  runAll(3, [&](Rank &rank) {
    FileDescriptor memory(::memfd_create("test", MFD_CLOEXEC));
    const char mark = char('A' + rank.number);
    if (::pwrite(memory.get(), &mark, 1, 0) != 1)
      throw std::runtime_error("pwrite");
    const auto all = rank.exchange(
        "memory", "",
        rank.number == 1 ? std::nullopt : std::optional(memory.get()));
    for (int other = 0; other < 3; ++other) {
      const FileDescriptor &received = all[size_t(other)].descriptor;
      if (other == 1) {
        right += !received;
        continue;
      }
      char seen = 0;
      right += received && ::pread(received.get(), &seen, 1, 0) == 1 &&
               seen == 'A' + other;
    }
    rank.channel->leave(10s);
  });
  CHECK(right == 9);
}

TEST_CASE("ranks at different steps all get an error with both names",
          "[hub]") {
  const auto failures = runAll(3, [](Rank &rank) {
    rank.exchange(rank.number == 2 ? "allocating" : "loading");
  });
  checkSameFailure(failures);
  CHECK(failures[0]->kind == ErrorKind::User);
  CHECK_THAT(failures[0]->message,
             Contains("'allocating'") && Contains("'loading'"));
}

TEST_CASE("a rank that does not join in time is named to the others", "[hub]") {
  const std::string name = uniqueSocketName();
  Hub hub(name, 4, HubHost::RankZero);
  const auto start = Clock::now();
  const auto failures = runRanks(name, 4, {0, 2}, 200ms, [](Rank &) {});
  CHECK(Clock::now() - start < 3s);
  checkSameFailure(failures);
  CHECK(failures[0]->kind == ErrorKind::Machine);
  CHECK_THAT(failures[0]->message, Contains("joining the world") &&
                                       Contains("ranks 1, 3") &&
                                       Contains("200 ms"));
}

TEST_CASE("a rank that does not reach a step in time is named to all",
          "[hub]") {
  const auto failures = runAll(3, [](Rank &rank) {
    if (rank.number == 1)
      std::this_thread::sleep_for(500ms);
    rank.channel->exchange("barrier", "", std::nullopt, 200ms);
  });
  checkSameFailure(failures);
  CHECK_THAT(failures[0]->message,
             Contains("'barrier'") && Contains("rank 1 did not"));
}

TEST_CASE("a rank that closes because of an error is to blame when the others "
          "are elsewhere, and meets them when they close too",
          "[hub]") {
  const auto failures = runAll(3, [](Rank &rank) {
    rank.exchange(rank.number == 1 ? givingUpStep : closingStep);
    rank.exchange(rank.number == 2 ? givingUpStep : "barrier");
  });
  checkSameFailure(failures);
  CHECK(failures[0]->message ==
        "rank 2 gave up because of an error of its own");
}

TEST_CASE("a rank that closes because of an error is known to those that do "
          "not yet, until they have met it",
          "[hub]") {
  const auto failures = runAll(3, [](Rank &rank) {
    if (rank.number == 0)
      while (rank.health.givingUpFor(0s) != 1)
        std::this_thread::sleep_for(1ms);
    rank.exchange(rank.number == 1 ? givingUpStep : closingStep);
    if (rank.health.givingUpFor(0s))
      throw UserError("expected that nobody gives up now");
  });
  for (const auto &failure : failures)
    CHECK(!failure);
}

TEST_CASE("without a hub, joining ends in time with the host's name", "[hub]") {
  const auto failures =
      runRanks(uniqueSocketName(), 2, {1}, 100ms, [](Rank &) {});
  REQUIRE(failures[0]);
  CHECK_THAT(failures[0]->message, Contains("the test") && Contains("100 ms"));
}

TEST_CASE("a rank whose connection vanishes breaks the world for all, and "
          "kernels are told to stop",
          "[hub]") {
  const std::string name = uniqueSocketName();
  Hub hub(name, 3, HubHost::Launcher);
  std::thread victim([&] {
    connectAndVanish(name, 2, 3);
    hub.noteEnd(2, "signal 9 (Killed)");
  });
  const auto start = Clock::now();
  std::atomic<int> aborted{0};
  const auto failures = runRanks(name, 3, {0, 1}, 10s, [&](Rank &rank) {
    tw::Report report{};
    rank.health.addReport(&report);
    while (!rank.health.isBroken() && Clock::now() - start < 5s)
      std::this_thread::sleep_for(1ms);
    aborted += int(report.abort);
    rank.health.removeReport(&report);
    rank.exchange("barrier");
  });
  victim.join();
  checkSameFailure(failures);
  CHECK_THAT(failures[0]->message,
             Contains("rank 2") && Contains("signal 9 (Killed)"));
  CHECK(aborted == 2);
  CHECK(hub.culprit() == 2);
}

TEST_CASE("who broke a world is forgotten when the next begins", "[hub]") {
  const std::string name = uniqueSocketName();
  Hub hub(name, 2, HubHost::Process);
  checkSameFailure(runRanks(name, 2, {0, 1}, 10s, [](Rank &rank) {
    if (rank.number == 1)
      rank.channel->breakWith({ErrorKind::User, "the test"});
    rank.exchange("barrier");
  }));
  CHECK(hub.culprit() == 1);
  for (const auto &failure : runRanks(
           name, 2, {0, 1}, 10s, [](Rank &rank) { rank.exchange("barrier"); }))
    CHECK_FALSE(failure);
  CHECK_FALSE(hub.culprit());
}

TEST_CASE("a rank that ends before it joins breaks the world at once",
          "[hub]") {
  const std::string name = uniqueSocketName();
  Hub hub(name, 2, HubHost::Launcher);
  hub.noteEnd(1, "exit code 3");
  const auto failures = runRanks(name, 2, {0}, 10s, [](Rank &) {});
  REQUIRE(failures[0]);
  CHECK_THAT(failures[0]->message,
             Contains("rank 1") && Contains("exit code 3"));
}

TEST_CASE("a broken world says its first error for ever, with its type",
          "[hub]") {
  const auto failures = runAll(3, [](Rank &rank) {
    if (rank.number == 1)
      rank.channel->breakWith({ErrorKind::User, "the first error"});
    for (int i = 0; i < 3; ++i)
      try {
        rank.exchange("barrier");
      } catch (const UserError &error) {
        if (i == 2)
          throw;
      }
  });
  checkSameFailure(failures);
  CHECK(failures[0]->message == "the first error");
  CHECK(failures[0]->kind == ErrorKind::User);
}

TEST_CASE("one hub serves worlds one after the other", "[hub]") {
  std::atomic<int> met{0};
  const std::string name = uniqueSocketName();
  Hub hub(name, 3, HubHost::RankZero);
  const auto failures = runRanks(name, 3, {0, 1, 2}, 10s, [&](Rank &first) {
    first.channel->leave(10s);
    first.channel.reset();
    for (int world = 0; world < 10; ++world) {
      Rank rank(name, first.number, 3, 10s);
      met += int(rank.exchange("meet").size());
      rank.channel->leave(10s);
    }
  });
  for (const auto &failure : failures)
    CHECK_FALSE(failure);
  CHECK(met == 3 * 10 * 3);
}

TEST_CASE("garbage on the hub's socket disturbs no world", "[hub]") {
  const std::string name = uniqueSocketName();
  Hub hub(name, 2, HubHost::RankZero);
  FileDescriptor stranger = connectTo(name);
  const std::string garbage(100, 'x');
  REQUIRE(::write(stranger.get(), garbage.data(), garbage.size()) == 100);
  const auto failures = runRanks(name, 2, {0, 1}, 10s, [](Rank &rank) {
    rank.exchange("meet");
    rank.channel->leave(10s);
  });
  for (const auto &failure : failures)
    CHECK_FALSE(failure);
}

TEST_CASE("a socket name can be taken once", "[hub]") {
  const std::string name = uniqueSocketName();
  CHECK(name != uniqueSocketName());
  Hub hub(name, 1, HubHost::RankZero);
  CHECK_THROWS_AS(Hub(name, 1, HubHost::RankZero), MachineError);
}
