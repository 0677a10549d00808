//===- ToolkitLibrary.h - a library of the CUDA toolkit, opened -----------===//
//
// Opens NVRTC and NCCL where they are, so that every binary starts without
// them. Used by the parts that list a library's functions.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_CUDA_TOOLKITLIBRARY_H
#define TILEWIRE_RUNTIME_CUDA_TOOLKITLIBRARY_H

#include <string>
#include <vector>

namespace tilewire {

/// A shared library, never closed: threads may still be inside when the
/// process ends.
class ToolkitLibrary {
public:
  /// Opens the first of `sonames` on the library path, in lib64 or lib of
  /// $CUDA_HOME and $CUDA_PATH, or in /usr/local/cuda/lib64. MachineError
  /// naming where it looked, and `remedy`, when there is none.
  ToolkitLibrary(const std::vector<std::string> &sonames,
                 const std::string &remedy);

  /// The address of function `name`; MachineError when it has none.
  template <typename Function> Function find(const char *name) const {
    return reinterpret_cast<Function>(address(name));
  }

private:
  void *address(const char *name) const;

  std::string soname;
  void *handle = nullptr;
};

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_CUDA_TOOLKITLIBRARY_H
