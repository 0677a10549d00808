//===- tilewire-nvrtc.cpp - compile generated text without a GPU ----------===//
//
// Compiles a generated text against the embedded prelude for one architecture,
// or for it and every newer one that NVRTC knows, and prints what the assembler
// says of registers, spills and shared memory. Exit code: 0 when all compiled,
// 1 when the text is at fault, 2 for any other error, 77 without NVRTC (the
// usual code for a skipped test).
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/Nvrtc.h"
#include "tools/CommandLine.h"
#include "tools/ReadInput.h"

using namespace tilewire;

namespace {

constexpr int exitSkipped = 77;

struct Arguments {
  std::string file = "-";
  std::string architecture = "sm_90";
  bool allNewer = false;
};

std::vector<CompileTarget> targets(const Arguments &arguments) {
  const CompileTarget first = parseTarget(arguments.architecture);
  std::vector<CompileTarget> all = {first};
  if (arguments.allNewer)
    for (int architecture : nvrtcArchitectures())
      if (architecture > first.architecture)
        all.push_back({architecture, first.machineCode});
  return all;
}

int compileAll(const Arguments &arguments) {
  const std::string text = readInput(arguments.file, "a readable file");
  const std::string name = arguments.file == "-" ? "stdin.cu" : arguments.file;
  for (const CompileTarget &target : targets(arguments)) {
    const CompiledText compiled =
        compileForTarget(text, name, target, /*verbose=*/true);
    std::ostream &stream = compiled.succeeded ? std::cout : std::cerr;
    stream << target.name() << ": "
           << (compiled.succeeded ? "compiled" : "failed") << '\n'
           << compiled.log << (compiled.log.empty() ? "" : "\n");
    if (!compiled.succeeded)
      return exitFailed;
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  Arguments arguments;
  CLI::App app("Compiles generated CUDA text with NVRTC; needs no GPU.");
  app.add_option("file", arguments.file, "the text, '-' for standard input");
  app.add_option("--arch", arguments.architecture,
                 "architecture: sm_90, sm_90a or compute_90");
  app.add_flag("--all-newer", arguments.allNewer,
               "also every newer architecture that NVRTC knows");
  return runProgram("", [&] {
    if (!parseCommandLine(app, argc, argv))
      return 0;
    if (std::string reason; !hasNvrtc(&reason)) {
      std::cout << "skipped: " << reason << '\n';
      return exitSkipped;
    }
    return compileAll(arguments);
  });
}
