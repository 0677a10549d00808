//===- NcclBaseline.cpp - a program's work done by NCCL -------------------===//

#include "NcclBaseline.h"

using namespace sequence_parallel;
namespace tw = tilewire;

NcclBaseline::NcclBaseline(tw::SymmetricHeap &heap,
                           const AllToAllProgram &program,
                           const tw::KernelSource &source)
    : packing(makePacking(program, source, heap.world().rank())),
      pack(heap, packing.pack), unpack(heap, packing.unpack),
      sent(heap.world().tensor(packing.pack.parameters[1])),
      arrived(heap.world().tensor(packing.unpack.parameters[0])),
      unpacked(heap.world().tensor(packing.unpack.parameters[1])),
      communicator(heap.world()) {}

void NcclBaseline::launch(tw::Stream &stream, const tw::Tensor &src) {
  pack.launch(stream, {src, sent});
  exchange(stream);
  unpack.launch(stream, {arrived, unpacked});
}

void NcclBaseline::exchange(tw::Stream &stream) {
  communicator.allToAll(stream, {arrived, packing.bytesFrom},
                        {sent, packing.bytesTo});
}
