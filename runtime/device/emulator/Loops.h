//===- Loops.h - loops of generated text that do not end ------------------===//
//
// Every loop of the text counts its iterations, and every so many the runtime
// looks whether the thread goes on: one that loops for ever is seen, whatever
// it does, unless it does so by goto. Joined after Barriers.h, whose waits end
// by their own deadline. Includes nothing, as a macro of a keyword's name must.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DEVICE_EMULATOR_LOOPS_H
#define TILEWIRE_DEVICE_EMULATOR_LOOPS_H

namespace tw::emulator {

/// Counts an iteration of the loop at source place `site`; true.
__attribute__((always_inline)) inline bool iterate(const char *site) {
  if (__builtin_expect(--current.iterations == 0, false))
    current.hooks->look(site);
  return true;
}

} // namespace tw::emulator

// `while` is that of `do` too. A condition of `while` can't declare a variable
// here. clang-format would make these macros without parameters.
// clang-format off
#define for(...)                                                               \
  for (__VA_ARGS__)                                                            \
    if (!::tw::emulator::iterate(TW_SITE)) {                                   \
    } else
#define while(...) while (::tw::emulator::iterate(TW_SITE) && (__VA_ARGS__))
// clang-format on

#endif // TILEWIRE_DEVICE_EMULATOR_LOOPS_H
