//===- BarrierOrdersTest.cpp - Barriers.h in every order of threads -------===//

#include "InterleavedPrelude.h"

#include <catch2/catch.hpp>

#include <cstddef>

using namespace tilewire::test;

namespace {

// -- What kernels write down and expect
// ----------------------------------------

/// Leaves `stamp` on `rank` for the running thread.
void stampOn(unsigned rank, unsigned stamp) {
  machine->memory(rank).stamps[machine->number()] = stamp;
}

/// The stamps of all threads of all ranks, each on `rank` or on its own rank,
/// are from `least` to `most`.
void expectStamps(std::optional<unsigned> rank, unsigned least, unsigned most) {
  const Shape &shape = machine->runs.shape;
  for (unsigned i = 0; i < shape.numThreads(); ++i) {
    const unsigned place = rank ? *rank : i / shape.threadsPerRank();
    const unsigned stamp = machine->memory(place).stamps[i];
    if (stamp < least || stamp > most)
      machine->fail("stamps from " + std::to_string(least) + " to " +
                    std::to_string(most) + ", not " + std::to_string(stamp) +
                    " of thread " + std::to_string(i));
  }
}

void expectWord(const char *name, unsigned got, unsigned expected) {
  if (got != expected)
    machine->fail(std::string(name) + " of " + std::to_string(expected) +
                  ", not " + std::to_string(got));
}

/// Between two launches of a rank, after `epochs` launches with completion and
/// `rounds` barriers.
void expectFlags(const tw::World &world, unsigned epochs, unsigned rounds) {
  const unsigned start = machine->runs.start;
  expectWord("an epoch", world.flags->epoch, start + epochs);
  expectWord("a round", world.flags->round, start + rounds);
  expectWord("blocks that left", world.flags->arrived, 0);
  expectWord("blocks that gathered", world.flags->gathered, 0);
  expectWord("a failure", world.flags->failed, 0);
}

// -- Kernels that meet
// ---------------------------------------------------------

/// All threads have stamped before any passes, round after round.
void meet(const tw::World &world) {
  for (unsigned round = 1; round <= machine->runs.repeats; ++round) {
    stampOn(world.rank, round);
    machine->expect(machine->uniform(tw::barrierAll(world, 0)), "no end");
    expectStamps(std::nullopt, round, round + 1);
  }
  machine->endLaunch([&] { expectFlags(world, 0, machine->runs.repeats); });
}

/// What is put on peers is there when a launch ends, and nothing of the next.
void put(const tw::World &world) {
  for (unsigned launch = 1; launch <= machine->runs.repeats; ++launch) {
    machine->expect(machine->uniform(tw::enterAll(world, 0)), "no end");
    for (unsigned peer = 0; peer < world.numRanks; ++peer)
      stampOn(peer, launch);
    tw::leaveAll(world, 1);
    machine->endLaunch([&] {
      expectStamps(world.rank, launch, launch);
      expectFlags(world, launch, 0);
    });
  }
}

/// Both: barriers between entry and exit, launch after launch.
void putAndMeet(const tw::World &world) {
  for (unsigned launch = 1; launch <= machine->runs.repeats; ++launch) {
    machine->expect(machine->uniform(tw::enterAll(world, 0)), "no end");
    for (unsigned round = 2 * launch - 1; round <= 2 * launch; ++round) {
      for (unsigned peer = 0; peer < world.numRanks; ++peer)
        stampOn(peer, round);
      machine->expect(machine->uniform(tw::barrierAll(world, 1)), "no end");
      expectStamps(world.rank, round, 2 * launch);
    }
    tw::leaveAll(world, 2);
    machine->endLaunch([&] {
      expectStamps(world.rank, 2 * launch, 2 * launch);
      expectFlags(world, launch, 2 * launch);
    });
  }
}

/// One block of each launch is the last, and sees what all have stored.
void arrive(const tw::World &world) {
  for (unsigned launch = 1; launch <= machine->runs.repeats; ++launch) {
    for (unsigned peer = 0; peer < world.numRanks; ++peer)
      stampOn(peer, launch);
    if (machine->uniform(tw::isLastBlock(&world.flags->arrived))) {
      const unsigned first = world.rank * machine->runs.shape.threadsPerRank();
      for (unsigned i = 0; i < machine->runs.shape.threadsPerRank(); ++i)
        expectWord("a stamp", machine->memory(world.rank).stamps[first + i],
                   launch);
      ++machine->memory(world.rank).count;
    }
    machine->endLaunch([&] {
      expectWord("threads of last blocks", machine->memory(world.rank).count,
                 launch * machine->runs.shape.threads);
      expectFlags(world, 0, 0);
    });
  }
}

/// Signals without anything else: what the thread that signals did before is
/// seen. Blocks of a rank but the first only wait.
void signal(const tw::World &world) {
  const Shape &shape = machine->runs.shape;
  for (unsigned i = 1; i <= machine->runs.repeats; ++i) {
    const unsigned value = machine->runs.start + i;
    if (tw::blockInGrid() == 0) {
      stampOn(world.rank, i);
      tw::signalPeers(world, world.flags->met, value);
    }
    machine->expect(
        machine->uniform(tw::waitForPeers(world, 0, world.flags->met, value)),
        "no end");
    for (unsigned peer = 0; peer < world.numRanks; ++peer) {
      const unsigned signaller =
          peer * shape.threadsPerRank() + world.rank % shape.threads;
      machine->expect(machine->memory(peer).stamps[signaller] >= i,
                      "a stamp from before the signal");
    }
  }
}

// -- Kernels that do not
// ---------------------------------------------------------

constexpr unsigned digestOfRank(unsigned rank) { return 100 + rank; }

void expectWhole(bool holds) {
  machine->expect(holds, "a report that is whole");
}

/// The last rank enters no launch: the others' waits end, with one report.
void missOne(const tw::World &world) {
  if (world.rank + 1 < world.numRanks)
    machine->expect(!machine->uniform(tw::enterAll(world, 7)), "an end");
  machine->endLaunch([&] {
    machine->expect(world.report->complete == world.report->abort &&
                        world.report->complete == (world.rank == 0 ? 1 : 0),
                    "a report on rank 0");
  });
}

/// Rank 0 meets once with the last rank, which then returns. Blocks that wait
/// for their own rank's last block do not blame it.
void meetOnce(const tw::World &world) {
  machine->expect(machine->uniform(tw::barrierAll(world, 5)), "no end");
  if (world.rank + 1 < world.numRanks)
    machine->expect(!machine->uniform(tw::barrierAll(world, 7)), "an end");
}

/// Both wait for this: never for the ranks that came.
void checkMissing() {
  const tw::Report &report = machine->report(0);
  const unsigned start = machine->runs.start;
  if (report.abort)
    expectWhole(report.complete);
  if (report.complete)
    expectWhole(report.problem == tw::waitOutlasted && report.wait == 7 &&
                report.peer == int(machine->runs.shape.ranks) - 1 &&
                report.expected - start == report.seen - start + 1 &&
                machine->memory(0).flags.failed == 1);
}

/// The host of rank 0 ends its waits: no report.
void abortWaits(const tw::World &world) {
  if (world.rank == 0)
    machine->expect(!machine->uniform(tw::enterAll(world, 7)), "an end");
  else if (tw::blockInGrid() == 0 && tw::threadInBlock() == 0)
    tw::storeRelease(&machine->report(0).abort, 1);
}
void checkAborted() {
  machine->expect(!machine->report(0).complete &&
                      !machine->memory(0).flags.failed,
                  "no report");
}

/// Ranks that enter with different tensors or values: no block passes.
void differ(tw::World world) {
  world.digest = digestOfRank(world.rank);
  machine->expect(!machine->uniform(tw::enterAll(world, 7)), "a refusal");
  machine->endLaunch([&] {
    machine->expect(world.report->complete && world.report->abort, "a report");
  });
}
void enterDifferent(const tw::World &world) { differ(world); }

/// One rank enters with others' digest, too late: its launch after the one that
/// failed is not taken for that one.
void enterAgain(tw::World world) {
  world.digest = digestOfRank(world.rank == 0 ? 0 : 1);
  machine->expect(!machine->uniform(tw::enterAll(world, 7)), "a refusal");
  machine->endLaunch([] {});
  world.digest = digestOfRank(1);
  machine->expect(!machine->uniform(tw::enterAll(world, 7)), "a refusal");
}
void differOnce(const tw::World &world) { enterAgain(world); }
void checkDifferOnce() {
  for (unsigned rank = 0; rank < machine->runs.shape.ranks; ++rank) {
    const tw::Report &report = machine->report(rank);
    if (report.complete)
      expectWhole(report.problem == tw::launchesDiffer);
  }
}
void checkDifferent() {
  for (unsigned rank = 0; rank < machine->runs.shape.ranks; ++rank) {
    const tw::Report &report = machine->report(rank);
    if (report.complete)
      expectWhole(report.problem == tw::launchesDiffer && report.wait == 7 &&
                  report.peer != int(rank) &&
                  report.expected == digestOfRank(rank) &&
                  report.seen == digestOfRank(unsigned(report.peer)));
  }
}

/// The last rank enters when rank 0 has given up: what rank 0 does from then
/// on, in this launch or the next, is not entered.
void enterLate(const tw::World &world) {
  if (world.rank + 1 == world.numRanks) {
    while (tw::loadAcquire(&machine->report(0).abort) == 0)
      tw::pause();
    tw::enterAll(world, 7);
    return;
  }
  for (int launch = 0; launch < 2; ++launch) {
    machine->expect(!machine->uniform(tw::enterAll(world, 7)), "a refusal");
    machine->endLaunch([] {});
  }
}

// -- Cases
// -----------------------------------------------------------------------

const std::vector<Case> kernelsThatMeet = {
    {"meet", meet},     {"put", put},       {"put and meet", putAndMeet},
    {"arrive", arrive}, {"signal", signal},
};

const std::vector<Case> kernelsThatDoNot = {
    {.name = "miss one",
     .kernel = missOne,
     .waitsEnd = true,
     .check = checkMissing},
    {.name = "meet once",
     .kernel = meetOnce,
     .waitsEnd = true,
     .check = checkMissing},
    {.name = "abort",
     .kernel = abortWaits,
     .waitsEnd = true,
     .check = checkAborted},
    {.name = "differ",
     .kernel = enterDifferent,
     .waitsEnd = true,
     .check = checkDifferent},
    {.name = "differ once",
     .kernel = differOnce,
     .waitsEnd = true,
     .check = checkDifferOnce},
    {.name = "enter late",
     .kernel = enterLate,
     .waitsEnd = true,
     .check = checkMissing},
};

// Counts from 0, and from where signed and unsigned numbers wrap.
constexpr unsigned signedWrap = 0x7FFFFFFE;
constexpr unsigned unsignedWrap = 0xFFFFFFFE;

Case with(Case runs, Shape shape, unsigned repeats, unsigned start) {
  runs.shape = shape;
  runs.repeats = repeats;
  runs.start = start;
  return runs;
}

/// The first fault of all kernels, with as many orders as take milliseconds.
std::string findFault(Omission omission) {
  for (const Case &kernel : kernelsThatMeet) {
    std::string fault =
        exploreAll(with(kernel, {2, 2, 2}, 2, 0), /*delays=*/1, omission).fault;
    if (!fault.empty())
      return fault;
  }
  for (const auto *kernels : {&kernelsThatMeet, &kernelsThatDoNot})
    for (const Case &kernel : *kernels) {
      std::string fault =
          exploreSome(with(kernel, {2, 2, 2}, 2, 0), 100, omission).fault;
      if (!fault.empty())
        return fault;
    }
  return "";
}

} // namespace

