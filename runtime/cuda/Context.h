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

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

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

  /// Runs `release`, which the driver lets wait for every kernel that runs in
  /// the context. While an exception passes, those may be kernels of peers in
  /// this process that wait for the rank it leads out; then it runs later: at
  /// the next release, or when nothing holds the context any more.
  void release(std::function<void()> release) const noexcept;

private:
  void releaseDeferred() const;

  CUdevice cuDevice = 0;
  CUcontext context = nullptr;
  mutable std::mutex mutex;
  mutable std::vector<std::function<void()>> deferred;
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
