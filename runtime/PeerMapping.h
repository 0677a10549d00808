//===- PeerMapping.h - every rank's memory mapped on this rank ------------===//
//
// Reserves, exports, exchanges and maps symmetric memory by the first
// mechanism that works for all ranks. Used by SymmetricHeap; knows nothing of
// what the memory holds.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_PEERMAPPING_H
#define TILEWIRE_RUNTIME_PEERMAPPING_H

#include "runtime/world/WorldState.h"

namespace tilewire {

/// Unmapped when dropped; all ranks must have stopped using it then.
struct PeerMapping {
  std::shared_ptr<Device> device;
  std::unique_ptr<PeerRegion> region;
  std::vector<char *> bases; ///< by rank, as mapped here
  std::string mechanism;     ///< what was chosen, and why not the others
};

/// Maps `bytes` of every rank everywhere. Collective. MachineError with every
/// mechanism's reason when none works.
PeerMapping mapPeers(const World::State &world, int64_t bytes,
                     PeerMemory wanted);

/// "auto", "fd", "ipc".
std::string_view name(PeerMemory mechanism);

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_PEERMAPPING_H
