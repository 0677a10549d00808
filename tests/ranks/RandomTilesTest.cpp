//===- RandomTilesTest.cpp - tiles of any size, order and place -----------===//
//
// Blocks that put tiles whose sizes along each dimension are computed in some
// way or constant, between tensors whose rows may be longer on one rank than on
// another, against the host.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "SizeKinds.h"
#include "Trials.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

using namespace tilewire;
using namespace tilewire::test;

namespace {

/// Of the four dimensions of both tensors the source's first has a place for
/// each block, of the destination for each block of each rank. The others are
/// of `edge` elements, or of some more that ranks share.
struct Move {
  DataType dtype;
  size_t kinds[3];
  bool atEnd[3];               ///< ends with the first `edge` elements
  int64_t sharesOf[2][3];      ///< by tensor: elements more, -1 for no share
  std::vector<int64_t> order;  ///< dimensions of the source in the destination
  std::vector<int64_t> turned; ///< how the source's tile is seen
};

struct Draw {
  int numRanks;
  int64_t threads;
  std::vector<Move> moves;
};

Draw drawOf(uint64_t number) {
  std::mt19937_64 random(number);
  const auto pick = [&](int64_t count) {
    return int64_t(random() % uint64_t(count));
  };
  const DataType types[] = {DataType::U8, DataType::BF16, DataType::F32,
                            DataType::I64};
  const int64_t threads[] = {1, 32, 33, 128, 1024};
  Draw draw{int(1 + number % 4), threads[pick(5)], {}};
  for (int i = 0; i < 3; ++i) {
    Move move{types[pick(4)], {}, {}, {}, {0, 1, 2, 3}, {0, 1, 2, 3}};
    for (int dim = 0; dim < 3; ++dim) {
      move.kinds[dim] = size_t(pick(int64_t(sizeKinds().size())));
      move.atEnd[dim] = pick(2) == 0;
      for (auto &shares : move.sharesOf)
        shares[dim] = pick(2) == 0 ? -1 : pick(draw.numRanks + 1);
    }
    std::shuffle(move.order.begin(), move.order.end(), random);
    if (pick(3) != 0)
      std::shuffle(move.turned.begin(), move.turned.end(), random);
    draw.moves.push_back(move);
  }
  return draw;
}

/// `values` in the destination's order.
template <typename T>
std::vector<T> inOrder(const Move &move, const std::vector<T> &values) {
  std::vector<T> ordered;
  for (int64_t dim : move.order)
    ordered.push_back(values[size_t(dim)]);
  return ordered;
}

//===----------------------------------------------------------------------===//
// In the language
//===----------------------------------------------------------------------===//

/// Of tensor 0 or 1 of a move, in the source's order.
std::vector<Extent> extentsOf(const ProgramBuilder &p, const Move &move,
                              int tensor) {
  std::vector<Extent> extents = {tensor == 0 ? numBlocks
                                             : numBlocks * p.numRanks()};
  for (int64_t more : move.sharesOf[tensor])
    extents.push_back(more < 0 ? Extent(edge)
                               : p.share(edge * p.numRanks() + more));
  return extents;
}

void putTile(Block &block, const Move &move, const TensorArgument &src,
             const TensorArgument &dst, const Index &peer,
             const Index &number) {
  std::vector<Index> from = {number}, sizes = {1};
  for (int dim = 0; dim < 3; ++dim) {
    sizes.push_back(sizeKinds()[move.kinds[dim]].compute(block, peer, number));
    from.push_back(move.atEnd[dim] ? edge - sizes.back() : Index(0));
  }
  std::vector<Index> to = from;
  to[0] = block.rank() * numBlocks + number;
  std::vector<int64_t> turned; // the same for the destination's tile
  for (int64_t dim : move.turned)
    turned.push_back(std::ranges::find(move.order, dim) - move.order.begin());
  block.putBlock(
      src.tile(from, sizes).transpose(move.turned),
      dst.tile(inOrder(move, to), inOrder(move, sizes)).transpose(turned),
      peer);
}

Program build(const Draw &draw) {
  ProgramBuilder p("tiles", {.numRanks = draw.numRanks});
  std::vector<TensorArgument> sources, destinations;
  for (const Move &move : draw.moves) {
    const std::string number = std::to_string(sources.size());
    sources.push_back(
        p.tensor("src" + number, move.dtype, extentsOf(p, move, 0)));
    destinations.push_back(p.symmetricTensor(
        "dst" + number, move.dtype, inOrder(move, extentsOf(p, move, 1))));
  }
  p.kernel({.grid = {numBlocks, draw.numRanks}, .threads = draw.threads},
           [&](Block &block) {
             auto [number, peer] = block.indices({"number", "peer"});
             for (size_t i = 0; i < draw.moves.size(); ++i)
               putTile(block, draw.moves[i], sources[i], destinations[i], peer,
                       number);
           });
  return p.build();
}

//===----------------------------------------------------------------------===//
// On the host
//===----------------------------------------------------------------------===//

int64_t elementAt(const std::vector<int64_t> &position,
                  const std::vector<int64_t> &shape) {
  int64_t element = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    element = element * shape[dim] + position[dim];
  return element;
}

/// One block's tile, from `source` of `rank` to `destination` of `peer`.
struct HostTile {
  const Move &move;
  int numRanks, rank, peer;
  int64_t number;

