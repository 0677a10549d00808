//===- ChildProcess.cpp - runs a program to its end -----------------------===//

#include "runtime/emulator/ChildProcess.h"

#include "runtime/ProcessGroup.h"
#include "runtime/SystemCall.h"
#include "runtime/emulator/HostMemory.h"

namespace tilewire::emulator {

ChildResult runChild(const std::vector<std::string> &command,
                     const std::string &input, int sharedFile,
                     std::chrono::milliseconds limit) {
  FileDescriptor inputFile = makeMemoryFile("tilewire-input");
  FileDescriptor outputFile = makeMemoryFile("tilewire-output");
  writeMemoryFile(inputFile.get(), input);

  ProcessGroup group({command,
                      /*variables=*/{},
                      {{inputFile.get(), 0},
                       {outputFile.get(), 1},
                       {outputFile.get(), 2},
                       {sharedFile, sharedFileInChild}}});
  if (group.startError() != 0)
    throwSystemError("starting " + command[0], group.startError());
  const std::optional<int> status = group.await(limit);
  if (!status) {
    group.end();
    group.await(std::chrono::seconds(5));
    throw MachineError("expected " + command[0] + " to end within " +
                       std::to_string(limit.count()) +
                       " ms, got no end; it was stopped");
  }
  return {*status, readMemoryFile(outputFile.get())};
}

} // namespace tilewire::emulator
