//===- ChildProcess.h - runs a program to its end -------------------------===//
//
// For the host compiler: no shell, memory files for input and output, a bounded
// time, and nothing left running, even when this process is killed meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_EMULATOR_CHILDPROCESS_H
#define TILEWIRE_RUNTIME_EMULATOR_CHILDPROCESS_H

#include <chrono>
#include <string>
#include <vector>

namespace tilewire::emulator {

struct ChildResult {
  int status;         ///< as waitpid gives it; 0 when all went well
  std::string output; ///< both of its output streams
};

/// Descriptor number under which the child sees `sharedFile`.
inline constexpr int sharedFileInChild = 3;

/// Runs `command` with `input` on its standard input; what it leaves running
/// ends with it. MachineError when it can't be started or outlasts `limit`; it
/// is then ended.
ChildResult runChild(const std::vector<std::string> &command,
                     const std::string &input, int sharedFile,
                     std::chrono::milliseconds limit);

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_CHILDPROCESS_H
