//===- ShareTest.cpp - tensors that are cut over the ranks ----------------===//
//
// Shapes, memory and launches where ranks have parts of different sizes. On the
// emulator, with ranks as threads.
//
//===----------------------------------------------------------------------===//

#include "WorldFixture.h"

#include <catch2/catch.hpp>

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;

namespace {

constexpr int numRanks = 3;
constexpr int64_t width = 64; ///< elements of a row: as much as heaps align to

Extent share(int64_t whole) { return {"R", whole, /*isShare=*/true}; }

/// The symmetric rows of which each rank has a share.
TensorParameter rowsOf(const std::string &name, int64_t whole) {
  return {name, DataType::I32, {share(whole), width}, true, true};
}

/// A kernel that does nothing with such tensors, and waits for nobody.
KernelSource idleKernel(const std::vector<TensorParameter> &parameters) {
  std::string text = "extern \"C\" __global__ void idle(const tw::World world";
  for (const TensorParameter &parameter : parameters)
    text += ", tw::b32 *" + parameter.name;
  KernelSource source = makeKernel("idle", text + ") {}\n", 32, parameters);
  source.numRanks = numRanks;
  return source;
}

/// Each rank writes its number to all rows of the next one, of `rowsOnPeer`.
KernelSource fillKernel(int64_t whole, const std::string &rowsOnPeer) {
  std::string counts;
  for (int rank = 0; rank < numRanks; ++rank)
    counts += std::to_string(Partition{whole, numRanks}.size(rank)) + (", ");
  KernelSource source = makeKernel(
      "fill",
      "extern \"C\" __global__ void __launch_bounds__(32)\n"
      "fill(const tw::World world, tw::b32 *dst) {\n"
      "  if (!tw::enterAll(world, 0))\n    return;\n"
      "  const unsigned rows[] = {" +
          counts +
          "};\n"
          "  const unsigned peer = (world.rank + 1) % world.numRanks;\n"
          "  for (unsigned i = threadIdx.x; i < rows[" +
          rowsOnPeer +
          "] * 64; i += 32)\n"
          "    tw::store(tw::onPeer(world, dst, peer), i,\n"
          "              tw::Vector<tw::b32, 1>{{world.rank}});\n"
          "  tw::leaveAll(world, 1);\n}\n",
      32, {rowsOf("dst", whole)});
  source.numRanks = numRanks;
  source.waits = {{"entry barrier", ""}, {"exit barrier", ""}};
  return source;
}

/// What each rank's launch of an idle kernel is refused with, or "".
std::vector<std::string> refusalsOf(
    const std::vector<TensorParameter> &parameters,
    const std::function<std::vector<Tensor>(World &, SymmetricHeap &)> &make) {
  std::vector<std::string> refusals(numRanks);
  runLoopback(numRanks, emulated(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Kernel kernel(heap, idleKernel(parameters));
    Stream stream(world);
    const std::vector<Tensor> tensors = make(world, heap);
    refusals[size_t(world.rank())] =
        messageOf<UserError>([&] { kernel.launch(stream, tensors); });
    stream.synchronize();
    world.barrier();
  });
  return refusals;
}

void fill(Stream &stream, const Tensor &tensor, int32_t value) {
  const std::vector<int32_t> values(size_t(tensor.numElements()), value);
  copyToDevice(stream, tensor, values.data(), tensor.numBytes());
}

} // namespace

TEST_CASE("a parameter's shape follows from its extents and the rank",
          "[share]") {
  const TensorParameter parameter{
      "x", DataType::F16, {2, share(7), 5}, false, false};
  CHECK(parameter.describe() == "[2, share(7), 5] of f16");
  CHECK(parameter.hasShare());
  CHECK(parameter.shapeOn(0, 3) == std::vector<int64_t>{2, 3, 5});
  CHECK(parameter.shapeOn(2, 3) == std::vector<int64_t>{2, 2, 5});
  CHECK(parameter.shapeOn(7, 8) == std::vector<int64_t>{2, 0, 5});
  CHECK(parameter.bytesOn(2, 3) == 40);
  CHECK(parameter.mostBytes(3) == 60);
  CHECK(parameter.bytesOn(7, 8) == 0);
  CHECK(formatExtents({}) == "[]");
  const TensorParameter plain{"x", DataType::F16, {2, 7}, false, false};
  CHECK_FALSE(plain.hasShare());
  CHECK(plain.shapeOn(2, 3) == std::vector<int64_t>{2, 7});
}

