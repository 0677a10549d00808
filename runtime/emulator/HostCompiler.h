//===- HostCompiler.h - generated text to a shared object -----------------===//
//
// Runs the host's C++ compiler on a kernel's text. Everything passes through
// memory files, so that nothing stays on disk however this process ends.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_EMULATOR_HOSTCOMPILER_H
#define TILEWIRE_RUNTIME_EMULATOR_HOSTCOMPILER_H

#include <tilewire/KernelSource.h>

#include <string>
#include <vector>

namespace tilewire::emulator {

class HostCompiler {
public:
  /// Takes TILEWIRE_CXX or CXX from the environment, or the first of c++, g++
  /// and clang++ on the PATH. UserError naming what was looked for.
  HostCompiler();

  /// All that an image depends on besides the kernel's source.
  std::string key() const;

  /// A shared object that Module loads. InternalError with the compiler's log
  /// and the offending line when it refuses the text, MachineError when it
  /// can't be run or does not end.
  std::string compile(const KernelSource &source) const;

private:
  std::vector<std::string> command;   ///< compiler and options
  std::vector<std::string> libraries; ///< options after the text
  std::string version;
};

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_HOSTCOMPILER_H
