//===- Sequences.cpp - programs of dependent steps, as values -------------===//

#include "Sequences.h"

#include <algorithm>
#include <cstring>

namespace tilewire::test {

int64_t Affine::at(const Point &point) const {
  int64_t value = constant + rank * point.rank + block * point.block;
  for (size_t loop = 0; loop < counters.size(); ++loop)
    value += counters[loop] * point.counters[loop];
  return value;
}

int64_t Sequence::numBlocks() const {
  int64_t count = 1;
  for (int64_t axis : grid)
    count *= axis;
  return count;
}

std::vector<int64_t> Sequence::extents(const Tensor &tensor) const {
  std::vector<int64_t> extents = tensor.region;
  extents[0] *= numBlocks() * (tensor.symmetric ? numRanks : 1);
  return extents;
}

int64_t Sequence::regionOf(const Place &place, const Point &point) const {
  const int64_t block = (point.block + place.blockShift) % numBlocks();
  const int64_t rank = (point.rank + place.rankShift) % numRanks;
  return tensors[place.tensor].symmetric ? rank * numBlocks() + block : block;
}

//===----------------------------------------------------------------------===//
// In the language
//===----------------------------------------------------------------------===//

namespace {

/// Writes the body of one block.
class BodyWriter {
public:
  BodyWriter(const Sequence &sequence,
             const std::vector<TensorArgument> &tensors, Block &block)
      : sequence(sequence), tensors(tensors), block(block), rank(block.rank()),
        blockNumber(linearBlock()) {}

  void write(const std::vector<Step> &steps) {
    for (const Step &step : steps)
      write(step);
  }

private:
  Index linearBlock() {
    Index number = block.index(0, "b0");
    int64_t size = sequence.grid[0];
    for (size_t axis = 1; axis < sequence.grid.size(); ++axis) {
      number = number + block.index(axis, "b" + std::to_string(axis)) * size;
      size *= sequence.grid[axis];
    }
    return number;
  }

  void write(const Step &step) {
    switch (step.kind) {
    case Step::Moves:
      return write(step.move);
    case Step::Sync:
      return block.sync();
    case Step::Barrier:
      return block.barrierAll();
    case Step::Loop:
      block.forRange(index(step.begin), index(step.end), step.stride,
                     [&](Index counter) {
                       counters.push_back(counter);
                       write(step.body);
                       counters.pop_back();
                     });
    }
  }

  void write(const Move &move) {
    std::vector<int64_t> sizes;
    for (int64_t dim : move.permutation)
      sizes.push_back(move.sizes[size_t(dim)]);
    Tile from = tile(move.from, move.sizes);
    if (!std::ranges::is_sorted(move.permutation))
      from = from.transpose(move.permutation);
    const Tile to = tile(move.to, sizes);
    if (move.isPut)
      block.putBlock(from, to, peer(move.peer));
    else
      block.copy(from, to);
  }

  Tile tile(const Place &place, const std::vector<int64_t> &sizes) {
    const Sequence::Tensor &tensor = sequence.tensors[place.tensor];
    Index region = shifted(blockNumber, place.blockShift, sequence.numBlocks());
    if (tensor.symmetric)
      region = shifted(rank, place.rankShift, sequence.numRanks) *
                   sequence.numBlocks() +
               region;
    std::vector<Index> offsets;
    for (const Affine &offset : place.offsets)
      offsets.push_back(index(offset));
    offsets[0] = region * tensor.region[0] + offsets[0];
    return tensors[place.tensor].tile(offsets, {sizes.begin(), sizes.end()});
  }

  /// The modulo only where it does something.
  static Index shifted(const Index &number, int64_t shift, int64_t count) {
    return shift == 0 ? number : (number + shift) % count;
  }

  Index peer(const Affine &affine) {
    if (affine == Affine{.rank = 1})
      return rank;
    const bool isConstant = affine == Affine{.constant = affine.constant};
    return isConstant ? index(affine) : index(affine) % sequence.numRanks;
  }

  Index index(const Affine &affine) {
    Index sum = affine.constant;
    add(sum, affine.rank, rank);
    add(sum, affine.block, blockNumber);
    for (size_t loop = 0; loop < affine.counters.size(); ++loop)
      add(sum, affine.counters[loop], counters[loop]);
    return sum;
  }

  static void add(Index &sum, int64_t factor, const Index &value) {
    if (factor > 0)
      sum = factor == 1 ? sum + value : sum + value * factor;
    else if (factor < 0)
      sum = factor == -1 ? sum - value : sum - value * -factor;
  }

