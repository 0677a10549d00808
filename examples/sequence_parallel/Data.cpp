//===- Data.cpp - inputs as a closed form, outputs compared with it -------===//

#include "Data.h"

#include <array>
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
  Origin(int rank, const Layout &input, const Layout &output, char scattered,
         char gathered)
      : output(output), gatheredExtent(input.extent(gathered)) {
    for (size_t dim = 0; dim < output.order.size(); ++dim) {
      strides[dim] = input.stride(output.order[dim]);
      if (output.order[dim] == gathered)
        gatheredDim = dim;
    }
    start = rank * output.extent(scattered) * input.stride(scattered);
  }

  int rank() const { return int(position[gatheredDim] / gatheredExtent); }

  int64_t index() const {
    int64_t index = start;
    for (size_t dim = 0; dim < output.order.size(); ++dim)
      index +=
          strides[dim] *
          (dim == gatheredDim ? position[dim] % gatheredExtent : position[dim]);
    return index;
  }

  void advance() {
    for (size_t dim = output.order.size(); dim-- > 0;) {
      if (++position[dim] < output.extents[dim])
        return;
      position[dim] = 0;
    }
  }

private:
  const Layout &output;
  int64_t gatheredExtent;
  size_t gatheredDim = 0;
  int64_t start = 0;
  std::array<int64_t, 4> strides{};
  std::array<int64_t, 4> position{};
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
                                 const Layout &input,
                                 const Layout &outputLayout, char scattered,
                                 char gathered, int width, unsigned launch) {
  Comparison comparison;
  Origin origin(rank, input, outputLayout, scattered, gathered);
  const int64_t count = outputLayout.numElements();
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
