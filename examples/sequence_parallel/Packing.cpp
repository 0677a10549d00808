//===- Packing.cpp - the copies around an all-to-all of equal pieces ------===//

#include "Packing.h"

#include <algorithm>

using namespace sequence_parallel;
namespace tw = tilewire;

namespace {

constexpr int threads = 512;
constexpr int unroll = 8;
constexpr int64_t chunk = threads * unroll;

/// A dimension that a copy walks: its extent, and the elements of the source
/// between neighbours along it.
struct Axis {
  int64_t extent;
  int64_t stride;
};

/// The expression of the vector that vector `vector` of the destination comes
/// from; `axes` are the destination's, slowest first, and the last of them is
/// consecutive on both sides.
std::string originOf(const std::vector<Axis> &axes, int64_t perVector) {
  std::string text;
  int64_t inner = 1;
  for (size_t i = axes.size(); i-- > 0;) {
    const bool isRow = i + 1 == axes.size();
    const int64_t extent = isRow ? axes[i].extent / perVector : axes[i].extent;
    const int64_t stride = isRow ? 1 : axes[i].stride / perVector;
    text += (isRow ? "" : " +\n         ") + std::string("vector / ") +
            std::to_string(inner) + " % " + std::to_string(extent) + " * " +
            std::to_string(stride);
    inner *= extent;
  }
  return text;
}

const char *const body =
    R"((const tw::World world, const Element *src, Element *dst) {
  for (Index begin = blockIdx.x * chunk; begin < numVectors;
       begin += gridDim.x * chunk) {
    tw::Vector<Element, perVector> held[unroll];
    const Index first = begin + threadIdx.x;
#pragma unroll
    for (unsigned i = 0; i < unroll; ++i)
      if (const Index vector = first + i * threads; vector < numVectors)
        held[i] = tw::load<perVector>(src, size_t(origin(vector)) * perVector);
#pragma unroll
    for (unsigned i = 0; i < unroll; ++i)
      if (const Index vector = first + i * threads; vector < numVectors)
        tw::store(dst, size_t(vector) * perVector, held[i]);
  }
}
)";

/// Copies `src` to `dst`, whose axes are `axes`; 16 bytes at a time where rows
/// are a multiple of that.
tw::KernelSource copyKernel(const std::string &name, int numRanks,
                            const tw::TensorParameter &src,
                            const tw::TensorParameter &dst,
                            const std::vector<Axis> &axes) {
  const int width = tw::byteWidth(dst.dtype);
  const int64_t numElements =
      tw::checkedNumElements(dst.shape, dst.dtype, dst.name);
  int64_t perVector = 16 / width;
  while (axes.back().extent % perVector != 0)
    perVector /= 2;
  const int64_t numVectors = numElements / perVector;
  const std::string index =
      numVectors < (int64_t(1) << 30) ? "unsigned" : "size_t";
  tw::KernelSource source;
  source.entry = name;
  source.numRanks = numRanks;
  source.text =
      "using Element = tw::b" + std::to_string(8 * width) +
      ";\nusing Index = " + index +
      ";\nconstexpr unsigned perVector = " + std::to_string(perVector) +
      ", threads = " + std::to_string(threads) +
      ", unroll = " + std::to_string(unroll) +
      ";\n"
      "constexpr Index numVectors = " +
      std::to_string(numVectors) +
      ", chunk = threads * unroll;\n\n"
      "// The vector that one of the destination comes from.\n"
      "__device__ __forceinline__ Index origin(Index vector) {\n"
      "  return " +
      (numElements > 0 ? originOf(axes, perVector) : "vector") +
      ";\n}\n\nextern \"C\" __global__ void "
      "__launch_bounds__(" +
      std::to_string(threads) + ")\n" + name + body;
  source.parameters = {src, dst};
  source.launch = {.threads = threads,
                   .maxBlocks =
                       std::max<int64_t>(1, (numVectors + chunk - 1) / chunk)};
  return source;
}

tw::TensorParameter parameter(std::string name, tw::DataType dtype,
                              std::vector<int64_t> shape, bool written) {
  return {std::move(name), dtype, std::move(shape), /*symmetric=*/false,
          written};
}

} // namespace

Packing sequence_parallel::makePacking(const AllToAllProgram &program,
                                       const tw::KernelSource &source) {
  const tw::TensorParameter &src = source.parameters[0];
  const tw::TensorParameter &dst = source.parameters[1];
  const Layout input{program.inputOrder, src.shape};
  const Layout output{program.outputOrder, dst.shape};
  const int64_t numRanks = source.numRanks;

  // A piece is what one rank sends to another, in the output's order.
  Layout piece = output;
  for (size_t dim = 0; dim < piece.order.size(); ++dim)
    if (piece.order[dim] == program.gathered)
      piece.extents[dim] = input.extent(program.gathered);

  std::vector<Axis> ofPieces = {
      {numRanks,
       output.extent(program.scattered) * input.stride(program.scattered)}};
  for (char name : piece.order)
    ofPieces.push_back({piece.extent(name), input.stride(name)});

  std::vector<Axis> ofOutput;
  for (char name : piece.order) {
    if (name == program.gathered)
      ofOutput.push_back({numRanks, piece.numElements()});
    ofOutput.push_back({piece.extent(name), piece.stride(name)});
  }

  const std::vector<int64_t> flat = {output.numElements()};
  const tw::DataType dtype = dst.dtype;
  return {copyKernel("pack", source.numRanks,
                     parameter("src", dtype, src.shape, false),
                     parameter("dst", dtype, flat, true), ofPieces),
          copyKernel("unpack", source.numRanks,
                     parameter("src", dtype, flat, false),
                     parameter("dst", dtype, dst.shape, true), ofOutput)};
}
