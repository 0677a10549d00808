//===- HostMemory.cpp - guarded mappings and what is left of memory -------===//

#include "runtime/emulator/HostMemory.h"

#include "runtime/FileSizeSignal.h"
#include "runtime/SystemCall.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <utility>

namespace tilewire::emulator {

namespace {

std::size_t pageBytes() {
  static const std::size_t bytes = std::size_t(::sysconf(_SC_PAGESIZE));
  return bytes;
}

/// The number that a control file holds; the largest number when there is no
/// such file or it says "max".
int64_t readLimit(const char *path) {
  std::ifstream file(path);
  int64_t value = 0;
  return file >> value ? value : std::numeric_limits<int64_t>::max();
}

int64_t availableInSystem() {
  std::ifstream file("/proc/meminfo");
  if (!file)
    throwSystemError("open /proc/meminfo");
  std::string key;
  int64_t kibibytes = 0;
  while (file >> key >> kibibytes) {
    if (key == "MemAvailable:")
      return kibibytes * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  throw MachineError("expected a line \"MemAvailable\" in /proc/meminfo to "
                     "tell how much memory is free, got none");
}

} // namespace

GuardedMapping::GuardedMapping(int64_t bytes, int descriptor) {
  const std::size_t page = pageBytes();
  const std::size_t inner =
      (std::size_t(std::max<int64_t>(bytes, 1)) + page - 1) / page * page;
  reservedBytes = inner + 2 * page;
  void *mapped = ::mmap(nullptr, reservedBytes, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    throwSystemError("mmap of " + std::to_string(reservedBytes) + " bytes");
  reserved = static_cast<char *>(mapped);

  const int flags = descriptor < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  if (::mmap(data(), inner, PROT_READ | PROT_WRITE, flags | MAP_FIXED,
             descriptor, 0) == MAP_FAILED) {
    const int code = errno;
    ::munmap(reserved, reservedBytes);
    throwSystemError("mmap of " + std::to_string(bytes) + " bytes", code);
  }
}

GuardedMapping::GuardedMapping(GuardedMapping &&other) noexcept
    : reserved(std::exchange(other.reserved, nullptr)),
      reservedBytes(std::exchange(other.reservedBytes, 0)) {}

GuardedMapping::~GuardedMapping() {
  if (reserved)
    ::munmap(reserved, reservedBytes);
}

char *GuardedMapping::data() const { return reserved + pageBytes(); }

int64_t freeHostBytes() {
  const int64_t limit = readLimit("/sys/fs/cgroup/memory.max");
  int64_t available = availableInSystem();
  if (limit != std::numeric_limits<int64_t>::max()) {
    const int64_t used = readLimit("/sys/fs/cgroup/memory.current");
    available = std::min(available, std::max<int64_t>(limit - used, 0));
  }
  return available;
}

void checkFreeHostBytes(int64_t bytes) {
  if (bytes < 0)
    throw UserError("expected a number of bytes to allocate, got " +
                    std::to_string(bytes));
  const int64_t available = freeHostBytes();
  if (bytes > available)
    throw UserError("expected at most " + std::to_string(available) +
                    " bytes, what the emulated device has free, got a request "
                    "for " +
                    std::to_string(bytes) + " bytes; use smaller tensors");
}

FileDescriptor makeMemoryFile(const char *label) {
  FileDescriptor file(
      checked(::memfd_create(label, MFD_CLOEXEC), "memfd_create"));
  // Above the standard streams, so that a child can be given those freely.
  if (file.get() > 8)
    return file;
  const int higher = ::fcntl(file.get(), F_DUPFD_CLOEXEC, 9);
  // Where the limit allows no such number at all, the code is another.
  if (higher < 0)
    throwSystemError("fcntl", errno == EINVAL ? EMFILE : errno);
  return FileDescriptor(higher);
}

std::string readMemoryFile(int descriptor) {
  struct stat status;
  checked(::fstat(descriptor, &status), "fstat");
  std::string content(std::size_t(status.st_size), '\0');
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t count = checked(::pread(descriptor, content.data() + done,
                                          content.size() - done, off_t(done)),
                                  "pread");
    if (count == 0)
      throw MachineError("expected " + std::to_string(content.size()) +
                         " bytes in a memory file, got " +
                         std::to_string(done));
    done += std::size_t(count);
  }
  return content;
}

void growMemoryFile(int descriptor, int64_t bytes) {
  const FileSizeSignalHeld held;
  if (::ftruncate(descriptor, off_t(bytes)) != 0)
    throwSystemError("ftruncate to " + std::to_string(bytes) + " bytes");
}

void writeMemoryFile(int descriptor, const std::string &content) {
  const FileSizeSignalHeld held;
  std::size_t done = 0;
  while (done < content.size())
    done += std::size_t(checked(::pwrite(descriptor, content.data() + done,
                                         content.size() - done, off_t(done)),
                                "pwrite"));
}

} // namespace tilewire::emulator
