//===- CollectiveSequenceTest.cpp - dependent all-to-alls -----------------===//

#include "CollectiveChain.h"
#include "LeftOut.h"
#include "Trials.h"

#include <catch2/catch.hpp>

using namespace tilewire;
using namespace tilewire::test;

namespace {

Memory runOnHost(const CollectiveChain &chain, Memory memory, int count) {
  for (int launch = 0; launch < count; ++launch)
    runOnHost(chain, memory);
  return memory;
}

/// What is wrong with a chain; nothing when all is right.
std::string failureOf(const CollectiveChain &chain, const Launches &launches) {
  const Program program = buildChain(chain);
  std::string text;
  std::string failure;
  try {
    const KernelSource source = compile(program);
    text = source.text;
    const size_t numBarriers = findBarriers(text).size();
    if (numBarriers != chain.numBarriers())
      failure = "expected " + std::to_string(chain.numBarriers()) +
                " barriers, got " + std::to_string(numBarriers);
    const Memory memory = distinctMemory(source);
    if (failure.empty())
      failure = differenceAfter(
          source, memory, runOnHost(chain, memory, launches.count), launches);
  } catch (const std::exception &error) {
    failure = error.what();
  }
  return failure.empty() ? "" : failure + "\n" + program.ir() + text;
}

/// Two collectives with a barrier between them.
CollectiveChain dependentChain(const std::string &kind, int numRanks) {
  const int64_t rows = 6, columns = 10;
  CollectiveChain chain;
  chain.numRanks = numRanks;
  chain.tensors = {{"XY", {numRanks * rows, columns}},
                   {"YX", {columns, numRanks * rows}},
                   {"YX", {numRanks * columns, rows}}};
  const CollectiveChain::Collective turn{0, 0, 0, 1, {1, 0}};
  if (kind == "read what was written") {
    const size_t middle = chain.add(turn);
    chain.add({middle, 0, 0, 1, {1, 0}});
  } else if (kind == "overwrite what was read") {
    chain.add(turn);
    chain.add({2, 0, 0, 1, {1, 0}}, 0);
  } else { // overwrite what was written
    const size_t last = chain.add({0, 0, 0, 1, {0, 1}});
    chain.add({1, 0, 1, 0, {1, 0}}, last);
  }
  return chain;
}

} // namespace

TEST_CASE("all-to-alls take effect one after another, in chains at random",
          "[sequence]") {
  checkTrials({.onEmulator = 60, .onGpu = 40}, [](uint64_t number) {
    const CollectiveChain chain = randomChain(number);
    return failureOf(chain, {.count = int(1 + number / 5 % 3),
                             .meet = !chain.completion,
                             .emulatorSeed = number});
  });
}

TEST_CASE("any barrier between all-to-alls that is left out shows",
          "[sequence]") {
  if (!isEmulated()) {
    WARN("skipped: a GPU runs blocks and ranks as it likes");
    return;
  }
  const auto kind =
      GENERATE(as<std::string>(), "read what was written",
               "overwrite what was read", "overwrite what was written");
  const int numRanks = GENERATE(1, 2, 3, 4);
  const CollectiveChain chain = dependentChain(kind, numRanks);
  const KernelSource source = compile(buildChain(chain));
  CHECK(findBarriers(source.text).size() == 1);
  const Memory memory = distinctMemory(source);
  INFO(kind << ", " << numRanks << " ranks");
  CHECK(textWithNeedless(source, memory, runOnHost(chain, memory, 1)) == "");
}
