//===- Not.cpp - succeeds when a command fails ----------------------------===//
//
// `not COMMAND...` exits 0 when the command exits with a failure, 1 when it
// succeeds or dies of a signal. With --crash it exits 0 only when the command
// dies of a signal.
//
//===----------------------------------------------------------------------===//

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

int main(int argc, char **argv) {
  char **command = argv + 1;
  const bool expectCrash = argc > 1 && std::string_view(argv[1]) == "--crash";
  if (expectCrash)
    ++command;
  if (!*command) {
    std::fputs("error: expected a command, try: not [--crash] false\n", stderr);
    return EXIT_FAILURE;
  }

  pid_t child = 0;
  if (int error =
          posix_spawnp(&child, *command, nullptr, nullptr, command, environ)) {
    std::fprintf(stderr, "error: can't start '%s': %s\n", *command,
                 std::strerror(error));
    return EXIT_FAILURE;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) {
      std::perror("error: waitpid");
      return EXIT_FAILURE;
    }

  const bool crashed = WIFSIGNALED(status);
  if (expectCrash)
    return crashed ? EXIT_SUCCESS : EXIT_FAILURE;
  if (crashed) {
    std::fprintf(stderr, "error: '%s' died of signal %d (%s)\n", *command,
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    return EXIT_FAILURE;
  }
  return WEXITSTATUS(status) != 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
