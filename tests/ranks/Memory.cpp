//===- Memory.cpp - all tensors of all ranks, before and after launches ---===//

#include "Memory.h"

#include "RankTensors.h"

#include <algorithm>

namespace tilewire::test {

namespace {

constexpr int64_t guardBytes = 256;

/// All that was allocated for a tensor: more than it has where another rank's
/// part or another launch's is larger, and what lies between the rows of a
/// view.
Tensor allocationOf(const Tensor &tensor) {
  Tensor whole = tensor;
  whole.dtype = DataType::U8;
  whole.shape = {tensor.capacity};
  whole.strides.clear();
  return whole;
}

/// The tensors of one rank; those of the heap lie between guards.
class GuardedTensors {
public:
  GuardedTensors(SymmetricHeap &heap, Stream &stream,
                 const KernelSource &source, const LaunchValues &values)
      : world(heap.world()), stream(stream) {
    for (const TensorParameter &parameter : source.parameters) {
      if (parameter.symmetric)
        addGuard(heap);
      const Tensor largest = parameter.symmetric ? heap.tensor(parameter)
                                                 : world.tensor(parameter);
      tensors.push_back(values.empty()
                            ? largest
                            : largest.shaped(parameter.at(values).shapeOn(
                                  world.rank(), world.size())));
    }
    addGuard(heap);
  }

  void write(const std::vector<Bytes> &contents) const {
    for (size_t i = 0; i < tensors.size(); ++i) {
      const Tensor whole = allocationOf(tensors[i]);
      Bytes bytes = contents[i];
      bytes.resize(size_t(whole.numBytes()), poison);
      sequence_parallel::writeAll(stream, whole, bytes);
    }
  }

  std::vector<Bytes> read() const {
    for (const Tensor &guard : guards)
      expect(world,
             sequence_parallel::readAll(stream, guard) ==
                 Bytes(guardBytes, poison),
             "what lies between the tensors untouched");
    std::vector<Bytes> contents;
    for (const Tensor &tensor : tensors) {
      Bytes bytes = sequence_parallel::readAll(stream, allocationOf(tensor));
      const auto end = bytes.begin() + tensor.numBytes();
      expect(world,
             std::all_of(end, bytes.end(),
                         [](std::byte byte) { return byte == poison; }),
             "what lies behind this rank's part of a tensor untouched");
      bytes.erase(end, bytes.end());
      contents.push_back(std::move(bytes));
    }
    return contents;
  }

  const std::vector<Tensor> &all() const { return tensors; }

private:
  void addGuard(SymmetricHeap &heap) {
    guards.push_back(heap.tensor(DataType::U8, {guardBytes}));
    sequence_parallel::writeAll(stream, guards.back(),
                                Bytes(guardBytes, poison));
  }

  World &world;
  Stream &stream;
  std::vector<Tensor> tensors, guards;
};

int64_t heapBytesOf(const KernelSource &source) {
  int64_t bytes = 1 << 16;
  for (const TensorParameter &parameter : source.parameters)
    bytes += parameter.mostBytes(source.numRanks) + 2 * guardBytes + 256;
  return bytes;
}

std::vector<Bytes> launchOnRank(World &world, const KernelSource &source,
                                const std::vector<Bytes> &contents,
                                const Launches &launches) {
  SymmetricHeap heap(world, heapBytesOf(source));
  Kernel kernel(heap, source);
  Stream stream(world);
  const GuardedTensors tensors(heap, stream, source, launches.values);
  tensors.write(contents);
  world.barrier(); // nobody puts before every tensor is written
  for (int launch = 0; launch < launches.count; ++launch) {
    kernel.launch(stream, tensors.all(), launches.values);
    if (!launches.meet)
      continue;
    stream.synchronize();
    world.barrier();
  }
  stream.synchronize();
  world.barrier();
  return tensors.read();
}

std::string describe(const Bytes &seen, const Bytes &expected, int rank,
                     const TensorParameter &parameter) {
  size_t wrong = 0;
  size_t first = seen.size();
  for (size_t i = seen.size(); i-- > 0;)
    if (seen[i] != expected[i]) {
      ++wrong;
      first = i;
    }
  return "rank " + std::to_string(rank) + ": " + std::to_string(wrong) +
         " of " + std::to_string(seen.size()) + " bytes of " + parameter.name +
         " are wrong, the first in element " +
         std::to_string(first / size_t(byteWidth(parameter.dtype)));
}

} // namespace

Memory distinctMemory(const KernelSource &source, const LaunchValues &values) {
  Memory memory{size_t(source.numRanks)};
  for (int rank = 0; rank < source.numRanks; ++rank)
    for (const TensorParameter &parameter : source.parameters) {
      std::vector<Bytes> &tensors = memory[size_t(rank)];
      const int width = byteWidth(parameter.dtype);
      tensors.push_back(sequence_parallel::makeInput(
          rank, parameter.at(values).bytesOn(rank, source.numRanks) / width,
          width, unsigned(tensors.size())));
    }
  return memory;
}

std::string differenceAfter(const KernelSource &source, const Memory &memory,
                            const Memory &expected, const Launches &launches) {
  Memory seen{size_t(source.numRanks)};
  WorldOptions options = worldOptions();
  options.emulatorSeed = launches.emulatorSeed;
  options.emulatorFindsRaces = launches.findRaces;
  runLoopback(source.numRanks, options, [&](World &world) {
    const size_t rank = size_t(world.rank());
    seen[rank] = launchOnRank(world, source, memory[rank], launches);
  });
  for (size_t rank = 0; rank < seen.size(); ++rank)
    for (size_t i = 0; i < seen[rank].size(); ++i)
      if (seen[rank][i] != expected[rank][i])
        return describe(seen[rank][i], expected[rank][i], int(rank),
                        source.parameters[i]);
  return "";
}

} // namespace tilewire::test
