//===- ExchangeShapesTest.cpp - all-to-alls of any shape ------------------===//
//
// Programs of several all-to-alls between tensors drawn at random, against a
// model of a few lines: for each element of an output, which rank's it is and
// where it was there.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "Trials.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <random>

using namespace tilewire;
using namespace tilewire::test;

namespace {

/// An all-to-all between two tensors of its own, and perhaps one back to a
/// third.
struct Exchange {
  DataType dtype;
  std::vector<int64_t> extents; ///< of all ranks together, as the source has it
  size_t scatter, gather;       ///< dimensions of the source
  std::vector<int64_t> permutation;
  bool symmetricSource;
  /// Whether the dimension that is cut is called a share where the ranks divide
  /// it and its part is as good as a number of its own.
  bool sharesInSource, sharesInDestination;
  bool returns;
  /// Of each dimension that launches give, the most; nothing for a number.
  std::vector<std::optional<int64_t>> bounds = {};
};

struct Draw {
  int numRanks;
  bool completion;
  std::vector<Exchange> exchanges;
};

constexpr uint64_t exchangesPerDraw = 4;

class Generator {
public:
  explicit Generator(uint64_t number) : random(number) {
    draw.numRanks = int(1 + number % 8);
    draw.completion = chance(80);
  }

  Draw make() {
    for (uint64_t i = 0; i < exchangesPerDraw; ++i)
      draw.exchanges.push_back(anyExchange());
    return draw;
  }

private:
  int64_t pick(int64_t count) { return int64_t(random() % uint64_t(count)); }
  bool chance(int percent) { return pick(100) < percent; }

  /// Zero, one, powers of two, primes and others, up to `limit`.
  int64_t anyExtent(int64_t limit) {
    const std::vector<int64_t> kinds = {
        1,  2,  3,  4,  5,  6,  7,  8,  9,  11,  13,  16,  17,  24,
        30, 31, 32, 37, 48, 61, 64, 80, 97, 128, 255, 256, 1001};
    if (chance(2))
      return 0;
    const auto end = std::upper_bound(kinds.begin(), kinds.end(), limit);
    return kinds[size_t(pick(end - kinds.begin()))];
  }

  Exchange anyExchange() {
    const DataType types[] = {DataType::U8, DataType::BF16, DataType::F32,
                              DataType::I64};
    const int64_t budgets[] = {100, 2000, 20000};
    Exchange exchange{types[pick(4)], {},         0,          0,         {},
                      chance(30),     chance(50), chance(50), chance(30)};
    const int64_t numDims = 2 + (chance(10) ? 0 : 1 + pick(5));
    std::vector<int64_t> order(static_cast<size_t>(numDims));
    std::iota(order.begin(), order.end(), 0);
    exchange.permutation = order;
    if (chance(70))
      std::shuffle(exchange.permutation.begin(), exchange.permutation.end(),
                   random);
    std::shuffle(order.begin(), order.end(), random);
    exchange.scatter = size_t(order[0]);
    exchange.gather = size_t(order[1]);
    exchange.extents.resize(order.size());
    int64_t budget = budgets[pick(3)] * draw.numRanks;
    for (int64_t dim : order) {
      int64_t &extent = exchange.extents[size_t(dim)];
      extent = anyExtent(budget);
      budget /= std::max<int64_t>(extent, 1);
    }
    exchange.bounds.resize(order.size());
    // Ranks compare what launches give where they enter.
    if (draw.completion && chance(40))
      for (size_t i = 0; i < 2; ++i) {
        const size_t dim = size_t(pick(numDims));
        exchange.bounds[dim] = exchange.extents[dim] + pick(4);
      }
    return exchange;
  }

