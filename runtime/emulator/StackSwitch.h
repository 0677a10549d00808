//===- StackSwitch.h - switches of stacks, told to the sanitizer ----------===//
//
// The address sanitizer must know on which stack the host thread is. Grid makes
// these around its switches between its own stack and a fiber's, StackPool
// forgets what a fiber left; in a build without the sanitizer they are empty.
// Knows no kernels.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_EMULATOR_STACKSWITCH_H
#define TILEWIRE_RUNTIME_EMULATOR_STACKSWITCH_H

#include <boost/context/stack_context.hpp>

#if defined(__SANITIZE_ADDRESS__)
#define TILEWIRE_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TILEWIRE_ADDRESS_SANITIZER
#endif
#endif

#ifdef TILEWIRE_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace tilewire::emulator {

using boost::context::stack_context;

#ifdef TILEWIRE_ADDRESS_SANITIZER

/// Made before a switch to another stack, and destroyed back on this one,
/// whether the switch returns or throws.
class StackSwitch {
public:
  explicit StackSwitch(const stack_context &stack) {
    __sanitizer_start_switch_fiber(
        &frames, static_cast<char *>(stack.sp) - stack.size, stack.size);
  }
  ~StackSwitch() { __sanitizer_finish_switch_fiber(frames, nullptr, nullptr); }
  StackSwitch(const StackSwitch &) = delete;
  StackSwitch &operator=(const StackSwitch &) = delete;

private:
  void *frames = nullptr; ///< what the sanitizer keeps for the stack left
};

/// The life of a fiber: made first of all on its stack, and destroyed last,
/// before the switch from which it does not come back.
class FiberLife {
public:
  /// Sets `home` to the stack that the fiber was entered from.
  explicit FiberLife(stack_context &home) : home(home) {
    const void *bottom = nullptr;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &home.size);
    home.sp = static_cast<char *>(const_cast<void *>(bottom)) + home.size;
  }
  ~FiberLife() {
    __sanitizer_start_switch_fiber(
        nullptr, static_cast<char *>(home.sp) - home.size, home.size);
  }
  FiberLife(const FiberLife &) = delete;
  FiberLife &operator=(const FiberLife &) = delete;

private:
  const stack_context &home;
};

/// A fiber that ends leaves the marks of its last frames, over which whatever
/// comes to use that memory would trip: the next fiber, or another mapping.
inline void forgetFrames(const stack_context &stack) {
  __asan_unpoison_memory_region(static_cast<char *>(stack.sp) - stack.size,
                                stack.size);
}

#else

struct StackSwitch {
  explicit StackSwitch(const stack_context &) {}
};

struct FiberLife {
  explicit FiberLife(stack_context &) {}
};

inline void forgetFrames(const stack_context &) {}

#endif

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_STACKSWITCH_H
