//===- FileDescriptor.h - an owned descriptor -----------------------------===//
//
// Closes on destruction; every descriptor in the runtime is one of these.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_FILEDESCRIPTOR_H
#define TILEWIRE_RUNTIME_FILEDESCRIPTOR_H

#include <unistd.h>

#include <utility>

namespace tilewire {

class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd(fd) {}
  FileDescriptor(FileDescriptor &&other) noexcept
      : fd(std::exchange(other.fd, -1)) {}
  FileDescriptor &operator=(FileDescriptor &&other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  ~FileDescriptor() {
    if (fd >= 0)
      ::close(fd);
  }

  int get() const { return fd; }
  explicit operator bool() const { return fd >= 0; }

private:
  int fd = -1;
};

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_FILEDESCRIPTOR_H
