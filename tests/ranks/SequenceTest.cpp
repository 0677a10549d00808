//===- SequenceTest.cpp - dependent steps of blocks, against the host -----===//

#include "LeftOut.h"
#include "RandomSequence.h"
#include "Trials.h"

#include <tilewire/Error.h>

#include <catch2/catch.hpp>

#include <atomic>

using namespace tilewire;
using namespace tilewire::test;

namespace {

/// Every rank's tensors after `count` launches, as the host has them.
Memory runOnHost(const Sequence &sequence, Memory memory, int count) {
  for (int launch = 0; launch < count; ++launch)
    runOnHost(sequence, memory);
  return memory;
}

/// What is wrong with the sequence of this number; nothing when all is right.
std::string failureOf(uint64_t number) {
  const Sequence sequence = randomSequence(number);
  const Program program = buildSequence(sequence);
  const Launches launches{.count = int(1 + number / 4 % 3),
                          .meet = !sequence.completion,
                          .emulatorSeed = number,
                          .findRaces = true};
  std::string text;
  std::string failure;
  try {
    const KernelSource source = compile(program);
    text = source.text;
    const Memory memory = distinctMemory(source);
    failure = differenceAfter(
        source, memory, runOnHost(sequence, memory, launches.count), launches);
  } catch (const std::exception &error) {
    failure = error.what();
  }
  return failure.empty() ? "" : failure + "\n" + program.ir() + text;
}

void eraseSyncs(std::vector<Step> &steps) {
  std::erase_if(steps,
                [](const Step &step) { return step.kind == Step::Sync; });
  for (Step &step : steps)
    eraseSyncs(step.body);
}

/// Whether the emulator shows a race in one launch of the sequence with `text`.
bool showsRace(KernelSource source, const Sequence &sequence, uint64_t seed) {
  const Memory memory = distinctMemory(source);
  try {
    differenceAfter(source, memory, memory,
                    {.meet = !sequence.completion,
                     .emulatorSeed = seed,
                     .findRaces = true});
  } catch (const UserError &error) {
    return std::string(error.what()).find("expected a block barrier") !=
           std::string::npos;
  }
  return false;
}

} // namespace

TEST_CASE("a block's steps take effect one after another, in sequences at "
          "random",
          "[sequence]") {
  checkTrials({.onEmulator = 300, .onGpu = 100}, failureOf);
}

TEST_CASE("of the syncs in sequences at random most are needed in each launch",
          "[sequence]") {
  if (!isEmulated()) {
    WARN("skipped: races are found on the emulator only");
    return;
  }
  // Those of a race that one launch does not have are of loops that do not run
  // and of tiles that the compiler cannot tell apart.
  std::atomic<int> numSyncs = 0, numNeeded = 0;
  checkTrials({.onEmulator = 40, .onGpu = 0}, [&](uint64_t number) {
    Sequence sequence = randomSequence(number);
    eraseSyncs(sequence.steps);
    const KernelSource source = compile(buildSequence(sequence));
    if (showsRace(source, sequence, number))
      return "expected no race in\n" + source.text;
    for (const Statement &sync : findSyncs(source.text)) {
      KernelSource less = source;
      less.text.replace(sync.begin, sync.length, "// left out");
      ++numSyncs;
      numNeeded += showsRace(less, sequence, number);
    }
    return std::string();
  });
  INFO(numNeeded << " of " << numSyncs << " are needed");
  CHECK(numSyncs > 0);
  CHECK(numNeeded * 4 >= numSyncs * 3);
}
