//===- RunTimeExtentTest.cpp - one kernel for all lengths -----------------===//
//
// Kernels written by hand whose extents each launch gives: memory is made once,
// at the bound, and every element is compared, those beside this launch's part
// included.
//
//===----------------------------------------------------------------------===//

#include "Ranks.h"
#include "runtime/Device.h"

#include <tilewire/Benchmark.h>

#include <catch2/catch.hpp>

#include <barrier>
#include <optional>

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;
using namespace std::chrono_literals;

namespace {

using Words = std::vector<int32_t>;

constexpr int64_t mostRows = 37, mostColumns = 5;
constexpr int32_t untouched = -1;

Extent parameter(const std::string &name, int64_t bound, bool isShare = false) {
  Extent extent("", bound, isShare);
  extent.parameter = name;
  return extent;
}

/// Each rank sends each peer the peer's share of its S rows of H columns, which
/// keeps that of rank r as its part r.
KernelSource spreadKernel(const std::string &name, int numRanks,
                          int64_t boundOfRows = mostRows) {
  const std::string rowsType =
      boundOfRows < int64_t(1) << 32 ? "unsigned" : "size_t";
  KernelSource source;
  source.entry = name;
  source.numRanks = numRanks;
  source.text =
      "extern \"C\" __global__ void __launch_bounds__(8)\n" + name +
      "(const tw::World world, const tw::b32 *src, tw::b32 *dst,\n const " +
      rowsType + " S, const unsigned H) {" + R"(
  if (!tw::enterAll(world, 0))
    return;
  const size_t larger = S % world.numRanks;
  for (unsigned peer = 0; peer < world.numRanks; ++peer) {
    const size_t count = (S / world.numRanks + (peer < larger ? 1 : 0)) * H;
    const size_t begin =
        (S / world.numRanks * peer + (peer < larger ? peer : larger)) * H;
    for (size_t i = blockIdx.x * 8 + threadIdx.x; i < count;
         i += gridDim.x * 8)
      tw::store(tw::onPeer(world, dst, peer), world.rank * count + i,
                tw::load<1>(src, begin + i));
  }
  tw::leaveAll(world, 1);
}
)";
  source.parameters = {
      {"src",
       DataType::I32,
       {parameter("S", boundOfRows), parameter("H", mostColumns)},
       false,
       false},
      {"dst",
       DataType::I32,
       {numRanks, parameter("S", boundOfRows, true),
        parameter("H", mostColumns)},
       true,
       true}};
  source.launchParameters = {{"S", boundOfRows}, {"H", mostColumns}};
  source.launch.threads = 8; // so that few elements keep several blocks busy
  source.launch.maxBlocks = 4;
  source.waits = {{"entry barrier", "spread.cpp:1"}, {"exit barrier", ""}};
  return source;
}

LaunchValues valuesOf(int64_t rows, int64_t columns) {
  return {{"H", columns}, {"S", rows}}; // in any order
}

/// An element of `rank`'s input.
int32_t wordOf(int rank, int64_t row, int64_t column) {
  return int32_t(rank * 1000003 + row * 101 + column + 1);
}

Words inputOf(int rank, int64_t rows, int64_t columns) {
  Words words;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      words.push_back(wordOf(rank, row, column));
  return words;
}

Words outputOf(const World &world, int64_t rows, int64_t columns) {
  const Partition cut{rows, world.size()};
  Words words;
  for (int from = 0; from < world.size(); ++from)
    for (int64_t row = cut.begin(world.rank());
         row < cut.begin(world.rank() + 1); ++row)
      for (int64_t column = 0; column < columns; ++column)
        words.push_back(wordOf(from, row, column));
  return words;
}

void write(Stream &stream, const Tensor &tensor, const Words &words) {
  copyToDevice(stream, tensor, words.data(), int64_t(words.size() * 4));
}

Words read(Stream &stream, const Tensor &tensor) {
  Words words(size_t(tensor.numElements()));
  copyToHost(stream, words.data(), tensor, tensor.numBytes());
  return words;
}

/// A kernel with memory for the largest launch, and guards beside it.
struct Spread {
  Spread(World &world, SymmetricHeap &heap, const KernelSource &source)
      : world(world), kernel(heap, source),
        src(world.tensor(source.parameters[0])),
        before(heap.tensor(DataType::I32, {64})),
        dst(heap.tensor(source.parameters[1])),
        after(heap.tensor(DataType::I32, {64})) {}

  /// All that the output may ever use.
  Tensor whole() const { return dst.shaped({dst.capacity / 4}); }

  void poison(Stream &stream) {
    for (const Tensor &tensor : {before, whole(), after})
      write(stream, tensor, Words(size_t(tensor.numElements()), untouched));
  }

  void launch(Stream &stream, int64_t rows, int64_t columns) {
    const LaunchValues values = valuesOf(rows, columns);
    const std::vector<Tensor> tensors = kernel.shaped({src, dst}, values);
    write(stream, tensors[0], inputOf(world.rank(), rows, columns));
    kernel.launch(stream, tensors, values);
  }

