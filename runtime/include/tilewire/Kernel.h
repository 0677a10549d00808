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

/// A queue of work on this rank's device.
class Stream {
public:
  explicit Stream(World &world);
  Stream(Stream &&) noexcept;
  ~Stream();

  /// Queues a copy on this rank's device; UserError when sizes differ or a
  /// tensor has no memory. Keeps both alive until it is next synchronized.
  void copy(const Tensor &destination, const Tensor &source);

  /// Waits for all work; throws, and breaks the world, when a kernel reported
  /// a wait that did not end or a peer died.
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

  /// Queues one launch. UserError, before anything runs, when a tensor's
  /// count, dtype, shape, place or alignment does not match, or one that is
  /// written shares memory with another, unless both parameters may alias.
  /// Every rank must launch.
  /// The stream keeps the tensors alive until it is next synchronized.
  void launch(Stream &stream, const std::vector<Tensor> &tensors);

  const KernelSource &source() const;
  /// Blocks of each launch, the same on every rank.
  int64_t numBlocks() const;

private:
  struct State;
  std::unique_ptr<State> impl;
};

/// Copies between host and this rank's device memory; wait for the copy.
/// Throw UserError when `hostBytes` is not the tensor's size, or when there is
/// no memory on either side.
void copyToDevice(World &world, const Tensor &tensor, const void *host,
                  int64_t hostBytes);
void copyToHost(World &world, void *host, const Tensor &tensor,
                int64_t hostBytes);

} // namespace tilewire

#endif // TILEWIRE_KERNEL_H
