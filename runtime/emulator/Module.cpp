//===- Module.cpp - a compiled image in this process ----------------------===//

#include "runtime/emulator/Module.h"

#include "runtime/emulator/HostMemory.h"

#include <tilewire/Error.h>

#include <dlfcn.h>

namespace tilewire::emulator {

namespace {

void *findSymbol(void *library, const char *name) {
  if (void *symbol = ::dlsym(library, name))
    return symbol;
  throw InternalError(std::string("expected a kernel image that defines ") +
                      name + ", got one without");
}

} // namespace

void Module::Close::operator()(void *library) const { ::dlclose(library); }

Module::Module(const std::string &image)
    : file(makeMemoryFile("tilewire-kernel")) {
  writeMemoryFile(file.get(), image);
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  library.reset(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library)
    throw MachineError(std::string("dlopen of a kernel image failed: ") +
                       ::dlerror());
  entry = reinterpret_cast<decltype(entry)>(
      findSymbol(library.get(), "__tilewire_call"));
  state = reinterpret_cast<tw::emulator::Current *(*)()>(
      findSymbol(library.get(), "__tilewire_current"))();
}

} // namespace tilewire::emulator
