//===- Ranks.cpp - worlds for tests ---------------------------------------===//

#include "Ranks.h"

#include "RankTensors.h"
#include "runtime/HeapState.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>

namespace tilewire::test {

WorldOptions worldOptions(std::chrono::milliseconds timeout) {
  WorldOptions options;
  options.shareGpu = true;
  options.timeout = timeout;
  return options;
}

bool isEmulated() {
  static const bool emulated = countCudaDevices() == 0;
  return emulated;
}

void expect(const World &world, bool condition, const std::string &what) {
  if (!condition)
    throw std::runtime_error("rank " + std::to_string(world.rank()) +
                             ": expected " + what);
}

std::vector<std::string> failuresOf(int numRanks, const WorldOptions &options,
                                    const std::function<void(World &)> &body) {
  std::vector<std::string> failures{size_t(numRanks)};
  try {
    runLoopback(numRanks, options, [&](World &world) {
      try {
        body(world);
      } catch (const std::exception &error) {
        failures[size_t(world.rank())] = error.what();
        throw;
      }
    });
  } catch (const std::exception &) {
    // Kept above, rank by rank.
  }
  return failures;
}

std::string refusalOf(int numRanks, const std::function<void(World &)> &step) {
  std::vector<std::string> messages{size_t(numRanks)};
  runLoopback(numRanks, worldOptions(), [&](World &world) {
    try {
      step(world);
    } catch (const UserError &error) {
      messages[size_t(world.rank())] = error.what();
    }
    world.barrier();
  });
  for (const std::string &message : messages) {
    CHECK_FALSE(message.empty());
    CHECK(message == messages.front());
  }
  return messages.front();
}

void startCountingAt(SymmetricHeap &heap, unsigned count) {
  tw::Flags flags{};
  for (unsigned *slots : {flags.entered, flags.left, flags.met})
    std::fill_n(slots, tw::maxRanks, count);
  flags.epoch = flags.round = count;
  World &world = heap.world();
  for (int slot = 0; slot < FlagSlots::numSlots; ++slot)
    world.device().copyToDevice(heap.base(world.rank()) +
                                    slot * FlagSlots::slotBytes,
                                &flags, sizeof(flags));
  world.barrier();
}

namespace {

int64_t heapBytesOf(const KernelSource &source) {
  return source.parameters[1].mostBytes(source.numRanks) + (1 << 16);
}

/// Input and output.
std::vector<Tensor> makeTensors(SymmetricHeap &heap,
                                const KernelSource &source) {
  std::vector<Tensor> tensors;
  for (const TensorParameter &parameter : source.parameters)
    tensors.push_back(parameter.symmetric ? heap.tensor(parameter)
                                          : heap.world().tensor(parameter));
  return tensors;
}

} // namespace

std::vector<Bytes> launchOnce(const KernelSource &source, unsigned launch) {
  std::vector<Bytes> outputs{size_t(source.numRanks)};
  runLoopback(source.numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, heapBytesOf(source));
    Kernel kernel(heap, source);
    Stream stream(world);
    const std::vector<Tensor> tensors = makeTensors(heap, source);
    const Tensor &src = tensors[0];
    const Tensor &dst = tensors[1];
    sequence_parallel::writeAll(stream, src,
                                inputOf(source, world.rank(), launch));
    sequence_parallel::writeAll(stream, dst,
                                untouchedOutput(source, world.rank()));
    world.barrier(); // nobody puts before every output is poisoned
    kernel.launch(stream, tensors);
    stream.synchronize();
    world.barrier(); // a program without completion has arrived only now
    outputs[size_t(world.rank())] = sequence_parallel::readAll(stream, dst);
  });
  return outputs;
}

void checkOutputs(const KernelSource &source,
                  const std::function<void(Bytes &, int rank)> &fill) {
  const std::vector<Bytes> outputs = launchOnce(source);
  for (int rank = 0; rank < source.numRanks; ++rank) {
    Bytes expected = untouchedOutput(source, rank);
    fill(expected, rank);
    INFO("rank " << rank << "\n" << source.text);
    CHECK((outputs[size_t(rank)] == expected));
  }
}

std::vector<std::string> failuresOfLaunch(const KernelSource &source,
                                          std::chrono::milliseconds timeout) {
  WorldOptions options = worldOptions(timeout);
  options.gpuChecks = true;
  return failuresOf(source.numRanks, options, [&](World &world) {
    SymmetricHeap heap(world, heapBytesOf(source));
    Kernel kernel(heap, source);
    Stream stream(world);
    kernel.launch(stream, makeTensors(heap, source));
    stream.synchronize();
    world.barrier();
  });
}

Bytes inputOf(const KernelSource &source, int rank, unsigned launch) {
  const TensorParameter &from = source.parameters[0];
  const int width = byteWidth(from.dtype);
  return sequence_parallel::makeInput(
      rank, from.bytesOn(rank, source.numRanks) / width, width, launch);
}

Bytes untouchedOutput(const KernelSource &source, int rank) {
  return Bytes(size_t(source.parameters[1].bytesOn(rank, source.numRanks)),
               poison);
}

void copyElements(Bytes &output, int64_t to, const Bytes &input, int64_t from,
                  int64_t count, int width) {
  std::memcpy(output.data() + to * width, input.data() + from * width,
              size_t(count * width));
}

} // namespace tilewire::test
