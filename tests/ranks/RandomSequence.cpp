//===- RandomSequence.cpp - sequences at random ---------------------------===//

#include "RandomSequence.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

namespace tilewire::test {

namespace {

/// What a number may be, both included.
struct Range {
  int64_t first, last;
};

class Generator {
public:
  explicit Generator(uint64_t number) : random(number) {
    sequence.numRanks = int(1 + number % 4);
    mayMeet = chance(60);
    chooseGrid();
    const int64_t threads[] = {7, 32, 48, 64, 96};
    sequence.threads = threads[pick(5)];
    const DataType types[] = {DataType::U8, DataType::F16, DataType::I32,
                              DataType::F64};
    sequence.dtype = types[pick(4)];
    sequence.completion = chance(80);
    chooseTensors();
  }

  Sequence make() {
    sequence.steps = steps(4 + pick(5));
    return sequence;
  }

private:
  int64_t pick(int64_t count) { return int64_t(random() % uint64_t(count)); }
  bool chance(int percent) { return pick(100) < percent; }

  /// Blocks that meet must all run at once.
  void chooseGrid() {
    if (chance(25))
      sequence.grid = {1 + pick(4), 1 + pick(2)};
    else
      sequence.grid = {1 + pick(mayMeet ? 8 : 20)};
  }

  void chooseTensors() {
    const int64_t numDims = 1 + pick(3);
    const int64_t numTensors = 2 + pick(3);
    for (int64_t i = 0; i < numTensors; ++i) {
      Sequence::Tensor tensor{i == 0 || chance(50), {}};
      for (int64_t dim = 0; dim < numDims; ++dim)
        tensor.region.push_back(numDims == 1        ? 20 + pick(40)
                                : dim < numDims - 1 ? 2 + pick(4)
                                                    : 3 + pick(9));
      if (chance(20))
        tensor.region.back() *= 4;
      sequence.tensors.push_back(tensor);
    }
    isShared.assign(sequence.tensors.size(), false);
  }

  //===--------------------------------------------------------------------===//
  // Steps
  //===--------------------------------------------------------------------===//

  std::vector<Step> steps(int64_t count) {
    std::vector<Step> all;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t kind = pick(100);
      if (kind < 25 && counters.size() < 3)
        all.push_back(loop());
      else if (kind < 30)
        all.push_back({.kind = Step::Sync});
      else if (kind < 45 && mayMeet && isUniform)
        all.push_back(barrier());
      else if (std::optional<Move> move = findMove())
        all.push_back({.kind = Step::Moves, .move = *move});
    }
    return all;
  }

  /// After it each tensor is owned or shared anew; some are owned.
  Step barrier() {
    for (size_t i = 0; i < isShared.size(); ++i)
      isShared[i] = chance(40);
    isShared[size_t(pick(int64_t(isShared.size())))] = false;
    return {.kind = Step::Barrier};
  }

  /// A loop that may hold barriers counts the same everywhere. What is shared
  /// is the same before each iteration and after the last.
  Step loop() {
    Step step{.kind = Step::Loop};
    const bool wasUniform = isUniform;
    const std::vector<bool> wereShared = isShared;
    step.begin.constant = pick(3);
    step.end.constant = step.begin.constant + pick(4);
    step.stride = 1 + pick(2);
    if (!counters.empty() && chance(30)) {
      step.end.counters.assign(counters.size(), 0);
      step.end.counters[size_t(pick(int64_t(counters.size())))] = 1;
    } else if (chance(35)) {
      isUniform = false;
      (sequence.numBlocks() < 5 && chance(50) ? step.end.block
                                              : step.end.rank) = 1;
    }
    const int64_t last = rangeOf(step.end).last - 1;
    counters.push_back(
        {step.begin.constant, std::max(step.begin.constant, last)});
    step.body = steps(1 + pick(3));
    if (isShared != wereShared)
      step.body.push_back({.kind = Step::Barrier});
    counters.pop_back();
    isUniform = wasUniform;
    isShared = wereShared;
    return step;
  }

  //===--------------------------------------------------------------------===//
  // Moves
  //===--------------------------------------------------------------------===//

  std::optional<Move> findMove() {
    for (int attempt = 0; attempt < 50; ++attempt) {
      const Move move = anyMove();
      if (!isShared[move.to.tensor] && !mayOverlap(move))
        return move;
    }
    return std::nullopt;
  }

