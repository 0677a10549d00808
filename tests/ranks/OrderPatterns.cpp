//===- OrderPatterns.cpp - steps that need to be ordered, or need not -----===//

#include "OrderPatterns.h"

#include <random>

namespace tilewire::test {

namespace {

// Counters of the outermost loop and of the one in it.
const Affine i{.counters = {1}};
const Affine j{.counters = {0, 1}};

Affine operator+(Affine affine, int64_t number) {
  affine.constant += number;
  return affine;
}

Affine times(Affine affine, int64_t factor) {
  for (int64_t &counter : affine.counters)
    counter *= factor;
  return affine;
}

Affine constant(int64_t number) { return {.constant = number}; }

const Affine thisRank{.rank = 1};
const Affine nextRank = thisRank + 1;

Place at(size_t tensor, const Affine &row = {}, const Affine &column = {}) {
  return {.tensor = tensor, .offsets = {row, column}};
}

/// The region of the rank before and the block after.
Place fromNeighbour(const Sequence &sequence, size_t tensor) {
  Place place = at(tensor);
  place.rankShift = sequence.numRanks - 1;
  place.blockShift = 1;
  return place;
}

struct Extents {
  int64_t rows, columns;
};

Step copy(const Place &from, const Place &to, const Extents &sizes) {
  return {.kind = Step::Moves,
          .move = {from, to, {sizes.rows, sizes.columns}, {0, 1}, false, {}}};
}

/// As `copy`, the destination's rows being the source's columns.
Step turn(const Place &from, const Place &to, const Extents &sizes) {
  Step step = copy(from, to, sizes);
  step.move.permutation = {1, 0};
  return step;
}

Step put(Step step, const Affine &peer) {
  step.move.isPut = true;
  step.move.peer = peer;
  return step;
}

Step loop(const Affine &end, const std::vector<Step> &body) {
  return {.kind = Step::Loop, .end = end, .body = body};
}
Step loop(int64_t end, const std::vector<Step> &body) {
  return loop(constant(end), body);
}

const Step barrier{.kind = Step::Barrier};

/// Adds patterns to a sequence.
class Writer {
public:
  explicit Writer(uint64_t number) : random(number) {
    sequence.numRanks = int(1 + pick(4));
    sequence.grid = {2 + pick(3)};
    const int64_t threads[] = {7, 32, 48, 64, 96};
    sequence.threads = threads[pick(5)];
    const DataType types[] = {DataType::F16, DataType::I32, DataType::F64};
    sequence.dtype = types[pick(3)];
    // Large enough that not all elements fall to the same threads again.
    rows = 4 + pick(3);
    columns = 6 + pick(4);
    all = {rows, columns};
    turned = {columns, rows};
    shifted = {rows - 1, columns - 1};
    lessColumn = {1, columns - 1};
  }

  struct Pattern {
    const char *name;
    size_t numSyncs, numBarriers;
    void (Writer::*write)();
  };
  static const std::vector<Pattern> patterns;

  int64_t pick(int64_t count) { return int64_t(random() % uint64_t(count)); }

  Sequence sequence;

private:
  size_t tensor(const Extents &region, bool symmetric = false) {
    sequence.tensors.push_back({symmetric, {region.rows, region.columns}});
    return sequence.tensors.size() - 1;
  }
  size_t symmetric(const Extents &region) { return tensor(region, true); }
  void add(const Step &step) { sequence.steps.push_back(step); }

  //===--------------------------------------------------------------------===//
  // One sync or more
  //===--------------------------------------------------------------------===//

  void readWhatWasWritten() {
    const size_t a = tensor(all), b = tensor(turned), c = tensor(all);
    add(turn(at(a), at(b), all));
    add(turn(at(b), at(c), turned));
  }

  void overwriteWhatWasRead() {
    const size_t a = tensor(all), b = tensor(turned), c = tensor(all);
    add(turn(at(a), at(b), all));
    add(copy(at(c), at(a), all));
  }

