//===- FileSizeSignal.h - a limit on file sizes as an error ---------------===//
//
// Where the limit on file sizes (ulimit -f) stops a file from growing, memory
// files included, the system sends a signal that ends the process without a
// word. While this lives, the call fails with EFBIG instead. Used where the
// runtime lets files grow; the program's own files are the program's.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_FILESIZESIGNAL_H
#define TILEWIRE_RUNTIME_FILESIZESIGNAL_H

#include <csignal>
#include <ctime>

namespace tilewire {

/// Holds back SIGXFSZ in this thread, to which alone it is sent. Changes errno
/// when it goes.
class FileSizeSignalHeld {
public:
  FileSizeSignalHeld() {
    ::sigemptyset(&held);
    ::sigaddset(&held, SIGXFSZ);
    ::pthread_sigmask(SIG_BLOCK, &held, &before);
  }
  ~FileSizeSignalHeld() {
    const timespec noTime{};
    ::sigtimedwait(&held, nullptr, &noTime); // takes it, if it was sent
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  FileSizeSignalHeld(const FileSizeSignalHeld &) = delete;
  FileSizeSignalHeld &operator=(const FileSizeSignalHeld &) = delete;

private:
  sigset_t held;
  sigset_t before;
};

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_FILESIZESIGNAL_H
