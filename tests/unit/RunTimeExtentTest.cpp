//===- RunTimeExtentTest.cpp - extents that each launch gives -------------===//
//
// Shapes, memory, values and what is refused. On the emulator, with ranks as
// threads; what kernels do with the values is in tests/ranks.
//
//===----------------------------------------------------------------------===//

#include "WorldFixture.h"

#include <catch2/catch.hpp>

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;

namespace {

constexpr int numRanks = 3;
constexpr int64_t most = 8; ///< of S

Extent parameter(const std::string &name, int64_t bound, bool isShare = false) {
  Extent extent("", bound, isShare);
  extent.parameter = name;
  return extent;
}

/// Rank r stores its number to all of its share of S elements on the next rank,
/// and `beyond` more; `src` has S elements that nobody reads.
KernelSource fillKernel(unsigned beyond = 0) {
  KernelSource source = makeKernel(
      "fill",
      "extern \"C\" __global__ void __launch_bounds__(32)\n"
      "fill(const tw::World world, const tw::b32 *src, tw::b32 *dst,\n"
      "     const unsigned S) {\n"
      "  if (!tw::enterAll(world, 0))\n    return;\n"
      "  const unsigned peer = (world.rank + 1) % world.numRanks;\n"
      "  const unsigned count = S / world.numRanks +\n"
      "                         (peer < S % world.numRanks ? 1 : 0) + " +
          std::to_string(beyond) +
          ";\n"
          "  for (unsigned i = threadIdx.x; i < count; i += 32)\n"
          "    tw::store(tw::onPeer(world, dst, peer), i,\n"
          "              tw::Vector<tw::b32, 1>{{world.rank}});\n"
          "  tw::leaveAll(world, 1);\n}\n",
      32, {});
  source.numRanks = numRanks;
  source.parameters = {
      {"src", DataType::I32, {parameter("S", most)}, false, false},
      {"dst", DataType::I32, {parameter("S", most, true)}, true, true}};
  source.launchParameters = {{"S", most}};
  source.waits = {{"entry barrier", "fill.cpp:1"}, {"exit barrier", ""}};
  return source;
}

/// What every rank's `launch` is refused with, alike; none has begun, and a
/// right launch works after it.
std::string
refusalOf(const std::function<void(Kernel &, Stream &, const Tensor &src,
                                   const Tensor &dst)> &launch) {
  return uniformFailureOf(numRanks, [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    const KernelSource source = fillKernel();
    Kernel kernel(heap, source);
    Stream stream(world);
    const Tensor src = world.tensor(source.parameters[0]);
    const Tensor dst = heap.tensor(source.parameters[1]);
    std::string refusal = "none";
    try {
      launch(kernel, stream, src, dst);
    } catch (const UserError &error) {
      refusal = error.what();
    }
    const auto tensors = kernel.shaped({src, dst}, {{"S", 7}});
    kernel.launch(stream, tensors, {{"S", 7}});
    stream.synchronize();
    expect(valuesOf(world, tensors[1]) ==
               std::vector<int32_t>(size_t(tensors[1].numElements()),
                                    (world.rank() + 2) % numRanks),
           "the number of the rank before");
    world.barrier();
    throw UserError(refusal);
  });
}

/// The same for what `values` a launch gives.
std::string refusalOfValues(const LaunchValues &values) {
  return refusalOf([&](Kernel &kernel, Stream &stream, const Tensor &src,
                       const Tensor &dst) {
    kernel.launch(stream, {src, dst}, values);
  });
}

/// What loading is refused with on every rank.
std::string
refusalOfSource(const std::function<void(KernelSource &, int rank)> &change) {
  return uniformFailureOf(numRanks, [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    KernelSource source = fillKernel();
    change(source, world.rank());
    Kernel kernel(heap, source);
  });
}

} // namespace