  void copy(const Bytes &source, const std::vector<int64_t> &sourceShape,
            Bytes &destination,
            const std::vector<int64_t> &destinationShape) const {
    const size_t width = size_t(byteWidth(move.dtype));
    int64_t sizes[3], starts[3];
    for (int dim = 0; dim < 3; ++dim) {
      sizes[dim] =
          sizeKinds()[move.kinds[dim]].value(numRanks, rank, peer, number);
      starts[dim] = move.atEnd[dim] ? edge - sizes[dim] : 0;
    }
    for (int64_t i = 0; i < sizes[0] * sizes[1] * sizes[2]; ++i) {
      std::vector<int64_t> from = {number, starts[0] + i / sizes[2] / sizes[1],
                                   starts[1] + i / sizes[2] % sizes[1],
                                   starts[2] + i % sizes[2]};
      std::vector<int64_t> to = from;
      to[0] += rank * numBlocks;
      std::memcpy(
          destination.data() +
              width * size_t(elementAt(inOrder(move, to), destinationShape)),
          source.data() + width * size_t(elementAt(from, sourceShape)), width);
    }
  }
};

/// Tensors are sources and destinations in turn.
void runOnHost(const Draw &draw, const KernelSource &source, Memory &memory) {
  for (size_t i = 0; i < draw.moves.size(); ++i)
    for (int rank = 0; rank < draw.numRanks; ++rank)
      for (int peer = 0; peer < draw.numRanks; ++peer)
        for (int64_t number = 0; number < numBlocks; ++number)
          HostTile{draw.moves[i], draw.numRanks, rank, peer, number}.copy(
              memory[size_t(rank)][2 * i],
              source.parameters[2 * i].shapeOn(rank, draw.numRanks),
              memory[size_t(peer)][2 * i + 1],
              source.parameters[2 * i + 1].shapeOn(peer, draw.numRanks));
}

/// What is wrong with the draw of this number; nothing when all is right.
std::string failureOf(uint64_t number) {
  const Draw draw = drawOf(number);
  const Program program = build(draw);
  std::string text;
  std::string failure;
  try {
    const KernelSource source = compile(program);
    text = source.text;
    Memory memory = distinctMemory(source);
    for (std::vector<Bytes> &tensors : memory)
      for (size_t i = 1; i < tensors.size(); i += 2)
        std::ranges::fill(tensors[i], poison);
    Memory expected = memory;
    runOnHost(draw, source, expected);
    failure = differenceAfter(source, memory, expected,
                              {.emulatorSeed = number, .findRaces = true});
  } catch (const std::exception &error) {
    failure = error.what();
  }
  return failure.empty() ? "" : failure + "\n" + program.ir() + text;
}

} // namespace

TEST_CASE("a tile may have any size along any dimension, in any order and "
          "wherever it lies",
          "[sizes]") {
  checkTrials({.onEmulator = 60, .onGpu = 60}, failureOf);
}
