//===- ChildProcess.cpp - runs a program to its end -----------------------===//

#include "runtime/emulator/ChildProcess.h"

#include "runtime/ProcessGroup.h"
#include "runtime/SystemCall.h"
#include "runtime/emulator/HostMemory.h"

#include <csignal>
#include <optional>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>

extern char **environ;

namespace tilewire::emulator {

namespace {

using Clock = std::chrono::steady_clock;

void checkSpawn(int code, const std::string &call) {
  if (code != 0)
    throwSystemError(call, code);
}

/// Owns the two descriptions of a child to come.
struct SpawnSettings {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;

  SpawnSettings() {
    checkSpawn(posix_spawn_file_actions_init(&files), "posix_spawn set-up");
    checkSpawn(posix_spawnattr_init(&attributes), "posix_spawn set-up");
  }
  SpawnSettings(const SpawnSettings &) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }

  void connect(int ours, int theirs) {
    checkSpawn(posix_spawn_file_actions_adddup2(&files, ours, theirs),
               "posix_spawn set-up");
  }

  /// In `group`, so that it is ended with all it started, and no signal
  /// blocked.
  void join(const ProcessGroup &group) {
    sigset_t none;
    sigemptyset(&none);
    checkSpawn(posix_spawnattr_setsigmask(&attributes, &none),
               "posix_spawn set-up");
    checkSpawn(posix_spawnattr_setpgroup(&attributes, group.id()),
               "posix_spawn set-up");
    checkSpawn(posix_spawnattr_setflags(
                   &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK),
               "posix_spawn set-up");
  }
};

/// The status of `child` once it has ended; nothing when it has not by then.
std::optional<int> waitUntil(pid_t child, Clock::time_point deadline) {
  while (true) {
    int status = 0;
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child)
      return status;
    if (ended < 0 && errno != EINTR)
      throwSystemError("waitpid");
    if (Clock::now() >= deadline)
      return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

} // namespace

ChildResult runChild(const std::vector<std::string> &command,
                     const std::string &input, int sharedFile,
                     std::chrono::milliseconds limit) {
  FileDescriptor inputFile = makeMemoryFile("tilewire-input");
  FileDescriptor outputFile = makeMemoryFile("tilewire-output");
  writeMemoryFile(inputFile.get(), input);

  const ProcessGroup group;
  SpawnSettings settings;
  settings.connect(inputFile.get(), 0);
  settings.connect(outputFile.get(), 1);
  settings.connect(outputFile.get(), 2);
  settings.connect(sharedFile, sharedFileInChild);
  settings.join(group);

  std::vector<char *> arguments;
  for (const std::string &word : command)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);

  pid_t child = -1;
  checkSpawn(posix_spawnp(&child, arguments[0], &settings.files,
                          &settings.attributes, arguments.data(), environ),
             "starting " + command[0]);
  const std::optional<int> status = waitUntil(child, Clock::now() + limit);
  if (!status) {
    group.end();
    waitUntil(child, Clock::now() + std::chrono::seconds(5));
    throw MachineError("expected " + command[0] + " to end within " +
                       std::to_string(limit.count()) +
                       " ms, got no end; it was stopped");
  }
  return {*status, readMemoryFile(outputFile.get())};
}

} // namespace tilewire::emulator