  Move anyMove() {
    Move move;
    const int64_t numTensors = int64_t(sequence.tensors.size());
    move.to.tensor = size_t(pick(numTensors));
    move.from.tensor = size_t(pick(numTensors));
    if (isShared[move.from.tensor]) {
      move.from.rankShift = pick(sequence.numRanks);
      move.from.blockShift = pick(sequence.numBlocks());
    }
    const std::vector<int64_t> &from =
        sequence.tensors[move.from.tensor].region;
    const std::vector<int64_t> &to = sequence.tensors[move.to.tensor].region;
    move.permutation.resize(from.size());
    std::iota(move.permutation.begin(), move.permutation.end(), 0);
    if (chance(50))
      shuffle(move.permutation);
    move.sizes.resize(from.size());
    for (size_t dim = 0; dim < to.size(); ++dim) {
      const size_t fromDim = size_t(move.permutation[dim]);
      move.sizes[fromDim] = anySize(std::min(from[fromDim], to[dim]));
      move.to.offsets.push_back(anyOffset(to[dim] - move.sizes[fromDim]));
    }
    for (size_t dim = 0; dim < from.size(); ++dim)
      move.from.offsets.push_back(anyOffset(from[dim] - move.sizes[dim]));
    move.isPut = sequence.tensors[move.to.tensor].symmetric && chance(50);
    move.peer = anyPeer();
    return move;
  }

  void shuffle(std::vector<int64_t> &numbers) {
    for (size_t i = numbers.size(); i > 1; --i)
      std::swap(numbers[i - 1], numbers[size_t(pick(int64_t(i)))]);
  }

  /// All of it, or a part; in loops often little, so that iterations differ.
  int64_t anySize(int64_t limit) {
    if (!counters.empty() && chance(40))
      return 1 + pick(std::min<int64_t>(limit, 2));
    return chance(40) ? limit : 1 + pick(limit);
  }

  /// From 0 to `room` at every point.
  Affine anyOffset(int64_t room) {
    Affine offset;
    offset.counters.assign(counters.size(), 0);
    for (int64_t &factor : offset.counters)
      chooseFactor(factor, 60, offset, room);
    chooseFactor(offset.rank, 15, offset, room);
    chooseFactor(offset.block, 15, offset, room);
    const Range range = rangeOf(offset);
    offset.constant = pick(room - (range.last - range.first) + 1) - range.first;
    return offset;
  }

  /// Leaves the factor 0 where another would leave too little room.
  void chooseFactor(int64_t &factor, int percent, const Affine &offset,
                    int64_t room) {
    const int64_t factors[] = {1, 1, -1, -1, 2, 3};
    if (!chance(percent))
      return;
    factor = factors[pick(6)];
    const Range range = rangeOf(offset);
    if (range.last - range.first > room)
      factor = 0;
  }

  Affine anyPeer() {
    Affine peer{.rank = 1};
    const int64_t kind = pick(100);
    if (kind < 25)
      return peer;
    if (kind < 40)
      return {.constant = pick(sequence.numRanks)};
    peer.constant = pick(sequence.numRanks);
    if (counters.empty() || kind < 70)
      return peer;
    peer.rank = pick(2);
    peer.counters.assign(counters.size(), 0);
    peer.counters.back() = 1;
    return peer;
  }

  Range rangeOf(const Affine &affine) const {
    Range range{affine.constant, affine.constant};
    const auto add = [&](int64_t factor, Range of) {
      range.first += factor * (factor < 0 ? of.last : of.first);
      range.last += factor * (factor < 0 ? of.first : of.last);
    };
    add(affine.rank, {0, sequence.numRanks - 1});
    add(affine.block, {0, sequence.numBlocks() - 1});
    for (size_t loop = 0; loop < affine.counters.size(); ++loop)
      add(affine.counters[loop], counters[loop]);
    return range;
  }

  /// Whether source and destination overlap at any point without being the
  /// same elements in the same order.
  bool mayOverlap(const Move &move) const {
    if (move.from.tensor != move.to.tensor)
      return false;
    Point point;
    for (const Range &range : counters)
      point.counters.push_back(range.first);
    do
      for (point.rank = 0; point.rank < sequence.numRanks; ++point.rank)
        for (point.block = 0; point.block < sequence.numBlocks(); ++point.block)
          if (overlaps(move, point))
            return true;
    while (advance(point.counters));
    return false;
  }

  bool overlaps(const Move &move, const Point &point) const {
    if (move.isPut && move.peer.at(point) % sequence.numRanks != point.rank)
      return false;
    bool same = std::ranges::is_sorted(move.permutation);
    for (size_t dim = 0; dim < move.sizes.size(); ++dim) {
      const int64_t from = move.from.offsets[dim].at(point);
      const int64_t to = move.to.offsets[dim].at(point);
      const int64_t toSize = move.sizes[size_t(move.permutation[dim])];
      if (from + move.sizes[dim] <= to || to + toSize <= from)
        return false;
      same = same && from == to;
    }
    return !same;
  }

  bool advance(std::vector<int64_t> &point) const {
    for (size_t loop = point.size(); loop-- > 0;) {
      if (point[loop]++ < counters[loop].last)
        return true;
      point[loop] = counters[loop].first;
    }
    return false;
  }

  std::mt19937_64 random;
  Sequence sequence;
  bool mayMeet;
  /// Whether all loops around count the same on all blocks and ranks.
  bool isUniform = true;
  std::vector<bool> isShared;  ///< by tensor
  std::vector<Range> counters; ///< of the loops around, outermost first
};

} // namespace

Sequence randomSequence(uint64_t number) { return Generator(number).make(); }

} // namespace tilewire::test
