//===- Trials.h - many random programs, several at once -------------------===//
//
// A random program is made from its number alone, so that each can be run
// again by itself.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_RANKS_TRIALS_H
#define TILEWIRE_TESTS_RANKS_TRIALS_H

#include <cstdint>
#include <functional>
#include <string>

namespace tilewire::test {

/// How many trials a test runs, unless the environment asks for others.
struct TrialCount {
  uint64_t onEmulator, onGpu;
};

/// Runs `trial`, which says or throws what is wrong, with the numbers from 0
/// on, as many at once as there are cores. The test fails with the first few
/// that fail, and how to run each again.
void checkTrials(const TrialCount &count,
                 const std::function<std::string(uint64_t)> &trial);

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_RANKS_TRIALS_H
