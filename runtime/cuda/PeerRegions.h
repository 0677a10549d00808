//===- PeerRegions.h - one rank's symmetric memory on a GPU ---------------===//
//
// The two ways in which one process maps another's GPU memory: virtual-memory
// allocations passed as file descriptors, and CUDA IPC handles. Ranks that are
// threads of one process use each other's addresses. Made by CudaDevice; knows
// peers only by what they exported.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_CUDA_PEERREGIONS_H
#define TILEWIRE_RUNTIME_CUDA_PEERREGIONS_H

#include "runtime/Device.h"
#include "runtime/cuda/Context.h"

#include <tilewire/Error.h>

#include <cstring>

namespace tilewire {

/// UserError naming both numbers when `bytes` exceed the free memory of the
/// current context's device.
void requireFreeMemory(int64_t bytes);

/// Reads what a peer exported; InternalError when it has another size.
template <typename Exported> Exported readExported(const std::string &payload) {
  if (payload.size() != sizeof(Exported))
    throw InternalError("expected an exported region of " +
                        std::to_string(sizeof(Exported)) + " bytes, got " +
                        std::to_string(payload.size()));
  Exported exported;
  std::memcpy(&exported, payload.data(), sizeof(Exported));
  return exported;
}

/// Runs `map`, adding whose memory it was to a failure.
template <typename Map> char *importFrom(int peer, Map map) {
  try {
    return map();
  } catch (const MachineError &error) {
    throw MachineError("can't map the memory of rank " + std::to_string(peer) +
                       ": " + error.what());
  }
}

/// MachineError when the device can't share memory in this way.
std::unique_ptr<PeerRegion> reserveByDescriptor(SharedContext context,
                                                int64_t bytes, bool loopback);
std::unique_ptr<PeerRegion> reserveByIpc(SharedContext context, int64_t bytes,
                                         bool loopback);

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_CUDA_PEERREGIONS_H
