//===- RandomSequence.h - sequences at random -----------------------------===//
//
// Sequences whose result is determined although blocks and ranks run at once,
// and in which the steps of one block depend on each other as they happen to.
//
// From one barrier to the next a tensor is either owned, each region read and
// written by its block alone, on this rank or peers, or it is shared, read by
// all and written by none.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_RANKS_RANDOMSEQUENCE_H
#define TILEWIRE_TESTS_RANKS_RANDOMSEQUENCE_H

#include "Sequences.h"

namespace tilewire::test {

/// The same for the same number, in every run and on every machine; for
/// 1 + number % 4 ranks.
Sequence randomSequence(uint64_t number);

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_RANKS_RANDOMSEQUENCE_H
