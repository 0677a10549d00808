//===- Packing.cpp - the copies around an all-to-all of pieces ------------===//

#include "Packing.h"

#include "Build.h"

#include <algorithm>

using namespace sequence_parallel;
namespace tw = tilewire;

namespace {

constexpr int threads = 512;
constexpr int unroll = 8;
constexpr int64_t chunk = threads * unroll;

/// A dimension that a copy walks: its extent, and the elements between
/// neighbours along it on both sides.
struct Axis {
  int64_t extent;
  int64_t from, to;
};

/// Elements that one loop copies: `axes` are slowest first, and the last of
/// them is consecutive on both sides.
struct Part {
  int64_t from, to; ///< where it begins
  std::vector<Axis> axes;

  int64_t numElements() const {
    int64_t product = 1;
    for (const Axis &axis : axes)
      product *= axis.extent;
    return product;
  }

  /// Whether it is consecutive on the side that `stride` is of.
  bool isDense(int64_t Axis::*stride) const {
    int64_t inner = 1;
    for (size_t i = axes.size(); i-- > 0; inner *= axes[i].extent)
      if (axes[i].*stride != inner)
        return false;
    return true;
  }
};

/// The expression of the place of vector `vector` of `part`, in vectors.
std::string placeOf(const Part &part, int64_t Part::*start,
                    int64_t Axis::*stride, int64_t perVector) {
  std::string text = std::to_string(part.*start / perVector);
  if (part.isDense(stride))
    return text + " + vector";
  int64_t inner = 1;
  for (size_t i = part.axes.size(); i-- > 0;) {
    const Axis &axis = part.axes[i];
    const bool isRow = i + 1 == part.axes.size();
    const int64_t extent = isRow ? axis.extent / perVector : axis.extent;
    const int64_t step = isRow ? 1 : axis.*stride / perVector;
    text += " +\n           vector / " + std::to_string(inner) + " % " +
            std::to_string(extent) + " * " + std::to_string(step);
    inner *= extent;
  }
  return text;
}

/// The struct that tells `copy` of one part.
std::string describe(const Part &part, size_t number, int64_t perVector) {
  return "struct Part" + std::to_string(number) +
         " {\n  static constexpr Index numVectors = " +
         std::to_string(part.numElements() / perVector) +
         ";\n  static __device__ Index from(Index vector) {\n    return " +
         placeOf(part, &Part::from, &Axis::from, perVector) +
         ";\n  }\n  static __device__ Index to(Index vector) {\n    return " +
         placeOf(part, &Part::to, &Axis::to, perVector) + ";\n  }\n};\n\n";
}

const char *const copyText = R"(template <typename Part>
__device__ void copy(const Element *src, Element *dst) {
  for (Index begin = blockIdx.x * chunk; begin < Part::numVectors;
       begin += gridDim.x * chunk) {
    tw::Vector<Element, perVector> held[unroll];
    const Index first = begin + threadIdx.x;
#pragma unroll
    for (unsigned i = 0; i < unroll; ++i)
      if (const Index vector = first + i * threads; vector < Part::numVectors)
        held[i] =
            tw::load<perVector>(src, size_t(Part::from(vector)) * perVector);
#pragma unroll
    for (unsigned i = 0; i < unroll; ++i)
      if (const Index vector = first + i * threads; vector < Part::numVectors)
        tw::store(dst, size_t(Part::to(vector)) * perVector, held[i]);
  }
}

)";

