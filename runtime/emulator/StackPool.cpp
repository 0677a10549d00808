//===- StackPool.cpp - stacks of parked threads ---------------------------===//

#include "runtime/emulator/StackPool.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace tilewire::emulator {

namespace {

constexpr std::size_t stackBytes = std::size_t(64) * 1024;
constexpr std::size_t stacksPerSlab = 64;

/// A fiber that ends leaves the marks of its last frames in the sanitizer's
/// memory, over which whatever comes to use that memory would trip: the next
/// fiber, or another mapping once the slab is unmapped.
void forgetFrames([[maybe_unused]] const boost::context::stack_context &stack) {
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(static_cast<char *>(stack.sp) - stack.size,
                                stack.size);
#endif
}

} // namespace

boost::context::stack_context StackPool::allocate() {
  if (idle.empty()) {
    slabs.emplace_back(int64_t(stackBytes * stacksPerSlab));
    // Room for every stack, so that release never allocates.
    idle.reserve(slabs.size() * stacksPerSlab);
    for (std::size_t i = stacksPerSlab; i > 0; --i)
      idle.push_back(slabs.back().data() + i * stackBytes);
  }
  boost::context::stack_context stack;
  stack.sp = idle.back();
  stack.size = stackBytes;
  idle.pop_back();
  return stack;
}

void StackPool::release(const boost::context::stack_context &stack) noexcept {
  forgetFrames(stack);
  idle.push_back(stack.sp);
}

} // namespace tilewire::emulator
