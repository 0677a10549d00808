//===- HostMemory.h - guarded mappings and what is left of memory ---------===//
//
// Memory of the emulated device: anonymous or of a descriptor, with a page that
// can't be touched on either side. Knows no tensors.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_EMULATOR_HOSTMEMORY_H
#define TILEWIRE_RUNTIME_EMULATOR_HOSTMEMORY_H

#include "runtime/FileDescriptor.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tilewire::emulator {

/// Owns `bytes` mapped bytes between two guard pages; page-aligned.
class GuardedMapping {
public:
  /// Private memory, or shared memory of `descriptor` where one is given.
  /// MachineError when the system refuses.
  explicit GuardedMapping(int64_t bytes, int descriptor = -1);
  GuardedMapping(GuardedMapping &&other) noexcept;
  GuardedMapping &operator=(GuardedMapping &&) = delete;
  ~GuardedMapping();

  char *data() const;

private:
  char *reserved = nullptr; ///< the lower guard page
  std::size_t reservedBytes = 0;
};

/// Bytes that this process can still take without the system running short.
int64_t freeHostBytes();

/// UserError naming both when `bytes` is more than what is free.
void checkFreeHostBytes(int64_t bytes);

/// An unnamed file in memory, close-on-exec; `label` shows in /proc alone.
FileDescriptor makeMemoryFile(const char *label);

/// Makes it `bytes` long, zeroes.
void growMemoryFile(int descriptor, int64_t bytes);

/// The whole content of a file.
std::string readMemoryFile(int descriptor);
void writeMemoryFile(int descriptor, const std::string &content);

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_HOSTMEMORY_H