TEST_CASE("extents that make no sense are refused alike on every rank",
          "[share]") {
  struct Case {
    std::vector<Extent> extents;
    std::string message;
  };
  const std::string negative =
      "expected extents of 0 or more for 'x', got shape ";
  const Case cases[] = {{{share(-1), 4}, negative + "[share(-1), 4]"},
                        {{share(0), -4}, negative + "[share(0), -4]"},
                        {{-2}, negative + "[-2]"},
                        // Too many for rank 0 alone.
                        {{share((int64_t(1) << 61) * 3 - 2)},
                         "expected at most 2^63 - 1 bytes for 'x', got shape "
                         "[2305843009213693952] of i32"},
                        {{share(int64_t(1) << 62), 8},
                         "expected at most 2^63 - 1 bytes for 'x', got shape "
                         "[1537228672809129302, 8] of i32"}};
  for (const Case &test : cases) {
    const TensorParameter parameter{"x", DataType::I32, test.extents, true,
                                    true};
    CHECK(uniformFailureOf(numRanks, [&](World &world) {
            world.tensor(parameter);
          }) == test.message);
    CHECK(uniformFailureOf(numRanks, [&](World &world) {
            SymmetricHeap heap(world, 1024);
            const std::string refusal =
                messageOf<UserError>([&] { heap.tensor(parameter); });
            heap.tensor(rowsOf("y", 1)); // the heap works on
            throw UserError(refusal);
          }) == test.message);
  }
}

TEST_CASE("every rank asks a heap for the same extents, whatever its own part",
          "[share]") {
  const auto refusal = [](const TensorParameter &usual,
                          const TensorParameter &other) {
    return uniformFailureOf(numRanks, [&](World &world) {
      SymmetricHeap heap(world, 1 << 16);
      heap.tensor(world.rank() == 2 ? other : usual);
    });
  };
  const std::string start =
      "expected the same allocation in the same order on every rank, got ";
  // Rank 2 has two rows of both, and the largest part has three.
  CHECK(refusal(rowsOf("a", 7), rowsOf("a", 8)) ==
        start + "tensor [share(7), 64] of i32 on rank 0 and tensor "
                "[share(8), 64] of i32 on rank 2");
  TensorParameter whole = rowsOf("a", 2);
  whole.extents[0].isShare = false;
  CHECK(refusal(rowsOf("a", 6), whole) ==
        start + "tensor [share(6), 64] of i32 on rank 0 and tensor [2, 64] of "
                "i32 on rank 2");
}

TEST_CASE("each rank fills all of a peer's share, of any size, and nothing "
          "beside it",
          "[share][cxx]") {
  const int64_t whole = GENERATE(0, 1, 2, 7, 8);
  const KernelSource source = fillKernel(whole, "peer");
  runLoopback(numRanks, emulated(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Kernel kernel(heap, source);
    Stream stream(world);
    const Tensor before = heap.tensor(DataType::I32, {width});
    const Tensor dst = heap.tensor(source.parameters[0]);
    const Tensor after = heap.tensor(DataType::I32, {width});
    const int64_t rows = Partition{whole, numRanks}.size(world.rank());
    expect(dst.shape == std::vector<int64_t>{rows, width}, "this rank's rows");
    for (int launch = 0; launch < 2; ++launch) {
      for (const Tensor &tensor : {before, dst, after})
        fill(stream, tensor, -1);
      world.barrier(); // nobody writes before all is filled
      kernel.launch(stream, {dst});
      stream.synchronize();
      expect(valuesOf(world, dst) ==
                 std::vector<int32_t>(size_t(rows * width),
                                      (world.rank() + 2) % numRanks),
             "the number of the rank before in every element");
      for (const Tensor &guard : {before, after})
        expect(valuesOf(world, guard) == std::vector<int32_t>(width, -1),
               "nothing beside the share");
      world.barrier();
    }
  });
}

