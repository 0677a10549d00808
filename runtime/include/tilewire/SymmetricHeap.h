//===- SymmetricHeap.h - memory that every rank can address ---------------===//
//
// The same number of bytes on every rank, mapped by all, handed out at the same
// offsets. Making, allocating and closing are collective, and fail on all ranks
// or on none.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_SYMMETRICHEAP_H
#define TILEWIRE_SYMMETRICHEAP_H

#include <tilewire/World.h>

namespace tilewire {

/// How peers reach each other's memory.
enum class PeerMemory {
  Auto,           ///< the first of those below that works for all ranks
  FileDescriptor, ///< virtual-memory allocations passed as descriptors
  CudaIpc,        ///< CUDA inter-process handles
};

/// Parses "auto", "fd" or "ipc"; throws UserError otherwise.
PeerMemory parsePeerMemory(std::string_view text);

/// Outlives, in its place, the kernels loaded on it; its memory goes when the
/// last of its tensors does.
class SymmetricHeap {
public:
  /// Reserves `bytes` (and a little for flags) on every rank and maps them
  /// everywhere. UserError when the device has less.
  SymmetricHeap(World &world, int64_t bytes,
                PeerMemory mechanism = PeerMemory::Auto);
  SymmetricHeap(SymmetricHeap &&) noexcept;
  ~SymmetricHeap();

  /// Uninitialised symmetric tensor; every rank must ask for the same dtype
  /// and shape in the same order. 256-byte aligned.
  Tensor tensor(DataType dtype, std::vector<int64_t> shape);
  /// This rank's part of what a kernel takes as `parameter`, whose extents and
  /// dtype must be the same on every rank. Takes what the largest part needs.
  Tensor tensor(const TensorParameter &parameter);

  /// Zeroed raw bytes at the same offset on every rank, in bytes from base();
  /// `what` names them in errors. UserError when fewer are left.
  int64_t allocate(int64_t bytes, std::string_view what);

  World &world() const;
  /// `rank`'s heap as mapped on this rank.
  char *base(int rank) const;
  /// Bytes of each rank's heap, those for flags included.
  int64_t size() const;
  /// Whether [data, data + bytes) lies in this rank's heap.
  bool contains(const void *data, int64_t bytes) const;

  /// "file descriptor", "CUDA IPC", "same process", "memfd", and why.
  std::string mechanism() const;

  /// Meets the others, then unmaps. The destructor does so too, bounded.
  void close();

  struct State;
  State &state() const;

private:
  std::unique_ptr<State> impl;
};

} // namespace tilewire

#endif // TILEWIRE_SYMMETRICHEAP_H