/// Copies `parts`, what this rank has of them, between two tensors like
/// `tensor`; 16 bytes at a time where rows are a multiple of that.
tw::KernelSource copyKernel(const std::string &name, int numRanks,
                            const tw::TensorParameter &tensor,
                            const std::vector<Part> &parts) {
  const int width = tw::byteWidth(tensor.dtype);
  const int64_t mostElements = tensor.mostBytes(numRanks) / width;
  int64_t perVector = 16 / width;
  while (tensor.extents.back().value % perVector != 0)
    perVector /= 2;
  tw::KernelSource source;
  source.entry = name;
  source.numRanks = numRanks;
  source.text =
      "using Element = tw::b" + std::to_string(8 * width) +
      ";\nusing Index = " +
      (mostElements / perVector < (int64_t(1) << 30) ? "unsigned" : "size_t") +
      ";\nconstexpr unsigned perVector = " + std::to_string(perVector) +
      ", threads = " + std::to_string(threads) +
      ", unroll = " + std::to_string(unroll) +
      ";\nconstexpr Index chunk = threads * unroll;\n\n";
  std::string calls;
  for (size_t i = 0; i < parts.size(); ++i) {
    source.text += describe(parts[i], i, perVector);
    calls += "  copy<Part" + std::to_string(i) + ">(src, dst);\n";
  }
  source.text +=
      copyText +
      ("extern \"C\" __global__ void __launch_bounds__(" +
       std::to_string(threads) + ")\n" + name +
       "(const tw::World world, const Element *src, Element *dst) {\n" + calls +
       "}\n");
  source.parameters = {
      {"src", tensor.dtype, tensor.extents, /*symmetric=*/false, false},
      {"dst", tensor.dtype, tensor.extents, /*symmetric=*/false, true}};
  source.launch.threads = threads;
  source.launch.maxBlocks =
      std::max<int64_t>(1, (mostElements / perVector + chunk - 1) / chunk);
  return source;
}

/// Neighbouring ranks with shares of one size.
struct Group {
  int begin, count;
};

std::vector<Group> groupsOf(const tw::Partition &cut) {
  const int larger = int(cut.total % cut.numRanks);
  std::vector<Group> groups;
  for (const Group &group :
       {Group{0, larger}, Group{larger, cut.numRanks - larger}})
    if (group.count > 0 && cut.size(group.begin) > 0)
      groups.push_back(group);
  return groups;
}

/// From `rank`'s input to pieces for each rank.
std::vector<Part> partsToPack(const Exchange &exchange, int rank) {
  const Layout input = exchange.input(rank);
  const tw::Partition cut = exchange.cut(exchange.scattered);
  const int64_t stride = input.stride(exchange.scattered);
  std::vector<Part> parts;
  int64_t packed = 0;
  for (const Group &group : groupsOf(cut)) {
    const Layout piece = exchange.piece(rank, group.begin);
    Part part{
        cut.begin(group.begin) * stride,
        packed,
        {{group.count, cut.size(group.begin) * stride, piece.numElements()}}};
    for (char name : piece.order)
      part.axes.push_back(
          {piece.extent(name), input.stride(name), piece.stride(name)});
    packed += part.numElements();
    parts.push_back(part);
  }
  return parts;
}

/// From pieces of each rank to `rank`'s output.
std::vector<Part> partsToUnpack(const Exchange &exchange, int rank) {
  const Layout output = exchange.output(rank);
  const tw::Partition cut = exchange.cut(exchange.gathered);
  const int64_t stride = output.stride(exchange.gathered);
  std::vector<Part> parts;
  int64_t unpacked = 0;
  for (const Group &group : groupsOf(cut)) {
    const Layout piece = exchange.piece(group.begin, rank);
    Part part{unpacked, cut.begin(group.begin) * stride, {}};
    for (char name : piece.order) {
      if (name == exchange.gathered)
        part.axes.push_back(
            {group.count, piece.numElements(), cut.size(group.begin) * stride});
      part.axes.push_back(
          {piece.extent(name), piece.stride(name), output.stride(name)});
    }
    unpacked += part.numElements();
    parts.push_back(part);
  }
  return parts;
}

} // namespace

Packing sequence_parallel::makePacking(const AllToAllProgram &program,
                                       const tw::KernelSource &source,
                                       int rank) {
  const Exchange exchange = exchangeOf(program, source);
  const int numRanks = source.numRanks;
  const auto copyOf = [&](const std::string &name,
                          const tw::TensorParameter &tensor,
                          std::vector<Part> parts) {
    std::erase_if(parts, [](const Part &p) { return p.numElements() == 0; });
    tw::KernelSource copy = copyKernel(name, numRanks, tensor, parts);
    // Ranks with other shares have other texts for the same program.
    copy.program = name + " " + source.program;
    return copy;
  };
  Packing packing{
      copyOf("pack", source.parameters[0], partsToPack(exchange, rank)),
      copyOf("unpack", source.parameters[1], partsToUnpack(exchange, rank)),
      {},
      {}};
  const int width = tw::byteWidth(source.parameters[0].dtype);
  for (int peer = 0; peer < numRanks; ++peer) {
    packing.bytesTo.push_back(exchange.piece(rank, peer).numElements() * width);
    packing.bytesFrom.push_back(exchange.piece(peer, rank).numElements() *
                                width);
  }
  return packing;
}
