//===- RankTensors.cpp - one rank's input and output ----------------------===//

#include "RankTensors.h"

#include <algorithm>

using namespace sequence_parallel;
namespace tw = tilewire;

namespace {

/// Bytes on each side of the output that nobody may touch.
constexpr int64_t guardBytes = 1024;

/// What outputs and guards hold before a launch.
constexpr std::byte poison{0xab};

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
  // Each tensor of the heap is aligned; a page more covers that.
  return source.parameters[1].mostBytes(source.numRanks) + 2 * guardBytes +
         4096;
}

RankTensors::RankTensors(tw::SymmetricHeap &heap,
                         const AllToAllProgram &program,
                         const tw::KernelSource &source)
    : world(heap.world()), exchange(exchangeOf(program, source)),
      before(heap.tensor(tw::DataType::U8, {guardBytes})),
      output(heap.tensor(source.parameters[1])),
      after(heap.tensor(tw::DataType::U8, {guardBytes})),
      input(world.tensor(source.parameters[0])) {}

int64_t RankTensors::bytesToPeers() const {
  const int rank = world.rank();
  return input.numBytes() - exchange.piece(rank, rank).numElements() * width();
}

void RankTensors::prepare(tw::Stream &stream, unsigned launch) const {
  writeAll(stream, input,
           makeInput(world.rank(), input.numElements(), width(), launch));
  for (const tw::Tensor &tensor : {before, output, after})
    writeAll(stream, tensor,
             std::vector<std::byte>(size_t(tensor.numBytes()), poison));
}

Comparison RankTensors::check(tw::Stream &stream, unsigned launch) const {
  checkGuard(stream, before, "before");
  checkGuard(stream, after, "after");
  return compareOutput(readAll(stream, output), world.rank(), exchange, width(),
                       launch);
}

void RankTensors::checkGuard(tw::Stream &stream, const tw::Tensor &guard,
                             const char *where) const {
  const std::vector<std::byte> bytes = readAll(stream, guard);
  if (!std::ranges::all_of(bytes, [](std::byte b) { return b == poison; }))
    throw tw::InternalError("rank " + std::to_string(world.rank()) +
                            ": bytes " + where + " the output were written to");
}
