//===- RankTensors.h - one rank's inputs and outputs ----------------------===//
//
// The tensors of one program on one rank. Outputs lie between guards, and all
// their memory is poisoned before a launch, so that what was not written, and
// what should not have been, shows. Where launches give extents, memory is made
// once, for the largest launch.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_EXAMPLES_RANKTENSORS_H
#define TILEWIRE_EXAMPLES_RANKTENSORS_H

#include "Build.h"

namespace sequence_parallel {

class RankTensors {
public:
  /// Symmetric bytes that the outputs and their guards take.
  static int64_t heapBytes(const tilewire::KernelSource &source);

  /// Allocates for `program`, compiled to `source`. Collective.
  RankTensors(tilewire::SymmetricHeap &heap, const AllToAllProgram &program,
              const tilewire::KernelSource &source);

  /// Makes them those of launches with these values, in the same memory.
  void shape(const tilewire::LaunchValues &values);

  /// What a launch is given: pairs of an input and an output.
  const std::vector<tilewire::Tensor> &all() const { return tensors; }
  const tilewire::Tensor &src() const { return tensors[0]; }
  const tilewire::Tensor &dst() const { return tensors[1]; }
  Layout outputLayout(size_t pair = 0) const {
    return exchanges[pair].output(world.rank());
  }
  /// What leaves this rank in one launch: all but the pieces of its own.
  int64_t bytesToPeers() const;
  int width() const { return tilewire::byteWidth(dst().dtype); }

  /// Fresh inputs of `launch`, and poison elsewhere. Ranks meet before any
  /// launches: nobody may put before every output is poisoned.
  void prepare(tilewire::Stream &stream, unsigned launch) const;

  /// Compares the outputs with the inputs of `launch`, the first pair that is
  /// wrong; InternalError when memory beside an output was written to.
  Comparison check(tilewire::Stream &stream, unsigned launch) const;

private:
  tilewire::World &world;
  const AllToAllProgram program;
  const tilewire::KernelSource source;
  std::vector<Exchange> exchanges;
  std::vector<tilewire::Tensor> tensors, guards;
};

/// All bytes of a tensor, in the stream's order.
std::vector<std::byte> readAll(tilewire::Stream &stream,
                               const tilewire::Tensor &tensor);

/// Fills a tensor with `bytes`, in the stream's order.
void writeAll(tilewire::Stream &stream, const tilewire::Tensor &tensor,
              const std::vector<std::byte> &bytes);

} // namespace sequence_parallel

#endif // TILEWIRE_EXAMPLES_RANKTENSORS_H
