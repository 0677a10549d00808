//===- Ranks.h - worlds for tests -----------------------------------------===//
//
// Ranks as threads of the test, on the GPU where there is one and else on the
// emulator. What a rank checks it throws: the test framework's own checks
// belong to one thread.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_RANKS_RANKS_H
#define TILEWIRE_TESTS_RANKS_RANKS_H

#include <tilewire/tilewire.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tilewire::test {

using Bytes = std::vector<std::byte>;

/// What an output holds that no kernel has written.
inline constexpr std::byte poison{0xab};

WorldOptions
worldOptions(std::chrono::milliseconds timeout = std::chrono::seconds(30));

/// Whether worlds are on the emulator here.
bool isEmulated();

/// Throws unless `condition`: "rank 2: expected <what>".
void expect(const World &world, bool condition, const std::string &what);

/// What each rank's `body` fails with, by rank; empty where it does not fail.
std::vector<std::string> failuresOf(int numRanks, const WorldOptions &options,
                                    const std::function<void(World &)> &body);

/// The message with which every rank refuses `step`; fails the test when ranks
/// differ or one does not. The world must work on: ranks meet after it.
std::string refusalOf(int numRanks, const std::function<void(World &)> &step);

/// Sets what the flags of the heap's kernels count, as if there had been so
/// many launches and rounds of each. Collective.
void startCountingAt(SymmetricHeap &heap, unsigned count);

/// Launches `source`, whose parameters are an input and an output, once on
/// every rank, with input `makeInput(rank, ..., launch)` and a poisoned output.
/// The outputs, by rank.
std::vector<Bytes> launchOnce(const KernelSource &source, unsigned launch = 1);

/// Checks that the outputs of one launch are what `fill(output, rank)` makes of
/// untouched ones.
void checkOutputs(const KernelSource &source,
                  const std::function<void(Bytes &, int rank)> &fill);

/// What one launch of such a source fails with, by rank.
std::vector<std::string>
failuresOfLaunch(const KernelSource &source,
                 std::chrono::milliseconds timeout = std::chrono::seconds(30));

/// The bytes of `input` of `launchOnce` on `rank`.
Bytes inputOf(const KernelSource &source, int rank, unsigned launch = 1);

/// The output of `source` on `rank`, which nothing was written to.
Bytes untouchedOutput(const KernelSource &source, int rank = 0);

/// Copies `count` elements of `width` bytes from index `from` to index `to`.
void copyElements(Bytes &output, int64_t to, const Bytes &input, int64_t from,
                  int64_t count, int width);

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_RANKS_RANKS_H
