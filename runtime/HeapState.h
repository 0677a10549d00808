//===- HeapState.h - the inside of SymmetricHeap --------------------------===//
//
// What Kernel needs of the heap beside its public face: the mapping, and the
// slots for the flags of kernels.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_HEAPSTATE_H
#define TILEWIRE_RUNTIME_HEAPSTATE_H

#include "runtime/PeerMapping.h"

#include <tilewire/SymmetricHeap.h>

#include <mutex>

namespace tilewire {

/// Offsets and sizes in the heap are multiples of this.
inline constexpr int64_t heapAlignment = 256;

inline int64_t alignUp(int64_t bytes) {
  return (bytes + heapAlignment - 1) / heapAlignment * heapAlignment;
}

/// Places for tw::Flags at the start of the heap. A slot is free again on a
/// rank when its kernel is gone there, so ranks agree on one free everywhere.
class FlagSlots {
public:
  static constexpr int numSlots = 256;
  static constexpr int64_t slotBytes =
      (sizeof(tw::Flags) + heapAlignment - 1) / heapAlignment * heapAlignment;
  static constexpr int64_t totalBytes = numSlots * slotBytes;

  /// One character per slot: '0' free, '1' taken.
  std::string taken() const {
    std::lock_guard lock(mutex);
    return slots;
  }
  void take(int slot) { set(slot, '1'); }
  void release(int slot) { set(slot, '0'); }

private:
  void set(int slot, char value) {
    std::lock_guard lock(mutex);
    slots[size_t(slot)] = value;
  }

  mutable std::mutex mutex;
  std::string slots = std::string(numSlots, '0');
};

struct SymmetricHeap::State {
  World *world;
  int64_t size; ///< of each rank, the slots of flags included
  int64_t next; ///< offset of the next allocation
  std::shared_ptr<PeerMapping> mapping; ///< shared with tensors and kernels
  std::shared_ptr<FlagSlots> slots;
};

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_HEAPSTATE_H
