//===- MemfdRegion.cpp - symmetric memory of emulated ranks ---------------===//

#include "runtime/emulator/MemfdRegion.h"

#include "runtime/SystemCall.h"

#include <charconv>
#include <sys/stat.h>

namespace tilewire::emulator {

namespace {

FileDescriptor makeHeapFile(int64_t bytes) {
  checkFreeHostBytes(bytes);
  FileDescriptor file = makeMemoryFile("tilewire-heap");
  growMemoryFile(file.get(), bytes);
  return file;
}

} // namespace

MemfdRegion::MemfdRegion(int64_t bytes)
    : bytes(bytes), file(makeHeapFile(bytes)), own(bytes, file.get()) {}

char *MemfdRegion::importPeer(int peer, const std::string &payload,
                              std::optional<FileDescriptor> descriptor) {
  const std::string who = "rank " + std::to_string(peer);
  if (!descriptor || !*descriptor)
    throw InternalError("expected a descriptor of the memory of " + who +
                        ", got none");
  int64_t peerBytes = 0;
  const char *end = payload.data() + payload.size();
  const auto [rest, code] = std::from_chars(payload.data(), end, peerBytes);
  struct stat status;
  checked(::fstat(descriptor->get(), &status), "fstat");
  // A mapping beyond the end of the file would fault when touched.
  if (code != std::errc() || rest != end || status.st_size != peerBytes)
    throw InternalError("expected the memory of " + who + " to have '" +
                        payload + "' bytes, got a file of " +
                        std::to_string(status.st_size));
  imported.emplace_back(peerBytes, descriptor->get());
  return imported.back().data();
}

} // namespace tilewire::emulator
