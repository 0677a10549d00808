//===- EmulatedRanks.h - ranks of the emulator in one test ----------------===//
//
// Several emulated devices with exchanged symmetric memory, driven through the
// Device interface by one host thread. For the tests of the emulator, which
// come before there is a World.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_UNIT_EMULATEDRANKS_H
#define TILEWIRE_TESTS_UNIT_EMULATEDRANKS_H

#include "runtime/Device.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace tilewire::test {

/// Where tensors begin in each symmetric heap, after the flags.
inline constexpr int64_t firstTensorOffset = 4096;

struct EmulatedRank {
  std::unique_ptr<Device> device;
  std::unique_ptr<PeerRegion> region;
  std::unique_ptr<DeviceKernel> kernel;
  std::unique_ptr<DeviceStream> stream;
  std::shared_ptr<tw::Report> report;
  tw::World table;
  std::vector<std::shared_ptr<void>> tensors;

  /// Local memory of `values.size()` elements.
  template <typename T> LaunchArgument local(const std::vector<T> &values) {
    const int64_t bytes = int64_t(values.size() * sizeof(T));
    Device *owner = device.get();
    tensors.emplace_back(device->allocate(bytes),
                         [owner](void *data) { owner->release(data); });
    device->copyToDevice(tensors.back().get(), values.data(), bytes);
    return {tensors.back().get(), bytes, false};
  }

  /// Symmetric memory at `offset` beyond the flags.
  LaunchArgument symmetric(int64_t offset, int64_t bytes) {
    return {region->base() + firstTensorOffset + offset, bytes, true};
  }
};

/// The elements of a tensor.
template <typename T>
std::vector<T> contentOf(EmulatedRank &rank, const LaunchArgument &tensor) {
  std::vector<T> values(std::size_t(tensor.bytes) / sizeof(T));
  rank.device->copyToHost(values.data(), tensor.data, tensor.bytes);
  return values;
}

class EmulatedRanks {
public:
  EmulatedRanks(int numRanks, int64_t symmetricBytes, uint64_t seed = 0,
                std::chrono::milliseconds timeout = std::chrono::seconds(20),
                bool findsRaces = false);

  /// Compiles once and loads on every rank, with fresh flags.
  void load(const KernelSource &source);
  /// Loads what is compiled already.
  void load(const KernelSource &source, const std::string &image);
  /// Queues one launch on `rank`.
  void launch(int rank, int64_t numBlocks,
              const std::vector<LaunchArgument> &arguments);
  /// Waits for every rank's stream, throwing what failed; throws
  /// std::runtime_error when that takes longer than any test should.
  void finish();

  EmulatedRank &operator[](int rank) { return ranks[std::size_t(rank)]; }
  int size() const { return int(ranks.size()); }

private:
  int64_t heapBytes;
  std::vector<EmulatedRank> ranks;
};

/// A kernel as the compiler would hand it over; `parameters` follow the world.
KernelSource makeKernel(std::string entry, std::string text, int threads,
                        std::vector<TensorParameter> parameters);

TensorParameter localParameter(std::string name, DataType dtype);
TensorParameter symmetricParameter(std::string name, DataType dtype);

/// The message of the error that `action` throws, or "" when it throws none.
template <typename Error, typename Action>
std::string messageOf(Action &&action) {
  try {
    action();
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_UNIT_EMULATEDRANKS_H
