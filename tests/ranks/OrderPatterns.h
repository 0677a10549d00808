//===- OrderPatterns.h - steps that need to be ordered, or need not -------===//
//
// Short sequences of which it is known how many syncs and barriers they need.
// Each of these shows in what is left at the end, since other threads, blocks
// or ranks touch what one has touched. Patterns use tensors of their own, so
// any may follow another.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_RANKS_ORDERPATTERNS_H
#define TILEWIRE_TESTS_RANKS_ORDERPATTERNS_H

#include "Sequences.h"

#include <string>

namespace tilewire::test {

struct PatternedSequence {
  Sequence sequence;
  std::string patterns; ///< their names
  // What its text must hold, neither more nor less.
  size_t numSyncs = 0;
  size_t numBarriers = 0;
};

/// One to three patterns. The same for the same number; consecutive numbers
/// begin with each pattern in turn.
PatternedSequence patternedSequence(uint64_t number);

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_RANKS_ORDERPATTERNS_H
