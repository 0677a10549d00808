//===- LineMerger.cpp - the output of many ranks as one stream ------------===//

#include "runtime/world/LineMerger.h"

#include "runtime/SystemCall.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <vector>

namespace tilewire {
namespace {

// A longer line is passed on in pieces of this size; users are told of it.
constexpr size_t maxLineBytes = 1 << 16;

} // namespace

void LineMerger::write(int target, const std::string &text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t written =
        ::write(target, text.data() + done, text.size() - done);
    if (written >= 0) {
      done += size_t(written);
    } else if (errno == EAGAIN) {
      // Whoever shares the stream made it non-blocking.
      pollfd polled{target, POLLOUT, 0};
      ::poll(&polled, 1, -1);
    } else if (errno != EINTR) {
      // The ranks are read on: they must not block in their own writes.
      if (lost.empty())
        lost = describeSystemError(target == STDERR_FILENO
                                       ? "can't write to standard error"
                                       : "can't write to standard output",
                                   errno);
      return;
    }
  }
}

void LineMerger::checkWritten() const {
  if (!lost.empty())
    throw MachineError(lost);
}

FileDescriptor LineMerger::addSource(std::string prefix, int target) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throwSystemError("pipe2");
  FileDescriptor writeEnd(ends[1]);
  sources.push_back({std::move(prefix), target, FileDescriptor(ends[0]), ""});
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return writeEnd;
}

void LineMerger::passOn(std::chrono::milliseconds time) {
  std::vector<pollfd> polled;
  for (const Source &source : sources)
    polled.push_back({source.pipe.get(), POLLIN, 0});
  if (::poll(polled.data(), polled.size(), int(time.count())) <= 0)
    return;
  size_t next = 0;
  sources.remove_if([&](Source &source) {
    return polled[next++].revents != 0 && !readFrom(source);
  });
}

void LineMerger::finish() {
  for (Source &source : sources) {
    while (readFrom(source)) {
      pollfd polled{source.pipe.get(), POLLIN, 0};
      if (::poll(&polled, 1, 0) <= 0)
        break;
    }
    if (!source.line.empty())
      write(source.target, source.prefix + source.line + "\n");
  }
  sources.clear();
}

/// False at the end of the pipe.
bool LineMerger::readFrom(Source &source) {
  char buffer[1 << 14];
  const ssize_t received = ::read(source.pipe.get(), buffer, sizeof(buffer));
  if (received < 0)
    return errno == EAGAIN || errno == EINTR;
  std::string lines;
  for (const char byte : std::string_view(buffer, size_t(received))) {
    if (byte == '\n' || source.line.size() == maxLineBytes) {
      lines += source.prefix + source.line + "\n";
      source.line.clear();
    }
    if (byte != '\n')
      source.line += byte;
  }
  if (received == 0 && !source.line.empty()) {
    lines += source.prefix + source.line + "\n";
    source.line.clear();
  }
  write(source.target, lines);
  return received > 0;
}

} // namespace tilewire
