//===- Pairwise.cpp - few cases that meet every pair ----------------------===//

#include "Pairwise.h"

#include <array>
#include <set>

namespace tilewire::test {
namespace {

/// Two axes, the lower first, and a value of each.
using Pair = std::array<int, 4>;

Pair pairOf(int axis, int value, int otherAxis, int otherValue) {
  if (axis < otherAxis)
    return {axis, otherAxis, value, otherValue};
  return {otherAxis, axis, otherValue, value};
}

std::set<Pair> allPairs(const std::vector<int> &sizes) {
  std::set<Pair> pairs;
  for (int axis = 0; axis < int(sizes.size()); ++axis)
    for (int other = axis + 1; other < int(sizes.size()); ++other)
      for (int value = 0; value < sizes[axis]; ++value)
        for (int otherValue = 0; otherValue < sizes[other]; ++otherValue)
          pairs.insert({axis, other, value, otherValue});
  return pairs;
}

/// The value of `axis` that meets the most of `open` beside what is chosen.
int bestValue(const std::set<Pair> &open, const std::vector<int> &chosen,
              int axis, int size) {
  int best = 0;
  int mostMet = -1;
  for (int value = 0; value < size; ++value) {
    int met = 0;
    for (int other = 0; other < int(chosen.size()); ++other)
      if (other != axis && chosen[other] >= 0)
        met += int(open.count(pairOf(axis, value, other, chosen[other])));
    if (met > mostMet) {
      best = value;
      mostMet = met;
    }
  }
  return best;
}

} // namespace

std::vector<std::vector<int>> pairwise(const std::vector<int> &sizes) {
  std::vector<std::vector<int>> cases;
  std::set<Pair> open = allPairs(sizes);
  while (!open.empty()) {
    const Pair first = *open.begin();
    std::vector<int> chosen(sizes.size(), -1);
    chosen[first[0]] = first[2];
    chosen[first[1]] = first[3];
    for (int axis = 0; axis < int(sizes.size()); ++axis)
      if (chosen[axis] < 0)
        chosen[axis] = bestValue(open, chosen, axis, sizes[axis]);
    for (int axis = 0; axis < int(sizes.size()); ++axis)
      for (int other = axis + 1; other < int(sizes.size()); ++other)
        open.erase({axis, other, chosen[axis], chosen[other]});
    cases.push_back(chosen);
  }
  return cases;
}

} // namespace tilewire::test