TEST_CASE("a parameter's shape follows from the values of a launch",
          "[run-time-extent]") {
  const TensorParameter tensor{
      "x",
      DataType::F16,
      {parameter("B", 4), parameter("S", 100, true), parameter("S", 100), 2},
      true,
      true};
  CHECK(formatExtents(tensor.extents) == "[B, share(S), S, 2]");
  CHECK(tensor.describe() == "[B, share(S), S, 2] of f16, B <= 4, S <= 100");
  CHECK(tensor.hasRunTimeExtent());
  CHECK(tensor.shapeOn(1, 3) == std::vector<int64_t>{4, 33, 100, 2});
  CHECK(tensor.mostBytes(3) == 4 * 34 * 100 * 2 * 2);
  const TensorParameter now =
      tensor.at({{"H", 9}, {"S", 7}, {"B", 0}}); // H is another tensor's
  CHECK(now.describe() == "[0, share(7), 7, 2] of f16");
  CHECK_FALSE(now.hasRunTimeExtent());
  CHECK(now.shapeOn(0, 3) == std::vector<int64_t>{0, 3, 7, 2});
  CHECK(now.shapeOn(2, 3) == std::vector<int64_t>{0, 2, 7, 2});
  CHECK(tensor.at({{"B", 4}, {"S", 100}}).mostBytes(3) == tensor.mostBytes(3));
}

TEST_CASE("a shape is refused without a value of each parameter, in its range",
          "[run-time-extent]") {
  const TensorParameter tensor{
      "x", DataType::F16, {parameter("S", 100)}, false, false};
  CHECK(messageOf<UserError>([&] {
          tensor.at({{"B", 1}});
        }) == "expected a value of 'S', an extent of 'x', got none");
  for (const int64_t value : {int64_t(-1), int64_t(101), INT64_MIN, INT64_MAX})
    CHECK(messageOf<UserError>([&] {
            tensor.at({{"S", value}});
          }) == "expected 0 to 100 for 'S', an extent of 'x', got " +
                    std::to_string(value));
}

TEST_CASE("a tensor takes any shape that its memory holds",
          "[run-time-extent]") {
  runLoopback(1, emulated(), [](World &world) {
    const Tensor whole = filled(world, {1, 2, 3, 4, 5, 6});
    const Tensor few = whole.shaped({2, 2});
    expect(valuesOf(world, few) == std::vector<int32_t>{1, 2, 3, 4},
           "the first four");
    expect(few.shaped({6}).shape == std::vector<int64_t>{6}, "all six again");
    expect(whole.shaped({0, 1000}).numBytes() == 0, "nothing");
    expect(messageOf<UserError>([&] { few.shaped({7}); }) ==
               "expected memory of 28 bytes for a tensor [7] of i32, got 24; "
               "allocate it as large as it will be",
           "a refusal");
    expect(messageOf<UserError>([&] { few.shaped({-1}); }) ==
               "expected extents of 0 or more for tensor, got shape [-1]",
           "a refusal");
    // Memory that a program brings itself has the size of its first shape.
    Tensor brought = whole;
    brought.capacity = 0;
    expect(brought.shaped({3}).shaped({6}).numBytes() == 24, "all six");
  });
}

TEST_CASE("memory is as large as the bound, and every rank asks for the same",
          "[run-time-extent]") {
  const TensorParameter dst = fillKernel().parameters[1];
  runLoopback(numRanks, emulated(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    expect(heap.tensor(dst).capacity == 3 * 4, "the share of rank 0");
    expect(heap.tensor(dst.at({{"S", 2}})).capacity == 4, "of one launch");
  });
  TensorParameter other = dst;
  other.extents[0].value = most + 1; // rank 0 has as many of both
  CHECK(uniformFailureOf(numRanks,
                         [&](World &world) {
                           SymmetricHeap heap(world, 1 << 16);
                           heap.tensor(world.rank() == 1 ? other : dst);
                         }) ==
        "expected the same allocation in the same order on every rank, "
        "got tensor [share(S)] of i32, S <= 8 on rank 0 and tensor "
        "[share(S)] of i32, S <= 9 on rank 1");
}