TEST_CASE("the emulator refuses a store beyond a peer's share, though the heap "
          "has room",
          "[share][cxx]") {
  // Of seven rows rank 0 has three, and rank 1 two.
  const KernelSource source = fillKernel(7, "world.rank");
  const auto failures = failuresOf(numRanks, emulated(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Kernel kernel(heap, source);
    Stream stream(world);
    kernel.launch(stream, {heap.tensor(source.parameters[0])});
    stream.synchronize();
  });
  CHECK_THAT(failures[0],
             Contains("kernel 'fill' on rank 0") &&
                 Contains("within the 512 bytes of tensor 'dst' of rank 1"));
}

TEST_CASE("a tensor of another shape than this rank's part is refused",
          "[share][cxx]") {
  const auto refusals =
      refusalsOf({rowsOf("dst", 7)}, [](World &, SymmetricHeap &heap) {
        return std::vector{heap.tensor(DataType::I32, {3, width})};
      });
  CHECK(refusals[0] == "");
  for (const int rank : {1, 2})
    CHECK(refusals[size_t(rank)] ==
          "expected [2, 64] of i32 for 'dst' of kernel 'idle' (because rank " +
              std::to_string(rank) +
              " of 3 has that part of [share(7), 64]), got [3, 64] of i32");
}

TEST_CASE("where ranks have parts of one shape, all refuse another alike",
          "[share][cxx]") {
  for (const std::string &refusal :
       refusalsOf({rowsOf("dst", 6)}, [](World &, SymmetricHeap &heap) {
         return std::vector{heap.tensor(DataType::I32, {6, width})};
       }))
    CHECK(refusal == "expected [2, 64] of i32 for 'dst' of kernel 'idle', got "
                     "[6, 64] of i32");
}

TEST_CASE("a symmetric tensor without room for the largest part is refused "
          "where this rank's own part fits",
          "[share][cxx]") {
  const int64_t whole = GENERATE(1, 7);
  const int64_t rows = whole / numRanks;
  const auto refusals =
      refusalsOf({rowsOf("dst", whole)}, [&](World &, SymmetricHeap &heap) {
        return std::vector{heap.tensor(DataType::I32, {rows, width})};
      });
  CHECK_THAT(refusals[0], Contains("got [" + std::to_string(rows) + ", 64]"));
  for (const int rank : {1, 2})
    CHECK(refusals[size_t(rank)] ==
          "expected room for " + std::to_string((rows + 1) * width * 4) +
              " bytes for 'dst' of kernel 'idle' (because rank 0 has so many "
              "of [share(" +
              std::to_string(whole) + "), 64]), got " +
              std::to_string(rows * width * 4) +
              "; make it with SymmetricHeap::tensor from the parameter");
}

TEST_CASE("local memory is refused for a symmetric share, an empty one "
          "included",
          "[share][cxx]") {
  for (const std::string &refusal :
       refusalsOf({rowsOf("dst", 1)}, [](World &world, SymmetricHeap &) {
         return std::vector{world.tensor(rowsOf("dst", 1))};
       }))
    CHECK_THAT(refusal, Contains("'dst'") && Contains("got local memory"));
}

TEST_CASE("shares that overlap on another rank are refused on all",
          "[share][cxx]") {
  // Of seven rows rank 0 has three: two of this and two of that overlap there.
  const auto refusals = refusalsOf(
      {rowsOf("a", 7), rowsOf("b", 7)}, [](World &world, SymmetricHeap &heap) {
        Tensor a = heap.tensor(DataType::I32, {5, width});
        a.shape = rowsOf("a", 7).shapeOn(world.rank(), numRanks);
        Tensor b = a;
        b.data = static_cast<char *>(a.data) + 2 * width * 4;
        return std::vector{a, b};
      });
  for (const std::string &refusal : refusals)
    CHECK_THAT(refusal, Contains("expected 'a' and 'b' of kernel 'idle' in "
                                 "separate memory") &&
                            Contains("got 256 bytes that belong to both"));
}