  std::mt19937_64 random;
  Draw draw;
};

/// The extents of all ranks together, as the destination has them.
std::vector<int64_t> permutedExtents(const Exchange &exchange) {
  std::vector<int64_t> extents;
  for (int64_t dim : exchange.permutation)
    extents.push_back(exchange.extents[size_t(dim)]);
  return extents;
}

//===----------------------------------------------------------------------===//
// In the language
//===----------------------------------------------------------------------===//

std::string nameOf(size_t dim) { return {char('A' + dim)}; }

/// Of dimension `dim` of an exchange.
std::string parameterName(size_t dim, size_t exchange) {
  return nameOf(dim) + std::to_string(exchange);
}

/// The extents of all ranks together, with a letter each, as the source has
/// them.
std::vector<Extent> wholeExtents(ProgramBuilder &p, const Exchange &exchange,
                                 size_t number) {
  std::vector<Extent> extents;
  for (size_t dim = 0; dim < exchange.extents.size(); ++dim) {
    const std::optional<int64_t> bound = exchange.bounds[dim];
    extents.push_back(bound ? p.parameter({parameterName(dim, number), *bound})
                            : Extent(exchange.extents[dim]));
    extents.back().name = nameOf(dim);
  }
  return extents;
}

std::vector<Extent> extentsOf(const ProgramBuilder &p, const Exchange &exchange,
                              const std::vector<Extent> &wholes,
                              bool isSource) {
  std::vector<Extent> extents;
  for (size_t dim = 0; dim < wholes.size(); ++dim) {
    const Extent &whole = wholes[dim];
    const bool isCut = dim == (isSource ? exchange.gather : exchange.scatter);
    const bool mayBeNumber =
        !exchange.bounds[dim] && whole.value % p.numRanks() == 0;
    const bool isShare =
        !mayBeNumber ||
        (isSource ? exchange.sharesInSource : exchange.sharesInDestination);
    if (!isCut)
      extents.push_back(whole);
    else if (isShare)
      extents.push_back(p.share(whole));
    else
      extents.push_back({whole.name, whole.value / p.numRanks()});
  }
  if (isSource)
    return extents;
  std::vector<Extent> permuted;
  for (int64_t dim : exchange.permutation)
    permuted.push_back(extents[size_t(dim)]);
  return permuted;
}

std::vector<int64_t> inverseOf(const std::vector<int64_t> &permutation) {
  std::vector<int64_t> inverse(permutation.size());
  for (size_t dim = 0; dim < inverse.size(); ++dim)
    inverse[size_t(permutation[dim])] = int64_t(dim);
  return inverse;
}

Program build(const Draw &draw) {
  ProgramBuilder p("shapes",
                   {.numRanks = draw.numRanks, .completion = draw.completion});
  std::vector<TensorArgument> sources, destinations, returned;
  for (const Exchange &exchange : draw.exchanges) {
    const std::string number = std::to_string(sources.size());
    const auto wholes = wholeExtents(p, exchange, sources.size());
    const auto extents = extentsOf(p, exchange, wholes, /*isSource=*/true);
    sources.push_back(
        exchange.symmetricSource
            ? p.symmetricTensor("src" + number, exchange.dtype, extents)
            : p.tensor("src" + number, exchange.dtype, extents));
    destinations.push_back(
        p.symmetricTensor("dst" + number, exchange.dtype,
                          extentsOf(p, exchange, wholes, /*isSource=*/false)));
    returned.push_back(
        p.symmetricTensor("back" + number, exchange.dtype, extents));
  }
  for (size_t i = 0; i < draw.exchanges.size(); ++i)
    p.allToAll(sources[i], destinations[i],
               {.scatter = nameOf(draw.exchanges[i].scatter),
                .gather = nameOf(draw.exchanges[i].gather),
                .permute = draw.exchanges[i].permutation});
  for (size_t i = 0; i < draw.exchanges.size(); ++i)
    if (draw.exchanges[i].returns)
      p.allToAll(destinations[i], returned[i],
                 {.scatter = nameOf(draw.exchanges[i].gather),
                  .gather = nameOf(draw.exchanges[i].scatter),
                  .permute = inverseOf(draw.exchanges[i].permutation)});
  return p.build();
}

//===----------------------------------------------------------------------===//
// On the host
//===----------------------------------------------------------------------===//

/// First of `total` items that `rank` owns: the first ranks have one more each
/// where they don't divide the total.
int64_t beginOf(int64_t total, int rank, int numRanks) {
  return rank * (total / numRanks) + std::min(int64_t(rank), total % numRanks);
}

/// `extents` with dimension `cut` as `rank` has it.
std::vector<int64_t> localExtents(std::vector<int64_t> extents, size_t cut,
                                  int rank, int numRanks) {
  const int64_t total = extents[cut];
  extents[cut] =
      beginOf(total, rank + 1, numRanks) - beginOf(total, rank, numRanks);
  return extents;
}

std::vector<int64_t> positionOf(int64_t element,
                                const std::vector<int64_t> &extents) {
  std::vector<int64_t> position(extents.size());
  for (size_t dim = extents.size(); dim-- > 0; element /= extents[dim])
    position[dim] = element % extents[dim];
  return position;
}

int64_t elementAt(const std::vector<int64_t> &position,
                  const std::vector<int64_t> &extents) {
  int64_t element = 0;
  for (size_t dim = 0; dim < extents.size(); ++dim)
    element = element * extents[dim] + position[dim];
  return element;
}

/// What `rank` gets of `sources`, by rank, in `output`.
void fillOutput(const Exchange &exchange, int rank,
                const std::vector<const Bytes *> &sources, Bytes &output) {
  const int numRanks = int(sources.size());
  const size_t width = size_t(byteWidth(exchange.dtype));
  const size_t cut = size_t(
      std::ranges::find(exchange.permutation, int64_t(exchange.scatter)) -
      exchange.permutation.begin());
  const auto extents =
      localExtents(permutedExtents(exchange), cut, rank, numRanks);
  for (size_t element = 0; element < output.size() / width; ++element) {
    const auto permuted = positionOf(int64_t(element), extents);
    std::vector<int64_t> position(permuted.size());
    for (size_t dim = 0; dim < position.size(); ++dim)
      position[size_t(exchange.permutation[dim])] = permuted[dim];
    const auto begin = [&](size_t dim, int owner) {
      return beginOf(exchange.extents[dim], owner, numRanks);
    };
    int from = 0;
    while (position[exchange.gather] >= begin(exchange.gather, from + 1))
      ++from;
    position[exchange.scatter] += begin(exchange.scatter, rank);
    position[exchange.gather] -= begin(exchange.gather, from);
    const int64_t sent =
        elementAt(position, localExtents(exchange.extents, exchange.gather,
                                         from, numRanks));
    std::memcpy(output.data() + element * width,
                sources[size_t(from)]->data() + size_t(sent) * width, width);
  }
}

/// Each exchange has a source, a destination, and what is like the source.
constexpr size_t tensorsEach = 3;

void runOnHost(const Draw &draw, Memory &memory) {
  for (size_t i = 0; i < draw.exchanges.size(); ++i) {
    std::vector<const Bytes *> sources;
    for (const std::vector<Bytes> &tensors : memory)
      sources.push_back(&tensors[tensorsEach * i]);
    for (int rank = 0; rank < draw.numRanks; ++rank) {
      Bytes *tensors = &memory[size_t(rank)][tensorsEach * i];
      fillOutput(draw.exchanges[i], rank, sources, tensors[1]);
      if (draw.exchanges[i].returns)
        tensors[2] = tensors[0];
    }
  }
}

LaunchValues valuesOf(const Draw &draw) {
  LaunchValues values;
  for (size_t i = 0; i < draw.exchanges.size(); ++i)
    for (size_t dim = 0; dim < draw.exchanges[i].extents.size(); ++dim)
      if (draw.exchanges[i].bounds[dim])
        values.push_back(
            {parameterName(dim, i), draw.exchanges[i].extents[dim]});
  return values;
}

/// Distinct inputs, and outputs that nobody has written.
Memory inputsOf(const KernelSource &source, const LaunchValues &values) {
  Memory memory = distinctMemory(source, values);
  for (std::vector<Bytes> &tensors : memory)
    for (size_t i = 0; i < tensors.size(); ++i)
      if (i % tensorsEach != 0)
        std::ranges::fill(tensors[i], poison);
  return memory;
}

/// What is wrong with the draw of this number; nothing when all is right.
std::string failureOf(uint64_t number) {
  const Draw draw = Generator(number).make();
  const Program program = build(draw);
  std::string text;
  std::string failure;
  try {
    const KernelSource source = compile(program);
    text = source.text;
    const LaunchValues values = valuesOf(draw);
    const Memory memory = inputsOf(source, values);
    Memory expected = memory;
    runOnHost(draw, expected);
    failure = differenceAfter(source, memory, expected,
                              {.count = int(1 + number / 8 % 2),
                               .meet = !draw.completion,
                               .emulatorSeed = number,
                               .values = values});
  } catch (const std::exception &error) {
    failure = error.what();
  }
  return failure.empty() ? "" : failure + "\n" + program.ir() + text;
}

} // namespace

TEST_CASE(
    "an all-to-all moves every element to its place, in tensors of any "
    "shape, on ranks that divide them or not, whether extents are numbers "
    "or what launches give",
    "[shapes]") {
  checkTrials({.onEmulator = 300 / exchangesPerDraw, .onGpu = 40}, failureOf);
}