TEST_CASE(
    "a launch is refused unless each parameter has one value in its range",
    "[run-time-extent][cxx]") {
  const std::string each = "expected one value each of S for kernel 'fill', ";
  CHECK(refusalOfValues({}) == each + "got none of 'S'");
  CHECK(refusalOfValues({{"T", 1}}) == each + "got one of 'T'");
  CHECK(refusalOfValues({{"S", 1}, {"", 1}}) == each + "got one of ''");
  CHECK(refusalOfValues({{"S", 1}, {"S", 1}}) == each + "got two of 'S'");
  for (const int64_t value : {int64_t(-1), most + 1, INT64_MIN, INT64_MAX})
    CHECK(refusalOfValues({{"S", value}}) ==
          "expected 0 to 8 for parameter 'S' of kernel 'fill', got " +
              std::to_string(value));
  runLoopback(1, emulated(), [](World &world) {
    SymmetricHeap heap(world, 1024);
    Kernel kernel(heap, exchangeKernel(1));
    Stream stream(world);
    expect(messageOf<UserError>([&] {
             kernel.launch(
                 stream, {filled(world, {1}), heap.tensor(DataType::I32, {1})},
                 {{"S", 1}});
           }) == "expected no values of parameters for kernel 'exchange', got "
                 "one of 'S'",
           "a refusal");
  });
}

TEST_CASE("a tensor must have the shape of this launch",
          "[run-time-extent][cxx]") {
  CHECK(refusalOf([](Kernel &kernel, Stream &stream, const Tensor &src,
                     const Tensor &dst) {
          const auto tensors = kernel.shaped({src, dst}, {{"S", 6}});
          kernel.launch(stream, {src, tensors[1]}, {{"S", 6}});
        }) == "expected [6] of i32 for 'src' of kernel 'fill' (because S = 6), "
              "got [8] of i32; shape it for the launch with Kernel::shaped");
  CHECK(refusalOf([](Kernel &kernel, Stream &stream, const Tensor &src,
                     const Tensor &dst) {
          const auto tensors = kernel.shaped({src, dst}, {{"S", 6}});
          kernel.launch(stream, {tensors[0], dst.shaped({1})}, {{"S", 6}});
        }) == "expected [2] of i32 for 'dst' of kernel 'fill' (because S = 6), "
              "got [1] of i32; shape it for the launch with Kernel::shaped");
  std::vector<std::string> refusals(numRanks);
  runLoopback(numRanks, emulated(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Kernel kernel(heap, fillKernel());
    Stream stream(world);
    refusals[size_t(world.rank())] = messageOf<UserError>([&] {
      kernel.launch(
          stream,
          {world.tensor(DataType::I32, {7}), heap.tensor(DataType::I32, {4})},
          {{"S", 7}});
    });
    world.barrier();
  });
  for (int rank = 0; rank < numRanks; ++rank)
    CHECK(refusals[size_t(rank)] ==
          "expected [" + std::to_string(rank == 0 ? 3 : 2) +
              "] of i32 for 'dst' of kernel 'fill' (because rank " +
              std::to_string(rank) +
              " of 3 has that part of [share(S)] and S = 7), got [4] of i32; "
              "shape it for the launch with Kernel::shaped");
}

TEST_CASE("memory too small for any rank's part of a launch is refused on all",
          "[run-time-extent][cxx]") {
  // Two elements are enough for ranks 1 and 2.
  CHECK(uniformFailureOf(numRanks,
                         [](World &world) {
                           SymmetricHeap heap(world, 1 << 16);
                           Kernel kernel(heap, fillKernel());
                           kernel.shaped({world.tensor(DataType::I32, {7}),
                                          heap.tensor(DataType::I32, {2})},
                                         {{"S", 7}});
                         }) ==
        "expected memory of 12 bytes for 'dst' of kernel 'fill' (because "
        "it is [share(7)] of i32 in this launch), got 8; make it with "
        "World::tensor or SymmetricHeap::tensor from the parameter");
  CHECK_THAT(refusalOf([](Kernel &kernel, Stream &, const Tensor &src,
                          const Tensor &) {
               kernel.shaped({src}, {{"S", 7}});
             }),
             Contains("expected 2 tensors (src, dst)") && Contains("got 1"));
  CHECK_THAT(refusalOf([](Kernel &kernel, Stream &, const Tensor &src,
                          const Tensor &dst) {
               kernel.shaped({src, dst}, {{"S", most + 1}});
             }),
             Contains("expected 0 to 8 for parameter 'S'"));
}

