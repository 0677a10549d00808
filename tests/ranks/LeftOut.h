//===- LeftOut.h - a kernel without one of its syncs or barriers ----------===//
//
// Finds the statements of a kernel's text that order it, and leaves each out in
// turn: within a few orders of blocks and threads the emulator must show it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_RANKS_LEFTOUT_H
#define TILEWIRE_TESTS_RANKS_LEFTOUT_H

#include "Memory.h"

namespace tilewire::test {

/// A statement of a text.
struct Statement {
  size_t begin, length;
};

std::vector<Statement> findSyncs(const std::string &text);
std::vector<Statement> findBarriers(const std::string &text);

/// The text, one sync or barrier of which can be left out although 20 seeds of
/// the emulator are tried; empty where each shows. One launch takes `memory` to
/// `expected`.
std::string textWithNeedless(const KernelSource &source, const Memory &memory,
                             const Memory &expected);

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_RANKS_LEFTOUT_H
