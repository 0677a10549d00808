//===- RankTensors.cpp - one rank's inputs and outputs --------------------===//

#include "RankTensors.h"

#include <algorithm>
#include <limits>

using namespace sequence_parallel;
namespace tw = tilewire;

namespace {

/// Bytes on each side of an output that nobody may touch.
constexpr int64_t guardBytes = 1024;

/// What outputs and guards hold before a launch.
constexpr std::byte poison{0xab};

/// All memory of a tensor: more than it has where another rank's part or
/// another launch's is larger.
tw::Tensor wholeOf(const tw::Tensor &tensor) {
  tw::Tensor whole = tensor;
  whole.dtype = tw::DataType::U8;
  whole.shape = {std::max(tensor.capacity, tensor.numBytes())};
  return whole;
}

/// Pairs have inputs of their own in one launch.
unsigned launchOf(unsigned launch, size_t pair) {
  return launch + unsigned(pair) * 0x10000;
}

void fillWithPoison(tw::Stream &stream, const tw::Tensor &tensor) {
  writeAll(stream, tensor,
           std::vector<std::byte>(size_t(tensor.numBytes()), poison));
}

} // namespace

std::vector<std::byte> sequence_parallel::readAll(tw::Stream &stream,
                                                  const tw::Tensor &tensor) {
  std::vector<std::byte> bytes(size_t(tensor.numBytes()));
  tw::copyToHost(stream, bytes.data(), tensor, int64_t(bytes.size()));
  return bytes;
}

void sequence_parallel::writeAll(tw::Stream &stream, const tw::Tensor &tensor,
                                 const std::vector<std::byte> &bytes) {
  tw::copyToDevice(stream, tensor, bytes.data(), int64_t(bytes.size()));
}

int64_t RankTensors::heapBytes(const tw::KernelSource &source) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  // Each tensor of the heap is aligned; a page more covers that.
  int64_t bytes = guardBytes + 4096;
  for (const tw::TensorParameter &parameter : source.parameters) {
    if (!parameter.symmetric)
      continue;
    // More than there is, is refused; it must not wrap.
    const int64_t more = parameter.mostBytes(source.numRanks);
    bytes += std::min(more, most - bytes - guardBytes) + guardBytes;
  }
  return bytes;
}

RankTensors::RankTensors(tw::SymmetricHeap &heap,
                         const AllToAllProgram &program,
                         const tw::KernelSource &source)
    : world(heap.world()), program(program), source(source),
      exchanges(exchangesOf(program, source)) {
  for (const tw::TensorParameter &parameter : source.parameters) {
    if (parameter.symmetric)
      guards.push_back(heap.tensor(tw::DataType::U8, {guardBytes}));
    tensors.push_back(parameter.symmetric ? heap.tensor(parameter)
                                          : world.tensor(parameter));
  }
  guards.push_back(heap.tensor(tw::DataType::U8, {guardBytes}));
}

void RankTensors::shape(const tw::LaunchValues &values) {
  const tw::KernelSource at = sourceAt(source, values);
  exchanges = exchangesOf(program, at);
  for (size_t i = 0; i < tensors.size(); ++i)
    tensors[i] =
        tensors[i].shaped(at.parameters[i].shapeOn(world.rank(), at.numRanks));
}

int64_t RankTensors::bytesToPeers() const {
  int64_t elements = 0;
  for (const Exchange &exchange : exchanges)
    for (int peer = 0; peer < exchange.numRanks; ++peer)
      if (peer != world.rank())
        elements += exchange.piece(world.rank(), peer).numElements();
  return elements * width();
}

void RankTensors::prepare(tw::Stream &stream, unsigned launch) const {
  for (size_t i = 0; i < tensors.size(); i += 2) {
    writeAll(stream, tensors[i],
             makeInput(world.rank(), tensors[i].numElements(), width(),
                       launchOf(launch, i / 2)));
    fillWithPoison(stream, wholeOf(tensors[i + 1]));
  }
  for (const tw::Tensor &guard : guards)
    fillWithPoison(stream, guard);
}

Comparison RankTensors::check(tw::Stream &stream, unsigned launch) const {
  const auto checkPoison = [&](auto begin, auto end) {
    if (!std::all_of(begin, end, [](std::byte b) { return b == poison; }))
      throw tw::InternalError("rank " + std::to_string(world.rank()) +
                              ": bytes beside an output were written to");
  };
  for (const tw::Tensor &guard : guards) {
    const std::vector<std::byte> bytes = readAll(stream, guard);
    checkPoison(bytes.begin(), bytes.end());
  }
  Comparison comparison;
  for (size_t pair = 0; pair < exchanges.size() && comparison.wrong == 0;
       ++pair) {
    const tw::Tensor &output = tensors[2 * pair + 1];
    const std::vector<std::byte> bytes = readAll(stream, wholeOf(output));
    checkPoison(bytes.begin() + output.numBytes(), bytes.end());
    comparison = compareOutput(bytes, world.rank(), exchanges[pair], width(),
                               launchOf(launch, pair));
    comparison.pair = pair;
  }
  return comparison;
}