TEST_CASE("ranks meet in every order of a few threads", "[barriers]") {
  for (const Shape &shape : {Shape{2, 1, 2}, Shape{1, 2, 2}, Shape{2, 2, 1}})
    for (const Case &kernel : kernelsThatMeet) {
      // As much as takes less than a second.
      const bool isLarge = kernel.kernel == putAndMeet || shape.threads == 1;
      if (kernel.kernel == putAndMeet && shape.threads == 1)
        continue;
      const Case runs = with(kernel, shape, isLarge ? 1 : 2, unsignedWrap);
      const Exploration found = exploreAll(runs);
      INFO(runs.name << " in " << found.numRuns << " runs");
      CHECK(found.fault == "");
    }
}

TEST_CASE("ranks meet in every order with few delays", "[barriers]") {
  for (const Shape &shape : {Shape{2, 2, 2}, Shape{3, 1, 2}})
    for (const Case &kernel : kernelsThatMeet) {
      const Case runs = with(kernel, shape, 2, unsignedWrap);
      const Exploration found = exploreAll(runs, /*delays=*/2);
      INFO(runs.name << " in " << found.numRuns << " runs");
      CHECK(found.fault == "");
    }
}

TEST_CASE("ranks meet in many orders of more threads, and whatever they count "
          "from",
          "[barriers]") {
  for (const Shape &shape : {Shape{3, 2, 3}, Shape{2, 3, 2}, Shape{4, 1, 3},
                             Shape{3, 3, 1}, Shape{1, 4, 3}})
    for (const Case &kernel : kernelsThatMeet)
      for (unsigned start : {0u, signedWrap, unsignedWrap}) {
        const Case runs = with(kernel, shape, 4, start);
        const Exploration found = exploreSome(runs, 200);
        INFO(runs.name << ", counting from " << start);
        CHECK(found.fault == "");
      }
}

