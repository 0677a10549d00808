//===- SystemCall.h - failed system calls as errors -----------------------===//
//
// Turns the result of a system call into itself or a MachineError that names
// the call, the text of its code and the code. Used all over the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_SYSTEMCALL_H
#define TILEWIRE_RUNTIME_SYSTEMCALL_H

#include <tilewire/Error.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace tilewire {

/// "mmap of 4096 bytes: Cannot allocate memory (12)"; where a limit of this
/// process is exhausted, with what raises it.
inline std::string describeSystemError(const std::string &call, int code) {
  const char *advice =
      code == EMFILE  ? "; raise the limit on open files with ulimit -n"
      : code == EFBIG ? "; raise the limit on file sizes with ulimit -f"
                      : "";
  return call + ": " + std::generic_category().message(code) + " (" +
         std::to_string(code) + ")" + advice;
}

/// MachineError with that message.
[[noreturn]] inline void throwSystemError(const std::string &call,
                                          int code = errno) {
  throw MachineError(describeSystemError(call, code));
}

/// `result`, unless it is -1.
template <typename Result> Result checked(Result result, const char *call) {
  if (result == -1)
    throwSystemError(call);
  return result;
}

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_SYSTEMCALL_H
