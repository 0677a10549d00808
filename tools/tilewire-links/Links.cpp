//===- Links.cpp - what the links between GPUs give -----------------------===//

#include "Links.h"

#include "LinkKernels.h"

#include <tilewire/Error.h>

using namespace tilewire;
using namespace tilewire::links;

namespace {

/// Sets of tensors used in turn: together they exceed what caches hold.
constexpr int numSets = 4;

/// What a peer's row holds before anything arrives; no sent word is 0.
constexpr uint32_t untouched = 0;

/// Word `index` of what rank `from` sends to rank `to`. Never 0.
uint32_t word(int from, int to, int64_t index) {
  uint32_t mixed = uint32_t(index) * 2654435761u + uint32_t(from * 72 + to);
  mixed = (mixed ^ (mixed >> 15)) * 2246822519u;
  return (mixed ^ (mixed >> 13)) | 1;
}

/// The tensors of one rank, and how they are filled and checked.
class LinkTensors {
public:
  LinkTensors(Stream &stream, SymmetricHeap &heap, const KernelSource &source)
      : world(heap.world()), stream(stream), rows(source.numRanks),
        words(source.parameters[0].extents[1].value) {
    const std::vector<uint32_t> sent =
        content([&](int row, int64_t i) { return word(world.rank(), row, i); });
    for (int set = 0; set < numSets; ++set) {
      sources.push_back(world.tensor(source.parameters[0]));
      destinations.push_back(heap.tensor(source.parameters[1]));
      copyToDevice(stream, sources.back(), sent.data(), bytesOf(sent));
    }
  }

  std::vector<Tensor> set(int index) const {
    return {sources[size_t(index % numSets)],
            destinations[size_t(index % numSets)]};
  }

  /// Empties the output of set 0.
  void clear() {
    const std::vector<uint32_t> empty(size_t(rows * words), untouched);
    copyToDevice(stream, destinations[0], empty.data(), bytesOf(empty));
  }

  /// Whether set 0 holds what every peer sent, and its own row nothing.
  bool isRight() {
    const std::vector<uint32_t> expected = content([&](int row, int64_t i) {
      return row == world.rank() ? untouched : word(row, world.rank(), i);
    });
    std::vector<uint32_t> seen(expected.size());
    copyToHost(stream, seen.data(), destinations[0], bytesOf(seen));
    return seen == expected;
  }

private:
  template <typename WordAt>
  std::vector<uint32_t> content(const WordAt &wordAt) const {
    std::vector<uint32_t> all(size_t(rows * words));
    for (int row = 0; row < rows; ++row)
      for (int64_t i = 0; i < words; ++i)
        all[size_t(row * words + i)] = wordAt(row, i);
    return all;
  }
  static int64_t bytesOf(const std::vector<uint32_t> &all) {
    return int64_t(all.size() * sizeof(uint32_t));
  }

  World &world;
  Stream &stream;
  int rows;
  int64_t words;
  std::vector<Tensor> sources;
  std::vector<Tensor> destinations;
};

class LinkRun {
public:
  LinkRun(World &world, const LinkOptions &options)
      : world(world), options(options), heap(world, heapBytes()), stream(world),
        tensors(stream, heap, storeKernel(plan(1))) {}

  /// Adds the time of `source` to `times`, unless no more of its blocks are
  /// resident at once than were timed last.
  void time(const std::string &kind, const KernelSource &source,
            std::vector<LinkTime> &times) {
    Kernel kernel(heap, source);
    if (!times.empty() && times.back().kind == kind &&
        times.back().blocks == kernel.numBlocks())
      return;
    check(kind, kernel);
    const auto launch = [&](int index) {
      kernel.launch(stream, tensors.set(index));
    };
    times.push_back({kind, kernel.numBlocks(),
                     benchmark(world, stream, options.benchmark, launch)});
  }

  PiecePlan plan(int64_t blocks) const {
    return {options.numRanks, options.bytesPerPeer, blocks};
  }

private:
  int64_t heapBytes() const {
    constexpr int64_t alignment = 256;
    return numSets * (options.numRanks * options.bytesPerPeer + alignment);
  }

  void check(const std::string &kind, Kernel &kernel) {
    tensors.clear();
    world.barrier(); // nobody sends before every output is empty
    kernel.launch(stream, tensors.set(0));
    stream.synchronize();
    world.barrier(); // without completion, only now has everything arrived
    world.together("check what arrived", [&] {
      if (!tensors.isRight())
        throw MachineError("expected " + kind +
                           " to arrive as they were sent, got other bytes on "
                           "rank " +
                           std::to_string(world.rank()));
    });
  }

  World &world;
  const LinkOptions &options;
  SymmetricHeap heap;
  Stream stream;
  LinkTensors tensors;
};

} // namespace

double LinkTime::gigabytesPerSecond(const LinkOptions &options) const {
  const double bytes = double(options.bytesPerPeer) * (options.numRanks - 1);
  return bytes / timing.medianUs * 1e-3;
}

std::vector<LinkTime> links::timeLinks(World &world,
                                       const LinkOptions &options) {
  LinkRun run(world, options);
  std::vector<LinkTime> times;
  for (int64_t blocks : options.blocks)
    run.time("16-byte stores", storeKernel(run.plan(blocks)), times);
  if (world.backend() == Backend::Cuda)
    for (int64_t blocks : options.blocks)
      run.time("bulk copies", bulkKernel(run.plan(blocks)), times);
  return times;
}
