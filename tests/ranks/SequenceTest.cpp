//===- SequenceTest.cpp - dependent steps of blocks, against the host -----===//

#include "RandomSequence.h"
#include "Trials.h"

#include <catch2/catch.hpp>

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
                          .emulatorSeed = number};
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

} // namespace

TEST_CASE("a block's steps take effect one after another, in sequences at "
          "random",
          "[sequence]") {
  checkTrials({.onEmulator = 300, .onGpu = 100}, failureOf);
}
