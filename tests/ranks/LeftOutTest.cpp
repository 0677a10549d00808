//===- LeftOutTest.cpp - each sync and barrier does something -------------===//
//
// Leaves each out of a kernel's text in turn: within a few orders of blocks and
// threads the emulator must show it.
//
//===----------------------------------------------------------------------===//

#include "OrderPatterns.h"
#include "Trials.h"

#include <catch2/catch.hpp>

#include <regex>

using namespace tilewire;
using namespace tilewire::test;

namespace {

constexpr uint64_t numSeeds = 20;

/// A statement of the text.
struct Statement {
  size_t begin, length;
};

std::vector<Statement> findAll(const std::string &text,
                               const std::string &pattern) {
  std::vector<Statement> found;
  const std::regex regex(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end;
       ++at)
    found.push_back({size_t(at->position()), size_t(at->length())});
  return found;
}

std::vector<Statement> findSyncs(const std::string &text) {
  return findAll(text, R"(__syncthreads\(\);)");
}

std::vector<Statement> findBarriers(const std::string &text) {
  return findAll(text, R"(if \(!tw::barrierAll\(world, \d+\)\)\s+return;)");
}

KernelSource without(KernelSource source, const Statement &statement) {
  source.text.replace(statement.begin, statement.length, "// left out");
  return source;
}

/// Whether any of some seeds shows a difference from `expected`, or an error.
bool isCaught(const KernelSource &source, const Memory &memory,
              const Memory &expected) {
  for (uint64_t seed = 1; seed <= numSeeds; ++seed)
    try {
      if (!differenceAfter(source, memory, expected, {.emulatorSeed = seed})
               .empty())
        return true;
    } catch (const std::exception &) {
      return true;
    }
  return false;
}

std::string failureOf(uint64_t number) {
  const PatternedSequence test = patternedSequence(number);
  const KernelSource source = compile(buildSequence(test.sequence));
  const std::string about = " (" + test.patterns + ")\n" + source.text;
  std::vector<Statement> statements = findSyncs(source.text);
  const std::vector<Statement> barriers = findBarriers(source.text);
  if (statements.size() != test.numSyncs || barriers.size() != test.numBarriers)
    return "expected " + std::to_string(test.numSyncs) + " syncs and " +
           std::to_string(test.numBarriers) + " barriers" + about;

  const Memory memory = distinctMemory(source);
  Memory expected = memory;
  runOnHost(test.sequence, expected);
  const std::string difference =
      differenceAfter(source, memory, expected, {.emulatorSeed = number});
  if (!difference.empty())
    return difference + about;
  // A GPU runs threads as it likes: only the emulator must show each fault.
  if (!isEmulated())
    return "";
  statements.insert(statements.end(), barriers.begin(), barriers.end());
  for (const Statement &statement : statements) {
    const KernelSource less = without(source, statement);
    if (!isCaught(less, memory, expected))
      return "expected a difference in one of " + std::to_string(numSeeds) +
             " runs (" + test.patterns + ")\n" + less.text;
  }
  return "";
}

} // namespace

TEST_CASE("syncs and barriers are where steps depend on each other, and any "
          "left out shows",
          "[sequence]") {
  checkTrials({.onEmulator = 60, .onGpu = 20}, failureOf);
}
