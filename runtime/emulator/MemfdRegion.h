//===- MemfdRegion.h - symmetric memory of emulated ranks -----------------===//
//
// One rank's share as an unnamed memory file, mapped by its peers through the
// descriptor, in this process or another. Leaves nothing to unlink.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_EMULATOR_MEMFDREGION_H
#define TILEWIRE_RUNTIME_EMULATOR_MEMFDREGION_H

#include "runtime/Device.h"
#include "runtime/emulator/HostMemory.h"

namespace tilewire::emulator {

class MemfdRegion final : public PeerRegion {
public:
  explicit MemfdRegion(int64_t bytes);

  char *base() override { return own.data(); }
  std::string exportPayload() override { return std::to_string(bytes); }
  std::optional<int> exportDescriptor() override { return file.get(); }
  char *importPeer(int peer, const std::string &payload,
                   std::optional<FileDescriptor> descriptor) override;
  std::string mechanism() const override { return "memfd"; }

private:
  int64_t bytes;
  FileDescriptor file;
  GuardedMapping own;
  std::vector<GuardedMapping> imported;
};

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_MEMFDREGION_H
