//===- tilewire-run.cpp - starts a program as the ranks of a job ----------===//

#include "tools/CommandLine.h"

#include <tilewire/Launch.h>
#include <tilewire/Partition.h>

namespace {

constexpr int64_t maxGraceSeconds = 3600;

const char *const description =
    R"(Starts N processes of one program, the ranks of a job, and waits for all.

Each rank finds the others by itself: tilewire::World::join reads what this
launcher puts into the environment (TILEWIRE_RANK, TILEWIRE_SIZE,
TILEWIRE_LOCAL_RANK and TILEWIRE_RENDEZVOUS).

Options end at the program's name; all that follows is the program's own.)";

const char *const footer = R"(
Output comes line by line with the rank in front; a line of more than 65,536
bytes comes as several. Ranks have no standard input.
When a rank fails, the others hear of it, have --grace seconds to end, and are
then killed. The exit code is 0, or that of the rank that failed first
(128 + signal when it was killed).

Examples:
  tilewire-run -n 4 ./my_program --backend emulator
  tilewire-run -n 2 --no-prefix sh -c 'echo I am $TILEWIRE_RANK')";

} // namespace

int main(int argc, char **argv) {
  CLI::App app{description, "tilewire-run"};
  app.footer(footer);
  tilewire::LaunchOptions options;
  bool noPrefix = false;
  double graceSeconds = 5;
  std::vector<std::string> command;
  tilewire::addNumber(app, "-n,--ranks", options.numRanks, 1,
                      tilewire::maxRanks, "number of ranks, 1 to 72")
      ->required();
  app.add_flag("--no-prefix", noPrefix, "leave output as the ranks write it");
  tilewire::addNumber(app, "--grace", graceSeconds, 0, maxGraceSeconds,
                      "seconds that the others get after one rank failed")
      ->default_str("5");
  app.add_option("PROGRAM", command, "program and its arguments")->required();
  app.prefix_command();
  app.positionals_at_end();
  return tilewire::runProgram("tilewire-run: ", [&] {
    if (!tilewire::parseCommandLine(app, argc, argv))
      return 0;
    options.prefixLines = !noPrefix;
    options.grace = std::chrono::milliseconds(int64_t(graceSeconds * 1000));
    return tilewire::launchRanks(options, command);
  });
}
