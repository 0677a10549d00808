//===- CapturedStream.h - what a process and its children print -----------===//
//
// Sends a standard stream to memory for a while. For tests that start ranks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_UNIT_CAPTUREDSTREAM_H
#define TILEWIRE_TESTS_UNIT_CAPTUREDSTREAM_H

#include "runtime/FileDescriptor.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <fcntl.h>
#include <sstream>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace tilewire::test {

/// While alive, a standard stream goes to memory.
class CapturedStream {
public:
  explicit CapturedStream(int stream)
      : stream(stream), saved(::dup(stream)),
        memory(::memfd_create("captured", MFD_CLOEXEC)) {
    // A memory file doesn't guard the place at which those who share it write:
    // two at the same time would take the same. Appending finds the end under
    // the file's own lock.
    ::fcntl(memory.get(), F_SETFL, O_APPEND);
    ::dup2(memory.get(), stream);
  }
  ~CapturedStream() { ::dup2(saved.get(), stream); }

  std::string text() const {
    std::string content(size_t(::lseek(memory.get(), 0, SEEK_END)), '\0');
    REQUIRE(::pread(memory.get(), content.data(), content.size(), 0) ==
            ssize_t(content.size()));
    return content;
  }
  std::vector<std::string> sortedLines() const {
    std::istringstream stream(text());
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
      lines.push_back(line);
    std::sort(lines.begin(), lines.end());
    return lines;
  }

private:
  int stream;
  FileDescriptor saved;
  FileDescriptor memory;
};

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_UNIT_CAPTUREDSTREAM_H
