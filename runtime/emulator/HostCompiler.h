//===- HostCompiler.h - generated text to a shared object -----------------===//
//
// Runs the host's C++ compiler on a kernel's text. Everything passes through
// memory files, so that nothing stays on disk however this process ends.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_EMULATOR_HOSTCOMPILER_H
#define TILEWIRE_RUNTIME_EMULATOR_HOSTCOMPILER_H

#include "runtime/Device.h"
#include "runtime/emulator/ChildProcess.h"

#include <string>
#include <vector>

namespace tilewire::emulator {

class HostCompiler {
public:
  /// Takes TILEWIRE_CXX or CXX from the environment, or the first of c++, g++
  /// and clang++ on the PATH. UserError naming what was looked for. `limit`:
  /// how long one compile may take.
  explicit HostCompiler(std::chrono::milliseconds limit = compileLimit);

  /// All that an image depends on besides the kernel's source.
  std::string key() const;

  /// A shared object that Module loads. InternalError with the compiler's log
  /// and the offending line when it refuses the text; MachineError with the
  /// command and the log when it fails by itself or does not end.
  std::string compile(const KernelSource &source) const;

private:
  struct Outcome {
    ChildResult result;
    std::string image; ///< empty when the compiler made none
  };
  Outcome run(const std::string &text) const;

  std::chrono::milliseconds limit;
  std::vector<std::string> command;   ///< compiler and options
  std::string given;                  ///< what of that the user gave
  std::vector<std::string> libraries; ///< options after the text
  std::string version;
};

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_HOSTCOMPILER_H
