//===- NcclBaseline.h - a program's work done by NCCL ---------------------===//
//
// Pack, NCCL's all-to-all, unpack: an independent way to the same output, and
// what the program's time is held against.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_EXAMPLES_NCCLBASELINE_H
#define TILEWIRE_EXAMPLES_NCCLBASELINE_H

#include "Packing.h"

namespace sequence_parallel {

class NcclBaseline {
public:
  /// For `program`, compiled to `source`. Collective.
  NcclBaseline(tilewire::SymmetricHeap &heap, const AllToAllProgram &program,
               const tilewire::KernelSource &source);

  /// Queues all three steps from `src` to output().
  void launch(tilewire::Stream &stream, const tilewire::Tensor &src);
  /// Queues the all-to-all alone.
  void exchange(tilewire::Stream &stream);

  const tilewire::Tensor &output() const { return unpacked; }

private:
  Packing packing;
  tilewire::Kernel pack, unpack;
  tilewire::Tensor sent, arrived, unpacked;
  tilewire::NcclCommunicator communicator;
};

} // namespace sequence_parallel

#endif // TILEWIRE_EXAMPLES_NCCLBASELINE_H