  /// The output of one launch, and nothing beside it.
  void check(Stream &stream, int64_t rows, int64_t columns) {
    Words expected = outputOf(world, rows, columns);
    expected.resize(size_t(dst.capacity / 4), untouched);
    const std::string what =
        " of " + std::to_string(rows) + " rows of " + std::to_string(columns);
    expect(world, read(stream, whole()) == expected, "the output" + what);
    for (const Tensor &guard : {before, after})
      expect(world, read(stream, guard) == Words(64, untouched),
             "guards as they were beside the output" + what);
  }

  World &world;
  Kernel kernel;
  Tensor src, before, dst, after;
};

/// Small and large in turn: what a launch left behind would show in the next.
const std::pair<int64_t, int64_t> shapes[] = {{mostRows, mostColumns},
                                              {0, mostColumns},
                                              {1, 1},
                                              {7, 3},
                                              {mostRows, 1},
                                              {2, 0},
                                              {3, 5},
                                              {0, 0},
                                              {36, 4},
                                              {5, 2},
                                              {4, 5},
                                              {mostRows, mostColumns}};

} // namespace

TEST_CASE("one kernel, loaded once, serves launches of all lengths in turn",
          "[run-time-extent]") {
  const int numRanks = GENERATE(1, 2, 3, 4);
  runLoopback(numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Spread spread(world, heap, spreadKernel("spread", numRanks));
    Stream stream(world);
    for (const auto &[rows, columns] : shapes) {
      spread.poison(stream);
      world.barrier(); // nobody writes before all is poisoned
      spread.launch(stream, rows, columns);
      stream.synchronize();
      spread.check(stream, rows, columns);
      world.barrier();
    }
  });
}

TEST_CASE("two kernels of one stream have each their own values",
          "[run-time-extent]") {
  constexpr int numRanks = 3;
  runLoopback(numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Spread left(world, heap, spreadKernel("left", numRanks));
    Spread right(world, heap, spreadKernel("right", numRanks));
    Stream stream(world);
    const size_t numShapes = std::size(shapes);
    std::vector<std::pair<Tensor, Words>> logs;
    for (size_t i = 0; i < 2 * numShapes; ++i) {
      Spread &spread = i % 2 == 0 ? left : right;
      const auto [rows, columns] = shapes[(i % 2 == 0 ? i : 3 * i) % numShapes];
      const LaunchValues values = valuesOf(rows, columns);
      // Queued one behind the other: no host copy waits between them.
      const Tensor in = world.tensor(spread.kernel.source().parameters[0]);
      const std::vector<Tensor> tensors =
          spread.kernel.shaped({in, spread.dst}, values);
      Stream aside(world);
      write(aside, tensors[0], inputOf(world.rank(), rows, columns));
      spread.kernel.launch(stream, tensors, values);
      const Tensor log = world.tensor(DataType::I32, tensors[1].shape);
      stream.copy(log, tensors[1]);
      logs.emplace_back(log, outputOf(world, rows, columns));
    }
    stream.synchronize();
    for (const auto &[log, expected] : logs)
      expect(world, read(stream, log) == expected, "each launch's output");
    world.barrier();
  });
}

TEST_CASE("ranks that launch with different values all fail, and none stores",
          "[run-time-extent]") {
  constexpr int numRanks = 3;
  const int odd = GENERATE(0, 1, 2);
  const auto [rows, columns] =
      GENERATE(table<int64_t, int64_t>({{8, 3}, {0, 3}, {7, 4}}));
  std::vector<std::string> failures(numRanks);
  std::vector<Words> outputs(numRanks);
  std::barrier allStopped(numRanks);
  failuresOf(numRanks, worldOptions(10s), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Spread spread(world, heap, spreadKernel("spread", numRanks));
    std::optional<Stream> stream(world);
    spread.launch(*stream, 9, 2); // this one meets
    spread.poison(*stream);
    world.barrier();
    try {
      if (world.rank() == odd)
        spread.launch(*stream, rows, columns);
      // On the other ranks this is the same launch, on that one the next.
      const LaunchValues values = valuesOf(7, 3);
      spread.kernel.launch(
          *stream, spread.kernel.shaped({spread.src, spread.dst}, values),
          values);
      stream->synchronize();
    } catch (const Error &error) {
      failures[size_t(world.rank())] = error.what();
    }
    stream.reset(); // its kernels have ended
    allStopped.arrive_and_wait();
    const Tensor whole = spread.whole();
    outputs[size_t(world.rank())].resize(size_t(whole.numElements()));
    world.device().copyToHost(outputs[size_t(world.rank())].data(), whole.data,
                              whole.numBytes());
  });
  for (const std::string &failure : failures)
    CHECK_THAT(
        failure,
        Contains("kernel 'spread', entry barrier at spread.cpp:1: expected "
                 "every rank to launch with the same symmetric tensors and "
                 "parameters (S, H), got others on rank") &&
            Contains("rank " + std::to_string(odd)) &&
            Contains("the same values on every rank"));
  for (const Words &output : outputs)
    CHECK((output == Words(output.size(), untouched)));
}