TEST_CASE("ranks that do not meet say why, alike in each block", "[barriers]") {
  for (const Shape &shape :
       {Shape{2, 1, 1}, Shape{2, 1, 2}, Shape{2, 2, 2}, Shape{2, 3, 3}})
    for (const Case &kernel : kernelsThatDoNot)
      for (unsigned start : {0u, signedWrap, unsignedWrap}) {
        const Case runs = with(kernel, shape, 1, start);
        const Exploration found = exploreSome(runs, 200);
        INFO(runs.name << ", counting from " << start);
        CHECK(found.fault == "");
      }
}

TEST_CASE("each block barrier and each wait of Barriers.h left out is a fault",
          "[barriers]") {
  REQUIRE(findFault({}) == "");
  const std::set<unsigned> lines = Machine::syncLines();
  CHECK(lines.size() == 7);
  for (const unsigned line : lines) {
    INFO("Barriers.h:" << line);
    CHECK(findFault({.syncLine = line}) != "");
  }
  for (const std::size_t offset :
       {offsetof(tw::Flags, entered), offsetof(tw::Flags, left),
        offsetof(tw::Flags, met), offsetof(tw::Flags, round)}) {
    const unsigned word = unsigned(offset / sizeof(unsigned));
    const bool isSlots = offset != offsetof(tw::Flags, round);
    INFO("word " << word << " of Flags");
    CHECK(findFault({.firstWord = word,
                     .numWords = isSlots ? unsigned(tw::maxRanks) : 1}) != "");
  }
}
