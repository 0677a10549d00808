//===- StackPool.h - stacks of parked threads -----------------------------===//
//
// Stacks for fibers, kept for the next one when a fiber ends: a thread that
// runs through without parking hands a warm stack to the thread after it. Used
// by one host thread.
//
// Stacks lie side by side without guard pages between them, because each guard
// would cost two of the process's limited number of mappings. The host compiler
// is told to refuse a kernel whose frame exceeds `maxFrameBytes` instead.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_EMULATOR_STACKPOOL_H
#define TILEWIRE_RUNTIME_EMULATOR_STACKPOOL_H

#include "runtime/emulator/HostMemory.h"

#include <boost/context/stack_context.hpp>

#include <vector>

namespace tilewire::emulator {

/// Largest frame of a kernel, all its helpers being inlined; the rest of a
/// stack is for the hooks.
inline constexpr int maxFrameBytes = 32 * 1024;

class StackPool {
public:
  boost::context::stack_context allocate();
  void release(const boost::context::stack_context &stack) noexcept;

  /// Takes a stack back when its fiber ends, as Boost.Context wants it.
  struct Releaser {
    StackPool *pool;
    void deallocate(boost::context::stack_context &stack) noexcept {
      pool->release(stack);
    }
  };

private:
  std::vector<GuardedMapping> slabs;
  std::vector<void *> idle; ///< upper ends
};

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_STACKPOOL_H