TEST_CASE("an extent may have a bound above 2^32", "[run-time-extent]") {
  constexpr int numRanks = 2;
  const KernelSource source =
      spreadKernel("spread", numRanks, int64_t(1) << 40);
  runLoopback(numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Kernel kernel(heap, source);
    Stream stream(world);
    // No memory is as large as the bound.
    const LaunchValues largest = valuesOf(21, 3);
    const Tensor src = world.tensor(source.parameters[0].at(largest));
    const Tensor dst = heap.tensor(source.parameters[1].at(largest));
    for (const int64_t rows : {21, 4, 0, 13}) {
      const LaunchValues values = valuesOf(rows, 3);
      const std::vector<Tensor> tensors = kernel.shaped({src, dst}, values);
      write(stream, tensors[0], inputOf(world.rank(), rows, 3));
      kernel.launch(stream, tensors, values);
      expect(world, read(stream, tensors[1]) == outputOf(world, rows, 3),
             "the output");
    }
    world.barrier();
  });
}

TEST_CASE("values reach the kernel whole, of either width",
          "[run-time-extent]") {
  constexpr int numRanks = 2;
  KernelSource source;
  source.entry = "note";
  source.numRanks = numRanks;
  source.text = R"(
extern "C" __global__ void __launch_bounds__(32)
note(const tw::World world, tw::b64 *dst, const unsigned first,
     const size_t second, const unsigned third) {
  if (!tw::enterAll(world, 0))
    return;
  if (threadIdx.x == 0) {
    tw::store(dst, 0, tw::Vector<tw::b64, 1>{{first}});
    tw::store(dst, 1, tw::Vector<tw::b64, 1>{{second}});
    tw::store(dst, 2, tw::Vector<tw::b64, 1>{{third}});
  }
  tw::leaveAll(world, 1);
}
)";
  source.parameters = {{"dst", DataType::I64, {3}, false, true}};
  source.launchParameters = {
      {"first", 0xFFFFFFFF}, {"second", int64_t(1) << 40}, {"third", 7}};
  source.launch.threads = 32;
  source.waits = {{"entry barrier", ""}, {"exit barrier", ""}};
  runLoopback(numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 12);
    Kernel kernel(heap, source);
    Stream stream(world);
    const Tensor dst = world.tensor(source.parameters[0]);
    for (const int64_t second : {int64_t(1) << 40, (int64_t(1) << 32) - 1,
                                 (int64_t(1) << 32) + 5, int64_t(0)}) {
      kernel.launch(stream, {dst},
                    {{"third", 6}, {"first", 0xFFFFFFFF}, {"second", second}});
      std::vector<int64_t> seen(3);
      copyToHost(stream, seen.data(), dst, dst.numBytes());
      expect(world, seen == std::vector<int64_t>{0xFFFFFFFF, second, 6},
             "the values");
    }
    world.barrier();
  });
}

TEST_CASE("a value that differs beyond 2^32 alone is seen",
          "[run-time-extent]") {
  constexpr int numRanks = 2;
  const KernelSource source =
      spreadKernel("spread", numRanks, int64_t(1) << 40);
  const auto failures =
      failuresOf(numRanks, worldOptions(10s), [&](World &world) {
        SymmetricHeap heap(world, 1 << 16);
        Kernel kernel(heap, source);
        Stream stream(world);
        // No columns, so that no memory is needed.
        const LaunchValues values =
            valuesOf(int64_t(world.rank()) << 32 | 5, 0);
        kernel.launch(stream,
                      {world.tensor(source.parameters[0].at(values)),
                       heap.tensor(source.parameters[1].at(valuesOf(5, 0)))
                           .shaped(source.parameters[1].at(values).shapeOn(
                               world.rank(), numRanks))},
                      values);
        stream.synchronize();
        world.barrier();
      });
  for (const std::string &failure : failures)
    CHECK_THAT(failure, Contains("the same symmetric tensors and parameters"));
}

TEST_CASE("a benchmark's launches have values as others do",
          "[run-time-extent]") {
  constexpr int numRanks = 2;
  runLoopback(numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Spread spread(world, heap, spreadKernel("spread", numRanks));
    Stream stream(world);
    const LaunchValues lengths[] = {valuesOf(7, 3), valuesOf(11, 2)};
    spread.launch(stream, 11, 3); // fills the input
    const Timing timing = benchmark(
        world, stream, {.warmup = 1, .repetitions = 3, .launchesPerSample = 4},
        [&](int launch) {
          const LaunchValues &values = lengths[launch % 2];
          spread.kernel.launch(
              stream, spread.kernel.shaped({spread.src, spread.dst}, values),
              values);
        });
    expect(world, timing.samples == 3, "three samples");
    spread.launch(stream, 5, 5);
    expect(world,
           read(stream, spread.kernel.shaped({spread.src, spread.dst},
                                             valuesOf(5, 5))[1]) ==
               outputOf(world, 5, 5),
           "the launch after it");
    world.barrier();
  });
}
