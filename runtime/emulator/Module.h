//===- Module.h - a compiled image in this process ------------------------===//
//
// Loads what HostCompiler made. Each Module has its own copy of the image and
// so of its `Current`; one host thread at a time may run a kernel of it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_EMULATOR_MODULE_H
#define TILEWIRE_RUNTIME_EMULATOR_MODULE_H

#include "runtime/FileDescriptor.h"
#include "runtime/device/Table.h"
#include "runtime/device/emulator/Hooks.h"

#include <cstdint>
#include <memory>
#include <string>

namespace tilewire::emulator {

class Module {
public:
  /// InternalError or MachineError when `image` is none that HostCompiler made.
  explicit Module(const std::string &image);

  /// Runs the kernel in the thread that `current` describes.
  void call(const tw::World &world, const uint64_t *arguments) const {
    entry(world, arguments);
  }
  tw::emulator::Current &current() const { return *state; }

private:
  struct Close {
    void operator()(void *library) const;
  };
  // The loader tells libraries apart by path, and the path is the number of
  // this descriptor: it stays open until the library is gone.
  FileDescriptor file;
  std::unique_ptr<void, Close> library;
  void (*entry)(const tw::World &, const uint64_t *) = nullptr;
  tw::emulator::Current *state = nullptr;
};

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_MODULE_H
