//===- InterleavingOrders.cpp - which orders are tried --------------------===//

#include "Interleaving.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <unordered_set>

namespace tilewire::test {

namespace {

/// Every order, depth first: each run follows the path of the one before up to
/// the last choice with an option left. A run ends where it comes to a state
/// that was met before.
class DepthFirst final : public Order {
public:
  explicit DepthFirst(std::optional<unsigned> delays) : delays(delays) {}

  std::optional<unsigned> next(const Machine &machine) override {
    if (depth == path.size() && !extend(machine))
      return std::nullopt;
    const Option taken = path[depth++].back();
    left -= taken.delays;
    return last = taken.thread;
  }

  /// Turns to the next order; false after the last.
  bool advance() {
    depth = 0;
    last = 0;
    left = delays.value_or(0);
    while (!path.empty()) {
      path.back().pop_back();
      if (!path.back().empty())
        return true;
      path.pop_back();
    }
    return false;
  }

private:
  struct Option {
    unsigned thread, delays;
  };

  bool extend(const Machine &machine) {
    std::vector<Option> options;
    const std::vector<unsigned> &able = machine.able();
    const std::size_t first = std::size_t(
        std::lower_bound(able.begin(), able.end(), last) - able.begin());
    for (unsigned i = 0; i < able.size() && (!delays || i <= left); ++i)
      options.push_back({able[(first + i) % able.size()], delays ? i : 0});
    if (options.size() > 1) {
      const uint64_t state = machine.state();
      if (!met.insert(delays ? mix(mix(state, last), left) : state).second)
        return false;
    }
    path.push_back(std::move(options));
    return true;
  }

  std::optional<unsigned> delays;
  std::vector<std::vector<Option>> path; ///< what is tried stands last
  std::size_t depth = 0;
  unsigned last = 0; ///< thread
  unsigned left = delays.value_or(0);
  std::unordered_set<uint64_t> met;
};

/// Takes turns from threads rarely or often, by the seed.
class RandomTurns final : public Order {
public:
  explicit RandomTurns(uint64_t seed)
      : random(seed), turn(1u << (seed / 2 % 7)) {}

  std::optional<unsigned> next(const Machine &machine) override {
    const std::vector<unsigned> &able = machine.able();
    const bool goesOn = std::binary_search(able.begin(), able.end(), last) &&
                        random() % turn != 0;
    return goesOn ? last : last = able[random() % able.size()];
  }

private:
  std::mt19937_64 random;
  unsigned turn; ///< steps that a turn lasts, on average
  unsigned last = ~0u;
};

/// The first able thread of a random ranking steps, and a few times the thread
/// whose turn it is falls to the last place: so one that is left behind stays
/// there for long.
class RandomRanking final : public Order {
public:
  explicit RandomRanking(uint64_t seed) : random(seed) {}

  std::optional<unsigned> next(const Machine &machine) override {
    if (ranking.empty()) {
      ranking.resize(machine.runs.shape.numThreads());
      std::iota(ranking.begin(), ranking.end(), 0u);
      std::shuffle(ranking.begin(), ranking.end(), random);
    }
    const std::vector<unsigned> &able = machine.able();
    const auto first =
        std::find_if(ranking.begin(), ranking.end(), [&](unsigned thread) {
          return std::binary_search(able.begin(), able.end(), thread);
        });
    const unsigned taken = *first;
    if (random() % 64 == 0)
      std::rotate(first, first + 1, ranking.end());
    return taken;
  }

private:
  std::mt19937_64 random;
  std::vector<unsigned> ranking;
};

} // namespace

Exploration exploreAll(const Case &runs, std::optional<unsigned> delays,
                       Omission omission) {
  DepthFirst order(delays);
  Exploration result;
  do {
    ++result.numRuns;
    result.fault = Machine(runs, omission).run(order);
  } while (result.fault.empty() && order.advance());
  return result;
}

Exploration exploreSome(const Case &runs, unsigned numRuns, Omission omission) {
  Exploration result;
  while (result.fault.empty() && result.numRuns < numRuns) {
    const uint64_t seed = result.numRuns++;
    RandomTurns turns(seed);
    RandomRanking ranking(seed);
    Order &order = seed % 2 ? static_cast<Order &>(turns) : ranking;
    result.fault = Machine(runs, omission).run(order);
  }
  return result;
}

} // namespace tilewire::test