  void overwriteWhatWasWritten() {
    const size_t a = tensor(all), b = tensor(all), c = tensor(all);
    add(copy(at(a), at(b), all));
    add(copy(at(c), at(b, constant(1), constant(1)), shifted));
  }

  void sayIt() {
    const size_t a = tensor(all), b = tensor(turned), c = tensor(all);
    add(turn(at(a), at(b), all));
    add({.kind = Step::Sync});
    add(turn(at(b), at(c), turned));
  }

  void stageRows() {
    const size_t a = tensor(all), row = tensor({1, columns}), b = tensor(all);
    add(loop(rows, {copy(at(a, i), at(row), {1, columns}),
                    copy(at(row, {}, constant(1)),
                         at(b, times(i, -1) + (rows - 1)), lessColumn)}));
  }

  void passOn() {
    const size_t a = tensor(all);
    add(loop(rows - 1,
             {copy(at(a, i, constant(1)), at(a, i + 1), lessColumn)}));
  }

  void passOnAgain() {
    const size_t a = tensor(all);
    add(loop(2, {loop(rows - 1, {copy(at(a, j, constant(1)), at(a, j + 1),
                                      lessColumn)})}));
  }

  void readAfterLoop() {
    const size_t a = tensor(all), b = tensor(all), c = tensor(turned);
    add(loop(rows,
             {copy(at(a, times(i, -1) + (rows - 1)), at(b, i), {1, columns})}));
    add(turn(at(b), at(c), all));
  }

  void readInNextLoop() {
    const size_t a = tensor(all), b = tensor(all), c = tensor(all);
    add(loop(rows, {copy(at(a, i), at(b, i), {1, columns})}));
    add(loop(rows, {copy(at(b, times(i, -1) + (rows - 1), constant(1)),
                         at(c, i), lessColumn)}));
  }

  /// The loop, with the sync in it, does not run in block 0.
  void passALoop() {
    const size_t a = tensor(all), b = tensor(turned), c = tensor(all);
    const size_t d = tensor({sequence.numBlocks(), rows});
    add(turn(at(a), at(b), all));
    add(loop({.block = 1},
             {copy(at(b, i, constant(1)), at(d, i), {1, rows - 1})}));
    add(turn(at(b), at(c), turned));
  }

  void overwriteWhatWasPut() {
    const size_t a = tensor(all), b = symmetric(turned), c = tensor(all);
    add(put(turn(at(a), at(b), all), nextRank));
    add(copy(at(c), at(a), all));
  }

  void putTwice() {
    const size_t a = tensor(all), b = symmetric(all), c = tensor(all);
    add(put(copy(at(a), at(b), all), nextRank));
    add(put(copy(at(c), at(b, constant(1), constant(1)), shifted), nextRank));
  }

  void readWhatWasPutHere() {
    const size_t a = tensor(all), b = symmetric(turned), c = tensor(all);
    add(put(turn(at(a), at(b), all), thisRank));
    add(turn(at(b), at(c), turned));
  }

  //===--------------------------------------------------------------------===//
  // One barrier or more
  //===--------------------------------------------------------------------===//

  void readWhatOthersPut() {
    const size_t a = tensor(all), b = symmetric(turned), c = tensor(all);
    add(put(turn(at(a), at(b), all), nextRank));
    add(barrier);
    add(turn(fromNeighbour(sequence, b), at(c), turned));
  }

  /// In each turn something else, within the rank too.
  void exchangeInTurns() {
    const int64_t turns = 3;
    const Extents ofTurns{turns * rows, columns};
    const size_t a = tensor(ofTurns), b = tensor(ofTurns), c = tensor(ofTurns);
    const size_t local = tensor(turned), remote = symmetric(turned);
    const Affine row = times(i, rows);
    add(loop(turns, {put(turn(at(a, row), at(remote), all), nextRank),
                     turn(at(a, row), at(local), all), barrier,
                     turn(fromNeighbour(sequence, remote), at(b, row), turned),
                     turn(fromNeighbour(sequence, local), at(c, row), turned),
                     barrier}));
  }

