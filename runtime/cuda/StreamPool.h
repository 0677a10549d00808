//===- StreamPool.h - streams that are used again -------------------------===//
//
// The GPU has a few hardware queues, and the driver deals them to new streams
// in turn. Two streams on one queue run their work in the order it was queued:
// a rank's second launch, which waits for its first, then stands before the
// launch of a peer that the first one waits for, and neither ever ends. Streams
// are therefore kept for the next user, so that a process that opens and closes
// worlds stays with the few queues it began with. Used by CudaStream alone.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_CUDA_STREAMPOOL_H
#define TILEWIRE_RUNTIME_CUDA_STREAMPOOL_H

#include "runtime/cuda/Context.h"

namespace tilewire {

/// A non-blocking stream of `context`, which is current: an idle one that was
/// returned, or a new one.
CUstream takeStream(const Context &context);

/// Gives a stream back. One that is still busy is left to the driver to end.
void returnStream(const Context &context, CUstream stream) noexcept;

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_CUDA_STREAMPOOL_H
