//===- Context.h - a GPU's primary context --------------------------------===//
//
// The context that everything on one GPU lives in, shared with whatever else
// in the process uses that GPU. Each object of the back end holds one, so the
// context outlives them. Used by runtime/cuda alone.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_CUDA_CONTEXT_H
#define TILEWIRE_RUNTIME_CUDA_CONTEXT_H

#include "runtime/cuda/Driver.h"

#include <memory>

namespace tilewire {

class Context {
public:
  /// UserError when there is no GPU `ordinal`.
  explicit Context(int ordinal);
  ~Context();
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  CUdevice device() const { return cuDevice; }
  CUcontext handle() const { return context; }
  int attribute(CUdevice_attribute which) const;

private:
  CUdevice cuDevice = 0;
  CUcontext context = nullptr;
};

using SharedContext = std::shared_ptr<const Context>;

/// Makes a context current in this thread for a scope, and leaves the caller's
/// own as it was: calls may come from any thread. Serves destructors too, so a
/// failure is left to the calls inside the scope, which then fail themselves.
class CurrentContext {
public:
  explicit CurrentContext(const Context &context) noexcept
      : pushed(driver().cuCtxPushCurrent.result(context.handle()) ==
               CUDA_SUCCESS) {}
  ~CurrentContext() {
    CUcontext popped;
    if (pushed)
      driver().cuCtxPopCurrent.orReport(&popped);
  }
  CurrentContext(const CurrentContext &) = delete;
  CurrentContext &operator=(const CurrentContext &) = delete;

private:
  bool pushed;
};

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_CUDA_CONTEXT_H
