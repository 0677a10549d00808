//===- WorldFixture.h - what tests of whole worlds share ------------------===//
//
// Options for the emulator, a kernel in which all ranks meet, and tensors of
// numbers. For tests that go through World.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_UNIT_WORLDFIXTURE_H
#define TILEWIRE_TESTS_UNIT_WORLDFIXTURE_H

#include "EmulatedRanks.h"

#include <tilewire/Error.h>
#include <tilewire/Kernel.h>

#include <catch2/catch.hpp>

#include <stdexcept>

namespace tilewire::test {

inline WorldOptions
emulated(std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
  WorldOptions options;
  options.backend = Backend::Emulator;
  options.timeout = timeout;
  return options;
}

/// What a rank checks it throws: the test framework's own checks belong to one
/// thread.
inline void expect(bool condition, const std::string &what) {
  if (!condition)
    throw std::runtime_error("expected " + what);
}

/// What each rank's `step` fails with; empty where it does not.
inline std::vector<std::string>
failuresOf(int numRanks, const WorldOptions &options,
           const std::function<void(World &)> &step) {
  std::vector<std::string> failures(static_cast<size_t>(numRanks));
  try {
    runLoopback(numRanks, options, [&](World &world) {
      try {
        step(world);
      } catch (const Error &error) {
        failures[size_t(world.rank())] = error.what();
        throw;
      }
    });
  } catch (const Error &) {
    // Kept above, rank by rank.
  }
  return failures;
}

/// Every rank fails with `step`, with one message; returns it. The world works
/// on: ranks meet after it.
inline std::string uniformFailureOf(int numRanks,
                                    const std::function<void(World &)> &step) {
  std::vector<std::string> messages(static_cast<size_t>(numRanks));
  runLoopback(numRanks, emulated(), [&](World &world) {
    try {
      step(world);
    } catch (const Error &error) {
      messages[size_t(world.rank())] = error.what();
    }
    world.barrier();
  });
  for (const std::string &message : messages)
    CHECK(message == messages.front());
  return messages.front();
}

/// Rank r sends element p of `src` to element r of `dst` on peer p.
inline KernelSource exchangeKernel(int numRanks) {
  KernelSource source = makeKernel("exchange", R"(
extern "C" __global__ void __launch_bounds__(32)
exchange(const tw::World world, const tw::b32 *src, tw::b32 *dst) {
  if (!tw::enterAll(world, 0))
    return;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    for (int peer = 0; peer < world.numRanks; ++peer)
      tw::store(tw::onPeer(world, dst, peer), world.rank,
                tw::load<1>(src, peer));
  tw::leaveAll(world, 1);
}
)",
                                   32, {});
  source.numRanks = numRanks;
  source.parameters = {{"src", DataType::I32, {numRanks}, false, false},
                       {"dst", DataType::I32, {numRanks}, true, true}};
  source.launch.maxBlocks = 3;
  source.waits = {{"entry barrier", "program.cpp:7"},
                  {"exit barrier", "program.cpp:7"}};
  return source;
}

inline Tensor filled(World &world, const std::vector<int32_t> &values) {
  Tensor tensor = world.tensor(DataType::I32, {int64_t(values.size())});
  Stream stream(world);
  copyToDevice(stream, tensor, values.data(), tensor.numBytes());
  return tensor;
}

inline std::vector<int32_t> valuesOf(World &world, const Tensor &tensor) {
  std::vector<int32_t> values(size_t(tensor.numElements()));
  Stream stream(world);
  copyToHost(stream, values.data(), tensor, tensor.numBytes());
  return values;
}

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_UNIT_WORLDFIXTURE_H
