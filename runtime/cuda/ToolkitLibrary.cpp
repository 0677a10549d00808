//===- ToolkitLibrary.cpp - a library of the CUDA toolkit, opened ---------===//

#include "runtime/cuda/ToolkitLibrary.h"

#include <tilewire/Error.h>

#include <dlfcn.h>

#include <cstdlib>

namespace tilewire {
namespace {

/// Places to look in, in order; the empty one is the library path.
std::vector<std::string> libraryDirectories() {
  std::vector<std::string> directories = {""};
  // $CUDA_HOME, $CUDA_PATH: folder of a CUDA toolkit, in whose `lib64` and
  // `lib` NVRTC and NCCL are looked for after the library path and before
  // `/usr/local/cuda/lib64`.
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *root = std::getenv(variable); root && *root)
      for (const char *lib : {"/lib64/", "/lib/"})
        directories.push_back(std::string(root) + lib);
  directories.push_back("/usr/local/cuda/lib64/");
  return directories;
}

} // namespace

ToolkitLibrary::ToolkitLibrary(const std::vector<std::string> &sonames,
                               const std::string &remedy) {
  std::string names;
  for (const std::string &directory : libraryDirectories())
    for (const std::string &candidate : sonames) {
      soname = candidate;
      handle = ::dlopen((directory + soname).c_str(), RTLD_NOW | RTLD_LOCAL);
      if (handle)
        return;
    }
  for (const std::string &candidate : sonames)
    names += (names.empty() ? "" : " or ") + candidate;
  throw MachineError("no " + names +
                     " on the library path, in lib64 or lib of CUDA_HOME and "
                     "CUDA_PATH, or in /usr/local/cuda/lib64; " +
                     remedy);
}

void *ToolkitLibrary::address(const char *name) const {
  if (void *found = ::dlsym(handle, name))
    return found;
  throw MachineError("the " + soname + " found has no " + name);
}

} // namespace tilewire
