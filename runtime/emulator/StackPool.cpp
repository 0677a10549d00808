//===- StackPool.cpp - stacks of parked threads ---------------------------===//

#include "runtime/emulator/StackPool.h"

#include "runtime/emulator/StackSwitch.h"

namespace tilewire::emulator {

namespace {

constexpr std::size_t stackBytes = std::size_t(64) * 1024;
constexpr std::size_t stacksPerSlab = 64;

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
