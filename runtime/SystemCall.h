//===- SystemCall.h - failed system calls as errors -----------------------===//
//
// Turns the result of a system call into itself or a MachineError that names
// the call. For the emulator's use of memory files and child processes.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_EMULATOR_SYSTEMCALL_H
#define TILEWIRE_RUNTIME_EMULATOR_SYSTEMCALL_H

#include <tilewire/Error.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace tilewire::emulator {

[[noreturn]] inline void throwSystemError(const std::string &call,
                                          int code = errno) {
  throw MachineError(call + " failed with " +
                     std::generic_category().message(code) + " (errno " +
                     std::to_string(code) + ")");
}

/// `result`, unless it is -1.
template <typename Result> Result checked(Result result, const char *call) {
  if (result == -1)
    throwSystemError(call);
  return result;
}

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_SYSTEMCALL_H
