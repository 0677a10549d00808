//===- RankTensors.h - one rank's input and output ------------------------===//
//
// The tensors of one program on one rank. The output lies between guards, and
// both are poisoned before a launch, so that what was not written, and what
// should not have been, shows.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_EXAMPLES_RANKTENSORS_H
#define TILEWIRE_EXAMPLES_RANKTENSORS_H

#include "Data.h"
#include "Run.h"

namespace sequence_parallel {

class RankTensors {
public:
  /// Symmetric bytes that the output and its guards take.
  static int64_t heapBytes(const tilewire::KernelSource &source);

  /// Allocates for `program`, compiled to `source`. Collective.
  RankTensors(tilewire::SymmetricHeap &heap, const AllToAllProgram &program,
              const tilewire::KernelSource &source);

  /// What a launch is given.
  const tilewire::Tensor &src() const { return input; }
  const tilewire::Tensor &dst() const { return output; }
  Layout outputLayout() const { return exchange.output(world.rank()); }
  /// What leaves this rank in one launch: all but the piece of its own.
  int64_t bytesToPeers() const;
  int width() const { return tilewire::byteWidth(output.dtype); }

  /// Fresh inputs of `launch`, and poison elsewhere. Ranks meet before any
  /// launches: nobody may put before every output is poisoned.
  void prepare(tilewire::Stream &stream, unsigned launch) const;

  /// Compares the output with the inputs of `launch`; InternalError when a
  /// guard was written to.
  Comparison check(tilewire::Stream &stream, unsigned launch) const;

private:
  void checkGuard(tilewire::Stream &stream, const tilewire::Tensor &guard,
                  const char *where) const;

  tilewire::World &world;
  const Exchange exchange;
  // In the order of the heap.
  tilewire::Tensor before, output, after;
  tilewire::Tensor input;
};

/// All bytes of a tensor, in the stream's order.
std::vector<std::byte> readAll(tilewire::Stream &stream,
                               const tilewire::Tensor &tensor);

/// Fills a tensor with `bytes`, in the stream's order.
void writeAll(tilewire::Stream &stream, const tilewire::Tensor &tensor,
              const std::vector<std::byte> &bytes);

} // namespace sequence_parallel

#endif // TILEWIRE_EXAMPLES_RANKTENSORS_H
