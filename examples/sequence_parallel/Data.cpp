//===- Data.cpp - inputs as a closed form, outputs compared with it -------===//

#include "Data.h"

#include <cstring>

using namespace sequence_parallel;

namespace {

/// The closed form: a mix of its arguments whose low bytes differ already.
uint64_t valueOf(int rank, int64_t index, unsigned launch) {
  uint64_t mixed = uint64_t(index) * 0x9e3779b97f4a7c15u +
                   uint64_t(rank) * 0xc2b2ae3d27d4eb4fu +
                   uint64_t(launch) * 0x165667b19e3779f9u;
  mixed ^= mixed >> 32;
  mixed *= 0xd6e8feb86659fd93u;
  return mixed ^ (mixed >> 29);
}

uint64_t truncated(uint64_t value, int width) {
  return width == 8 ? value : value & ((uint64_t(1) << (8 * width)) - 1);
}

uint64_t readElement(const std::byte *at, int width) {
  uint64_t value = 0;
  std::memcpy(&value, at, width);
  return value;
}

/// Walks one rank's output in the order of its memory and names, for each
/// element, the rank and index that it came from.
class Origin {
public:
  Origin(int rank, const Exchange &exchange)
      : extents(exchange.output(rank).extents), position(extents.size()),
        gathered(exchange.cut(exchange.gathered)),
        gatheredDim(exchange.outputOrder.find(exchange.gathered)) {
    const int64_t begin =
        exchange.cut(exchange.scattered).begin(exchange.partOf(rank));
    for (int from = 0; from < exchange.numRanks; ++from) {
      const Layout input = exchange.input(from);
      Source &source = sources.emplace_back();
      source.start = begin * input.stride(exchange.scattered) -
                     gathered.begin(from) * input.stride(exchange.gathered);
      for (char name : exchange.outputOrder)
        source.strides.push_back(input.stride(name));
    }
  }

  int rank() const { return gathered.ownerOf(position[gatheredDim]); }

  int64_t index() const {
    const Source &source = sources[size_t(rank())];
    int64_t index = source.start;
    for (size_t dim = 0; dim < extents.size(); ++dim)
      index += source.strides[dim] * position[dim];
    return index;
  }

  void advance() {
    for (size_t dim = extents.size(); dim-- > 0;) {
      if (++position[dim] < extents[dim])
        return;
      position[dim] = 0;
    }
  }

private:
  /// Where an output's element is in the input of one rank.
  struct Source {
    int64_t start = 0; ///< of the output's first element, were it of this rank
    std::vector<int64_t> strides; ///< in the output's order
  };

  std::vector<int64_t> extents;
  std::vector<int64_t> position;
  tilewire::Partition gathered;
  size_t gatheredDim;
  std::vector<Source> sources;
};

} // namespace

int64_t Layout::numElements() const {
  int64_t product = 1;
  for (int64_t extent : extents)
    product *= extent;
  return product;
}

int64_t Layout::extent(char name) const { return extents[order.find(name)]; }

int64_t Layout::stride(char name) const {
  int64_t stride = 1;
  for (size_t dim = order.size(); order[--dim] != name;)
    stride *= extents[dim];
  return stride;
}

tilewire::Partition Exchange::cut(char name) const {
  return {extents[inputOrder.find(name)],
          name == scattered ? numRanks / replicas : numRanks};
}

Layout Exchange::input(int rank) const {
  Layout layout{inputOrder, extents};
  layout.extents[inputOrder.find(gathered)] = cut(gathered).size(rank);
  return layout;
}

Layout Exchange::output(int rank) const {
  Layout layout{outputOrder, {}};
  for (char name : outputOrder)
    layout.extents.push_back(name == scattered ? cut(name).size(partOf(rank))
                                               : cut(name).total);
  return layout;
}

Layout Exchange::piece(int from, int to) const {
  Layout layout = output(to);
  layout.extents[outputOrder.find(gathered)] = cut(gathered).size(from);
  return layout;
}

std::vector<std::byte> sequence_parallel::makeInput(int rank,
                                                    int64_t numElements,
                                                    int width,
                                                    unsigned launch) {
  std::vector<std::byte> bytes(numElements * width);
  for (int64_t index = 0; index < numElements; ++index) {
    const uint64_t value = valueOf(rank, index, launch);
    std::memcpy(bytes.data() + index * width, &value, width);
  }
  return bytes;
}

Comparison
sequence_parallel::compareOutput(const std::vector<std::byte> &output, int rank,
                                 const Exchange &exchange, int width,
                                 unsigned launch) {
  Comparison comparison;
  Origin origin(rank, exchange);
  const int64_t count = exchange.output(rank).numElements();
  for (int64_t index = 0; index < count; ++index, origin.advance()) {
    const uint64_t expected =
        truncated(valueOf(origin.rank(), origin.index(), launch), width);
    const uint64_t seen = readElement(output.data() + index * width, width);
    if (seen == expected)
      continue;
    ++comparison.wrong;
    if (comparison.first.size() < 10)
      comparison.first.push_back({index, expected, seen});
  }
  return comparison;
}