  //===--------------------------------------------------------------------===//
  // Nothing
  //===--------------------------------------------------------------------===//

  void moveOtherTensors() {
    const size_t a = tensor(all), b = tensor(turned), c = tensor(all);
    add(turn(at(a), at(b), all));
    add(copy(at(a), at(c), all));
  }

  void moveOtherTiles() {
    const size_t a = tensor(all), b = tensor(all);
    const Extents row{1, columns};
    add(copy(at(a), at(b, constant(1)), row));
    add(copy(at(b), at(b, constant(2)), row));
    add(copy(at(b, constant(3)), at(a, constant(1)), row));
  }

  void moveRowAfterRow() {
    const size_t a = tensor(all), b = tensor(all);
    add(loop(rows,
             {copy(at(a, i), at(b, times(i, -1) + (rows - 1)), {1, columns})}));
  }

  void moveTileAfterTile() {
    const int64_t across = 3;
    const Extents wide{rows, across * columns};
    const size_t a = tensor(wide), b = tensor({across * columns, rows});
    Affine column = times(j, columns);
    add(loop(rows, {loop(across, {turn(at(a, i, column), at(b, column, i),
                                       {1, columns})})}));
  }

  void putToOthers() {
    const size_t a = tensor(all), b = tensor(all), c = symmetric(all);
    for (int peer = 0; peer < sequence.numRanks; ++peer)
      add(put(copy(at(peer % 2 ? a : b), at(c), all), constant(peer)));
  }

  std::mt19937_64 random;
  int64_t rows, columns;
  Extents all, turned, shifted, lessColumn;
};

const std::vector<Writer::Pattern> Writer::patterns = {
    {"read what was written", 1, 0, &Writer::readWhatWasWritten},
    {"overwrite what was read", 1, 0, &Writer::overwriteWhatWasRead},
    {"overwrite what was written", 1, 0, &Writer::overwriteWhatWasWritten},
    {"say it", 1, 0, &Writer::sayIt},
    {"stage rows", 2, 0, &Writer::stageRows},
    {"pass on", 1, 0, &Writer::passOn},
    {"pass on again", 1, 0, &Writer::passOnAgain},
    {"read after a loop", 1, 0, &Writer::readAfterLoop},
    {"read in the next loop", 1, 0, &Writer::readInNextLoop},
    {"pass a loop", 2, 0, &Writer::passALoop},
    {"overwrite what was put", 1, 0, &Writer::overwriteWhatWasPut},
    {"put twice", 1, 0, &Writer::putTwice},
    {"read what was put here", 1, 0, &Writer::readWhatWasPutHere},
    {"read what others put", 0, 1, &Writer::readWhatOthersPut},
    {"exchange in turns", 0, 2, &Writer::exchangeInTurns},
    {"move other tensors", 0, 0, &Writer::moveOtherTensors},
    {"move other tiles", 0, 0, &Writer::moveOtherTiles},
    {"move row after row", 0, 0, &Writer::moveRowAfterRow},
    {"move tile after tile", 0, 0, &Writer::moveTileAfterTile},
    {"put to others", 0, 0, &Writer::putToOthers},
};

} // namespace

PatternedSequence patternedSequence(uint64_t number) {
  Writer writer(number);
  PatternedSequence result;
  uint64_t next = number;
  for (int64_t left = 1 + writer.pick(3); left > 0; --left) {
    const Writer::Pattern &pattern =
        Writer::patterns[next % Writer::patterns.size()];
    (writer.*pattern.write)();
    result.patterns += (result.patterns.empty() ? "" : ", ");
    result.patterns += pattern.name;
    result.numSyncs += pattern.numSyncs;
    result.numBarriers += pattern.numBarriers;
    next = uint64_t(writer.pick(int64_t(Writer::patterns.size())));
  }
  result.sequence = writer.sequence;
  return result;
}

} // namespace tilewire::test
