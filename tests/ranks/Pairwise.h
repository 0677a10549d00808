//===- Pairwise.h - few cases that meet every pair ------------------------===//
//
// For tests over many axes, where the full product is too much and each pair
// of values of two axes should meet in some case.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_RANKS_PAIRWISE_H
#define TILEWIRE_TESTS_RANKS_PAIRWISE_H

#include <vector>

namespace tilewire::test {

/// Cases, each a choice of one of `sizes[axis]` values for each axis, such that
/// each two values of two axes are chosen together at least once. The same in
/// every run.
std::vector<std::vector<int>> pairwise(const std::vector<int> &sizes);

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_RANKS_PAIRWISE_H
