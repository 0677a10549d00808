//===- NcclBaseline.cpp - a program's work done by NCCL -------------------===//

#include "NcclBaseline.h"

using namespace sequence_parallel;
namespace tw = tilewire;

namespace {

tw::Tensor allocate(const tw::World &world, const tw::TensorParameter &like) {
  return world.tensor(like.dtype, like.shape);
}

} // namespace

NcclBaseline::NcclBaseline(tw::SymmetricHeap &heap,
                           const AllToAllProgram &program,
                           const tw::KernelSource &source)
    : packing(makePacking(program, source)), pack(heap, packing.pack),
      unpack(heap, packing.unpack),
      sent(allocate(heap.world(), packing.pack.parameters[1])),
      arrived(allocate(heap.world(), packing.unpack.parameters[0])),
      unpacked(allocate(heap.world(), packing.unpack.parameters[1])),
      communicator(heap.world()) {}

void NcclBaseline::launch(tw::Stream &stream, const tw::Tensor &src) {
  pack.launch(stream, {src, sent});
  exchange(stream);
  unpack.launch(stream, {arrived, unpacked});
}

void NcclBaseline::exchange(tw::Stream &stream) {
  communicator.allToAll(stream, arrived, sent);
}
