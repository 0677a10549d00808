//===- HostCopyTest.cpp - host copies keep their stream's order -----------===//

#include "Ranks.h"

#include <tilewire/Benchmark.h>

#include <catch2/catch.hpp>

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;
using namespace std::chrono_literals;

namespace {

constexpr int numRanks = 4;
constexpr int64_t width = 2048;

using Words = std::vector<int32_t>;

/// Row p of each rank r goes to rank p, as its row r.
KernelSource exchange(const std::string &name) {
  ProgramBuilder p(name, {.numRanks = numRanks});
  auto src = p.tensor("src", DataType::I32, {numRanks, width});
  auto dst = p.symmetricTensor("dst", DataType::I32, {numRanks, width});
  p.kernel({.grid = {numRanks}, .threads = 64}, [&](Block &block) {
    auto [peer] = block.indices({"peer"});
    block.putBlock(src.tile({peer, 0}, {1, width}),
                   dst.tile({block.rank(), 0}, {1, width}), peer);
  });
  return compile(p.build());
}

/// A kernel, its tensors, and the stream that orders all that touches them.
struct Lane {
  Lane(World &world, SymmetricHeap &heap, const KernelSource &source)
      : kernel(heap, source), stream(world),
        src(world.tensor(DataType::I32, {numRanks, width})),
        dst(heap.tensor(DataType::I32, {numRanks, width})) {}

  void launch() { kernel.launch(stream, {src, dst}); }
  /// Every word of the source becomes `value`.
  void fill(int32_t value) { write(src, value); }
  void poisonOutput() { write(dst, -1); }
  void write(const Tensor &tensor, int32_t value) {
    const Words words(size_t(tensor.numElements()), value);
    copyToDevice(stream, tensor, words.data(), tensor.numBytes());
  }
  Words output() {
    Words words(size_t(dst.numElements()));
    copyToHost(stream, words.data(), dst, dst.numBytes());
    return words;
  }

  Kernel kernel;
  Stream stream;
  Tensor src, dst;
};

/// The output when every rank r sent `value + r`.
Words outputOf(int32_t value) {
  Words words;
  for (int from = 0; from < numRanks; ++from)
    words.insert(words.end(), size_t(width), value + from);
  return words;
}

} // namespace

TEST_CASE("a copy after a launch sees what the launch wrote, and is not seen "
          "by it, on each of several streams",
          "[host-copy]") {
  const KernelSource sources[] = {exchange("left"), exchange("right")};
  for (uint64_t seed = 0; seed < 4; ++seed) {
    WorldOptions options = worldOptions();
    options.emulatorSeed = seed;
    runLoopback(numRanks, options, [&](World &world) {
      SymmetricHeap heap(world, 1 << 20);
      Lane left(world, heap, sources[0]), right(world, heap, sources[1]);
      left.poisonOutput();
      right.poisonOutput();
      world.barrier(); // nobody puts before every output is poisoned
      for (int launch = 0; launch < 3; ++launch) {
        left.fill(100 * launch + world.rank());
        left.launch();
        right.fill(5000 + 100 * launch + world.rank());
        right.launch();
        left.fill(-2); // after the launch has read it
        expect(world, left.output() == outputOf(100 * launch),
               "what was there when the left kernel was launched");
        expect(world, right.output() == outputOf(5000 + 100 * launch),
               "what was there when the right kernel was launched");
      }
    });
  }
}

TEST_CASE("a copy waits for its own stream alone", "[host-copy]") {
  const KernelSource source = exchange("exchange");
  runLoopback(numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 20);
    Lane lane(world, heap, source);
    Stream other(world);
    const Tensor tensor = world.tensor(DataType::I32, {width});
    lane.fill(world.rank());
    world.barrier();
    // Rank 0 launches last, and only when the others have copied, whose kernels
    // wait for it.
    if (world.rank() > 0)
      lane.launch();
    const Words sent(size_t(width), 7 + world.rank());
    Words received(width, 0);
    copyToDevice(other, tensor, sent.data(), tensor.numBytes());
    copyToHost(other, received.data(), tensor, tensor.numBytes());
    expect(world, received == sent, "the tensor of the other stream");
    world.barrier();
    if (world.rank() == 0)
      lane.launch();
    expect(world, lane.output() == outputOf(0), "the exchange");
  });
}