TEST_CASE("the emulator refuses a store beyond a peer's share of this launch, "
          "though its memory is larger",
          "[run-time-extent][cxx]") {
  const auto failures = failuresOf(numRanks, emulated(), [](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    const KernelSource source = fillKernel(/*beyond=*/1);
    Kernel kernel(heap, source);
    Stream stream(world);
    const LaunchValues values = {{"S", 4}};
    kernel.launch(stream,
                  kernel.shaped({world.tensor(source.parameters[0]),
                                 heap.tensor(source.parameters[1])},
                                values),
                  values);
    stream.synchronize();
    world.barrier();
  });
  CHECK_THAT(failures[0],
             Contains("kernel 'fill'") && Contains("bytes of tensor 'dst' of"));
}

TEST_CASE("launch parameters that make no sense are refused when loaded",
          "[run-time-extent][cxx]") {
  using Parameters = std::vector<LaunchParameter>;
  const auto refusal = [](const Parameters &parameters) {
    return refusalOfSource([&](KernelSource &source, int) {
      source.launchParameters = parameters;
    });
  };
  const std::string named =
      "expected launch parameters of kernel 'fill' with names of their own, "
      "got ";
  CHECK(refusal({{"S", most}, {"S", most}}) == named + "S, S");
  CHECK(refusal({{"S", most}, {"", 1}}) == named + "S, ");
  CHECK(refusal({{"S", -1}}) == "expected a bound of 0 or more for parameter "
                                "'S' of kernel 'fill', got -1");
  CHECK(refusal({{"T", 1}}) ==
        "expected extent 'S' of 'src' of kernel 'fill' to be one of its launch "
        "parameters (T), got none of that name");
  CHECK(refusal({{"S", 9}}) ==
        "expected extent 'S' of 'src' of kernel 'fill' to have the bound of "
        "the parameter, 9, got 8");
}

TEST_CASE("parameters need something that compares their values",
          "[run-time-extent][cxx]") {
  const auto withoutEntry = [](KernelSource &source, int) {
    source.waits = {{"barrier_all", ""}};
  };
  CHECK(refusalOfSource(withoutEntry) ==
        "expected an entry barrier in kernel 'fill' (because it compares the "
        "values of S over the ranks), got none; give the kernel completion");
  // One rank has nobody to compare with.
  runLoopback(1, emulated(), [](World &world) {
    SymmetricHeap heap(world, 1 << 12);
    KernelSource source = makeKernel("note", R"(
extern "C" __global__ void note(const tw::World world, tw::b32 *dst,
                                const unsigned S) {
  tw::store(dst, 0, tw::Vector<tw::b32, 1>{{S}});
}
)",
                                     1, {localParameter("dst", DataType::I32)});
    source.parameters[0].extents = {1};
    source.launchParameters = {{"S", 100}};
    Kernel kernel(heap, source);
    Stream stream(world);
    const Tensor dst = world.tensor(DataType::I32, {1});
    kernel.launch(stream, {dst}, {{"S", 42}});
    expect(valuesOf(world, dst).size() == 1, "an element");
    stream.synchronize();
    expect(valuesOf(world, dst)[0] == 42, "the value");
  });
}

TEST_CASE("ranks that load other parameters are refused together",
          "[run-time-extent][cxx]") {
  const auto changes = GENERATE(values<std::function<void(KernelSource &)>>(
      {[](KernelSource &source) {
         source.launchParameters[0].most = most + 1;
         for (TensorParameter &tensor : source.parameters)
           tensor.extents[0].value = most + 1;
       },
       [](KernelSource &source) {
         source.launchParameters.push_back({"T", 1});
       },
       [](KernelSource &source) {
         source.parameters[0].extents[0].parameter.clear();
       },
       [](KernelSource &source) {
         source.launchParameters[0].name = "T";
         for (TensorParameter &tensor : source.parameters)
           tensor.extents[0].parameter = "T";
       }}));
  CHECK_THAT(refusalOfSource([&](KernelSource &source, int rank) {
               if (rank == 1)
                 changes(source);
             }),
             Contains("expected every rank to load the same program"));
}
