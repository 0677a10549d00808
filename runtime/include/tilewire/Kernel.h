//===- Kernel.h - a generated kernel, loaded and launched -----------------===//
//
// Takes a KernelSource to a module on this rank's device and launches it in
// stream order. Loading is collective: one rank compiles for all that share
// its architecture, and all agree on the number of blocks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_KERNEL_H
#define TILEWIRE_KERNEL_H

#include <tilewire/KernelSource.h>
#include <tilewire/SymmetricHeap.h>

namespace tilewire {

/// A queue of work on this rank's device. What is queued on one stream runs in
/// that order; work on two streams is ordered by nothing but waits of the host.
/// Like all of a rank's world, it is used by one thread at a time.
class Stream {
public:
  explicit Stream(World &world);
  Stream(Stream &&) noexcept;
  ~Stream();

  /// Queues a copy on this rank's device; UserError when sizes differ, a tensor
  /// has no memory, or both share some. Keeps both alive until the stream is
  /// next synchronized.
  void copy(const Tensor &destination, const Tensor &source);

  /// Waits for all work; throws, and breaks the world, when a kernel reported
  /// a wait that did not end or a peer died. UserError within a benchmark's
  /// launch, which may be recorded and not run.
  void synchronize();

  struct State;
  State &state() const { return *impl; }

private:
  std::unique_ptr<State> impl;
};

class Kernel {
public:
  /// Compiles (or finds in the cache) and loads. Collective. UserError on every
  /// rank, before anything is loaded, when ranks differ in the program or its
  /// name, or it is for another number of ranks; also when it can't be resident
  /// as it must.
  Kernel(SymmetricHeap &heap, const KernelSource &source);
  Kernel(Kernel &&) noexcept;
  ~Kernel();

  /// Queues one launch, with a value of each launch parameter, by name:
  /// `kernel.launch(stream, {in, out}, {{"S", 4096}})`. UserError, before
  /// anything runs, when a value is missing, unknown, given twice, negative or
  /// above its bound; when a tensor's count, dtype, shape at these values,
  /// place or alignment does not match; or when one that is written shares
  /// memory with another, unless both parameters may alias. Every rank must
  /// launch, with the same values: what differs ends the world with a UserError
  /// before any rank stores. The stream keeps the tensors alive until it is
  /// next synchronized.
  void launch(Stream &stream, const std::vector<Tensor> &tensors,
              const LaunchValues &values = {});

  /// The same memory as this rank's part of a launch with `values`, for tensors
  /// that were made from the kernel's parameters, large enough for every
  /// launch:
  ///
  ///     const LaunchValues values = {{"S", length}};
  ///     const auto tensors = kernel.shaped({in, out}, values);
  ///     copyToDevice(stream, tensors[0], rows, tensors[0].numBytes());
  ///     kernel.launch(stream, tensors, values);
  ///
  /// UserError, the same on every rank, for values that `launch` refuses and
  /// for symmetric memory without room for the largest part.
  std::vector<Tensor> shaped(const std::vector<Tensor> &tensors,
                             const LaunchValues &values) const;

  const KernelSource &source() const;
  /// Blocks of each launch, the same on every rank.
  int64_t numBlocks() const;

private:
  struct State;
  std::unique_ptr<State> impl;
};

/// Copies between host memory of any kind and this rank's device memory, in the
/// order of `stream`: after all that was queued on it before, whose errors it
/// throws as Stream::synchronize does, with nothing copied; and done when it
/// returns, so before all that is queued later. Only its own stream orders it:
/// synchronize others that use the tensor. UserError, before it waits, when
/// `hostBytes` is not the tensor's size, when there is no memory on either
/// side, and within a benchmark's launch. A copy of no bytes waits too.
void copyToDevice(Stream &stream, const Tensor &tensor, const void *host,
                  int64_t hostBytes);
void copyToHost(Stream &stream, void *host, const Tensor &tensor,
                int64_t hostBytes);

} // namespace tilewire

#endif // TILEWIRE_KERNEL_H