TEST_CASE("a copy that makes no sense is refused before it waits",
          "[host-copy]") {
  const KernelSource source = exchange("exchange");
  CHECK_THAT(refusalOf(numRanks,
                       [&](World &world) {
                         SymmetricHeap heap(world, 1 << 20);
                         Lane lane(world, heap, source);
                         if (world.rank() > 0)
                           lane.launch();
                         std::string message;
                         try {
                           copyToHost(lane.stream, nullptr, lane.dst, 12);
                         } catch (const UserError &error) {
                           message = error.what();
                         }
                         world.barrier();
                         if (world.rank() == 0)
                           lane.launch();
                         lane.stream.synchronize();
                         throw UserError(message);
                       }),
             Contains("expected 32768 host bytes") && Contains("got 12"));
}

TEST_CASE("a kernel that failed is the error of the copy behind it, and "
          "nothing is copied",
          "[host-copy]") {
  const KernelSource source = exchange("exchange");
  const bool toHost = GENERATE(true, false);
  const bool isEmpty = GENERATE(true, false);
  // Compiled before the clock runs.
  runLoopback(numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 20);
    Kernel kernel(heap, source);
  });
  std::vector<std::string> again(numRanks);
  std::vector<Words> hosts(numRanks, Words(size_t(width), 42));
  const auto failures = failuresOf(numRanks, worldOptions(1s), [&](World &w) {
    SymmetricHeap heap(w, 1 << 20);
    Lane lane(w, heap, source);
    const Tensor tensor = w.tensor(DataType::I32, {isEmpty ? 0 : width});
    Words &host = hosts[size_t(w.rank())];
    const auto copy = [&] {
      if (toHost)
        copyToHost(lane.stream, host.data(), tensor, tensor.numBytes());
      else
        copyToDevice(lane.stream, tensor, host.data(), tensor.numBytes());
    };
    if (w.rank() != 1)
      lane.launch();
    else
      while (true) // until it hears of the others
        lane.stream.synchronize();
    try {
      copy();
    } catch (const MachineError &) {
      try {
        copy();
      } catch (const MachineError &error) {
        again[size_t(w.rank())] = error.what();
      }
      throw;
    }
  });
  for (int rank = 0; rank < numRanks; ++rank) {
    CHECK_THAT(failures[size_t(rank)],
               Contains("kernel 'exchange'") && Contains("waited for rank 1"));
    CHECK(hosts[size_t(rank)] == Words(size_t(width), 42));
    if (rank != 1) // a broken world answers every call with the same
      CHECK(again[size_t(rank)] == failures[size_t(rank)]);
  }
}

TEST_CASE("what waits for a stream is refused in a benchmark's launch, which "
          "may go into a graph",
          "[host-copy]") {
  const int step = GENERATE(0, 1, 2);
  const int warmup = GENERATE(0, 1);
  const auto failures = failuresOf(2, worldOptions(), [&](World &world) {
    Stream stream(world);
    const Tensor tensor = world.tensor(DataType::I32, {width});
    Words host(size_t(width), 0);
    const std::function<void()> steps[] = {
        [&] { copyToHost(stream, host.data(), tensor, tensor.numBytes()); },
        [&] { copyToDevice(stream, tensor, host.data(), tensor.numBytes()); },
        [&] { stream.synchronize(); }};
    for (const auto &outside : steps)
      outside();
    benchmark(world, stream, {.warmup = warmup, .repetitions = 1},
              [&](int) { steps[step](); });
  });
  for (const std::string &failure : failures)
    CHECK(failure ==
          "expected launches and copies within the device alone in a "
          "benchmark's launch, got " +
              std::string(step < 2 ? "a copy from or to the host"
                                   : "a wait for its stream") +
              "; do that before or after the benchmark");
}
