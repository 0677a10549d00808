//===- Nccl.h - NCCL over the ranks of a world ----------------------------===//
//
// What generated kernels are compared with: an independent way to move the same
// bytes, and the baseline for their times. NCCL is opened at run time.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_NCCL_H
#define TILEWIRE_NCCL_H

#include <tilewire/Kernel.h>

namespace tilewire {

/// "NCCL 2.28.3"; MachineError saying where it was looked for when there is
/// none, or one older than 2.18.
std::string ncclVersion();

/// A tensor as one piece for each rank, in their order.
struct TensorPieces {
  Tensor tensor;
  std::vector<int64_t> bytes; ///< of each piece
};

/// NCCL's communicator of a world's ranks, each with a GPU of its own.
class NcclCommunicator {
public:
  /// Collective. UserError on the emulator and where ranks share a GPU,
  /// MachineError when NCCL is missing or fails; the same on every rank unless
  /// NCCL itself fails on some.
  explicit NcclCommunicator(World &world);
  NcclCommunicator(NcclCommunicator &&) noexcept;
  ~NcclCommunicator();

  /// Queues an all-to-all: both tensors are pieces of consecutive bytes, one
  /// for each rank, piece p of `source` goes to rank p, and piece p of
  /// `destination` comes from there. Every rank must call it, and what one
  /// sends to another must be what that one takes. UserError when pieces don't
  /// fill their tensor or when the tensors share memory. The stream keeps both
  /// alive until it is next synchronized.
  void allToAll(Stream &stream, const TensorPieces &destination,
                const TensorPieces &source);

private:
  struct State;
  std::unique_ptr<State> impl;
};

} // namespace tilewire

#endif // TILEWIRE_NCCL_H
