//===- SequenceTest.cpp - dependent steps of blocks, against the host -----===//

#include "RandomSequence.h"
#include "Trials.h"

#include <catch2/catch.hpp>

using namespace tilewire;
using namespace tilewire::test;

namespace {

/// What goes wrong with the sequence of this number; nothing when all is right.
std::string failureOf(uint64_t number) {
  const Sequence sequence = randomSequence(number);
  const Program program = buildSequence(sequence);
  const KernelSource source = compile(program);
  const Memory memory = distinctMemory(source);
  const Launches launches{.count = int(1 + number / 4 % 3),
                          .meet = !sequence.completion,
                          .emulatorSeed = number};
  Memory expected = memory;
  for (int launch = 0; launch < launches.count; ++launch)
    runOnHost(sequence, expected);
  try {
    const std::string difference =
        differenceAfter(source, memory, expected, launches);
    return difference.empty() ? ""
                              : difference + "\n" + program.ir() + source.text;
  } catch (const std::exception &error) {
    return std::string(error.what()) + "\n" + program.ir() + source.text;
  }
}

} // namespace

TEST_CASE("a block's steps take effect one after another, in sequences at "
          "random",
          "[sequence]") {
  checkTrials({.onEmulator = 300, .onGpu = 100}, failureOf);
}
