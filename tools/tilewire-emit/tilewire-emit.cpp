//===- tilewire-emit.cpp - tile IR to CUDA text ---------------------------===//

#include "tools/CommandLine.h"
#include "tools/ReadInput.h"

#include <tilewire/Compiler.h>

#include <optional>

namespace tw = tilewire;

namespace {

std::string listSteps() {
  std::string list;
  for (const std::string &step : tw::pipelineSteps())
    list += "\n  " + step;
  return list;
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("Prints the CUDA text of a tile program, or the IR after one of "
               "the compiler's steps.",
               "tilewire-emit");
  app.footer("Steps, in order:" + listSteps() +
             "\n\nExample:\n  tilewire-emit program.mlir\n"
             "  tilewire-emit --stop-after plan-transfers program.mlir");
  std::string file;
  std::optional<std::string> stopAfter;
  app.add_option("FILE", file, "tile IR; - for standard input")->required();
  app.add_option("--stop-after", stopAfter,
                 "print the IR after this step instead");
  return tw::runProgram("", [&] {
    if (!tw::parseCommandLine(app, argc, argv))
      return 0;
    const tw::Program program =
        tw::Program::parse(tw::readInput(file, "a readable file of tile IR"),
                           file == "-" ? "<stdin>" : file);
    std::cout << (stopAfter ? tw::lower(program, *stopAfter)
                            : tw::compile(program).text);
    return 0;
  });
}
