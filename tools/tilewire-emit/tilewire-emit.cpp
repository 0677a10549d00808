//===- tilewire-emit.cpp - tile IR to CUDA text ---------------------------===//

#include <tilewire/Compiler.h>
#include <tilewire/Error.h>

#include <CLI/CLI.hpp>

#include <fstream>
#include <iostream>
#include <iterator>

namespace tw = tilewire;

namespace {

std::string readAll(const std::string &file) {
  if (file == "-")
    return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream in(file, std::ios::binary);
  in.peek(); // a folder opens, and fails here
  if (!in.is_open() || in.bad())
    throw tw::UserError("expected a readable file of tile IR, got '" + file +
                        "'");
  return {std::istreambuf_iterator<char>(in), {}};
}

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
  std::string file, stopAfter;
  app.add_option("FILE", file, "tile IR; - for standard input")->required();
  app.add_option("--stop-after", stopAfter,
                 "print the IR after this step instead");
  CLI11_PARSE(app, argc, argv);
  try {
    const tw::Program program =
        tw::Program::parse(readAll(file), file == "-" ? "<stdin>" : file);
    std::cout << (stopAfter.empty() ? tw::compile(program).text
                                    : tw::lower(program, stopAfter));
  } catch (const tw::Error &error) {
    std::cerr << tw::errorPrefix(error.kind()) << error.what() << "\n";
    return 1;
  }
  return std::cout.flush() ? 0 : 1;
}