  const Sequence &sequence;
  const std::vector<TensorArgument> &tensors;
  Block &block;
  const Index rank;
  const Index blockNumber;
  std::vector<Index> counters;
};

} // namespace

Program buildSequence(const Sequence &sequence) {
  ProgramBuilder p("steps", {.numRanks = sequence.numRanks,
                             .completion = sequence.completion});
  std::vector<TensorArgument> tensors;
  for (const Sequence::Tensor &tensor : sequence.tensors) {
    const std::string name = "t" + std::to_string(tensors.size());
    std::vector<Extent> extents;
    for (int64_t extent : sequence.extents(tensor))
      extents.push_back(extent);
    tensors.push_back(tensor.symmetric
                          ? p.symmetricTensor(name, sequence.dtype, extents)
                          : p.tensor(name, sequence.dtype, extents));
  }
  p.kernel({.grid = sequence.grid, .threads = sequence.threads},
           [&](Block &block) {
             BodyWriter(sequence, tensors, block).write(sequence.steps);
           });
  return p.build();
}

//===----------------------------------------------------------------------===//
// On the host
//===----------------------------------------------------------------------===//

namespace {

bool holdsBarrier(const Step &step) {
  return step.kind == Step::Barrier ||
         std::ranges::any_of(step.body, holdsBarrier);
}

class Host {
public:
  Host(const Sequence &sequence, Memory &memory)
      : sequence(sequence), memory(memory) {}

  /// Every step on all blocks of all ranks before the next, so that a barrier
  /// has nothing to do. Loops around barriers count alike everywhere; what
  /// others do between two barriers does not matter to a block.
  void runEverywhere(const std::vector<Step> &steps,
                     const std::vector<int64_t> &counters) {
    for (const Step &step : steps)
      if (step.kind == Step::Loop && holdsBarrier(step))
        count(step, {.counters = counters}, [&](const Point &point) {
          runEverywhere(step.body, point.counters);
        });
      else
        for (int64_t rank = 0; rank < sequence.numRanks; ++rank)
          for (int64_t block = 0; block < sequence.numBlocks(); ++block)
            run(step, {rank, block, counters});
  }

private:
  void run(const Step &step, const Point &point) {
    if (step.kind == Step::Moves)
      run(step.move, point);
    if (step.kind == Step::Loop)
      count(step, point, [&](const Point &inside) {
        for (const Step &inner : step.body)
          run(inner, inside);
      });
  }

  template <typename Body>
  static void count(const Step &loop, const Point &around, Body body) {
    Point point = around;
    point.counters.push_back(0);
    for (int64_t counter = loop.begin.at(around); counter < loop.end.at(around);
         counter += loop.stride) {
      point.counters.back() = counter;
      body(point);
    }
  }

  /// All is read before anything is written.
  void run(const Move &move, const Point &point) {
    const int64_t target =
        move.isPut ? move.peer.at(point) % sequence.numRanks : point.rank;
    const Bytes &source = memory[size_t(point.rank)][move.from.tensor];
    Bytes &destination = memory[size_t(target)][move.to.tensor];
    const size_t width = size_t(byteWidth(sequence.dtype));
    std::vector<size_t> froms, tos;
    std::vector<int64_t> position(move.sizes.size(), 0);
    do {
      std::vector<int64_t> permuted;
      for (int64_t dim : move.permutation)
        permuted.push_back(position[size_t(dim)]);
      froms.push_back(width * elementAt(move.from, point, position));
      tos.push_back(width * elementAt(move.to, point, permuted));
    } while (advance(position, move.sizes));

    Bytes moved;
    for (size_t from : froms)
      moved.insert(moved.end(), source.begin() + long(from),
                   source.begin() + long(from + width));
    for (size_t i = 0; i < tos.size(); ++i)
      std::memcpy(destination.data() + tos[i], moved.data() + i * width, width);
  }

  size_t elementAt(const Place &place, const Point &point,
                   const std::vector<int64_t> &position) const {
    const Sequence::Tensor &tensor = sequence.tensors[place.tensor];
    int64_t element = sequence.regionOf(place, point);
    for (size_t dim = 0; dim < position.size(); ++dim)
      element = element * tensor.region[dim] + place.offsets[dim].at(point) +
                position[dim];
    return size_t(element);
  }

  /// To the next position, the last dimension fastest; false after the last.
  static bool advance(std::vector<int64_t> &position,
                      const std::vector<int64_t> &sizes) {
    for (size_t dim = sizes.size(); dim-- > 0;) {
      if (++position[dim] < sizes[dim])
        return true;
      position[dim] = 0;
    }
    return false;
  }

  const Sequence &sequence;
  Memory &memory;
};

} // namespace

void runOnHost(const Sequence &sequence, Memory &memory) {
  Host(sequence, memory).runEverywhere(sequence.steps, {});
}

} // namespace tilewire::test
