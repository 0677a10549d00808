//===- LeftOutTest.cpp - each sync and barrier does something -------------===//

#include "LeftOut.h"
#include "OrderPatterns.h"
#include "Trials.h"

#include <catch2/catch.hpp>

using namespace tilewire;
using namespace tilewire::test;

namespace {

/// What is wrong with the patterned sequence of this number.
std::string failureOf(uint64_t number) {
  const PatternedSequence test = patternedSequence(number);
  const KernelSource source = compile(buildSequence(test.sequence));
  const std::string about = " (" + test.patterns + ")\n" + source.text;
  if (findSyncs(source.text).size() != test.numSyncs ||
      findBarriers(source.text).size() != test.numBarriers)
    return "expected " + std::to_string(test.numSyncs) + " syncs and " +
           std::to_string(test.numBarriers) + " barriers" + about;

  const Memory memory = distinctMemory(source);
  Memory expected = memory;
  runOnHost(test.sequence, expected);
  const std::string difference =
      differenceAfter(source, memory, expected, {.emulatorSeed = number});
  if (!difference.empty())
    return difference + about;
  // The emulator must show each that is left out; a GPU runs as it likes.
  const std::string needless =
      isEmulated() ? textWithNeedless(source, memory, expected) : "";
  return needless.empty() ? ""
                          : "expected a difference when one is left out (" +
                                test.patterns + ")\n" + needless;
}

} // namespace

TEST_CASE("syncs and barriers are where steps depend on each other, and any "
          "that is left out shows",
          "[sequence]") {
  checkTrials({.onEmulator = 60, .onGpu = 20}, failureOf);
}
