//===- KernelTest.cpp - kernels of whole worlds ---------------------------===//
//
// On the emulator, with ranks as threads.
//
//===----------------------------------------------------------------------===//

#include "WorldFixture.h"

#include <tilewire/Benchmark.h>
#include <tilewire/Error.h>

#include <catch2/catch.hpp>

#include <atomic>
#include <mutex>
#include <thread>

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;
using namespace std::chrono_literals;

TEST_CASE("a kernel exchanges data between ranks, launch after launch",
          "[kernel][cxx]") {
  const int numRanks = GENERATE(1, 2, 4);
  runLoopback(numRanks, emulated(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Kernel kernel(heap, exchangeKernel(numRanks));
    expect(kernel.numBlocks() == 3, "the blocks that have work");
    Stream stream(world);
    const Tensor dst = heap.tensor(DataType::I32, {numRanks});
    for (int launch = 0; launch < 20; ++launch) {
      std::vector<int32_t> sent, expected;
      for (int peer = 0; peer < numRanks; ++peer) {
        sent.push_back(launch * 10000 + world.rank() * 100 + peer);
        expected.push_back(launch * 10000 + peer * 100 + world.rank());
      }
      kernel.launch(stream, {filled(world, sent), dst});
      stream.synchronize();
      expect(valuesOf(world, dst) == expected, "the peers' values");
    }
  });
}

TEST_CASE("kernels come and go, more than a heap has places for",
          "[kernel][cxx]") {
  runLoopback(2, emulated(), [](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Stream stream(world);
    const Tensor dst = heap.tensor(DataType::I32, {2});
    for (int i = 0; i < 300; ++i) {
      Kernel kernel(heap, exchangeKernel(2));
      if (i % 50 != 0)
        continue;
      const Tensor src = filled(world, {i, i + 1});
      kernel.launch(stream, {src, dst});
      stream.synchronize();
      expect(valuesOf(world, dst) == std::vector<int32_t>(2, i + world.rank()),
             "the values of this launch");
    }
  });
}

TEST_CASE("tensors that do not fit a kernel are refused by name before it runs",
          "[kernel][cxx]") {
  const auto refusal =
      [](const std::function<std::vector<Tensor>(World &, SymmetricHeap &)>
             &makeTensors) {
        std::string message;
        runLoopback(1, emulated(), [&](World &world) {
          SymmetricHeap heap(world, 1 << 16);
          Kernel kernel(heap, exchangeKernel(1));
          Stream stream(world);
          message = messageOf<UserError>(
              [&] { kernel.launch(stream, makeTensors(world, heap)); });
          stream.synchronize();
        });
        return message;
      };
  CHECK_THAT(refusal([](World &world, SymmetricHeap &) {
               return std::vector{filled(world, {1})};
             }),
             Contains("2 tensors (src, dst)") && Contains("got 1"));
  CHECK_THAT(refusal([](World &world, SymmetricHeap &heap) {
               return std::vector{filled(world, {1, 2}),
                                  heap.tensor(DataType::I32, {1})};
             }),
             Contains("'src'") && Contains("[1] of i32") &&
                 Contains("got [2] of i32"));
  CHECK_THAT(
      refusal([](World &world, SymmetricHeap &heap) {
        return std::vector{filled(world, {1}), heap.tensor(DataType::F32, {1})};
      }),
      Contains("'dst'") && Contains("got [1] of f32"));
  CHECK_THAT(refusal([](World &world, SymmetricHeap &) {
               return std::vector{filled(world, {1}), filled(world, {1})};
             }),
             Contains("'dst'") && Contains("local memory"));
  CHECK_THAT(refusal([](World &world, SymmetricHeap &) {
               SymmetricHeap other(world, 1024);
               return std::vector{filled(world, {1}),
                                  other.tensor(DataType::I32, {1})};
             }),
             Contains("'dst'") && Contains("another heap"));
}

TEST_CASE("kernels that can't run here are refused on all ranks",
          "[kernel][cxx]") {
  const auto refusal =
      [](const std::function<void(World &, KernelSource &)> &change) {
        return uniformFailureOf(2, [&](World &world) {
          SymmetricHeap heap(world, 1024);
          KernelSource source = exchangeKernel(2);
          change(world, source);
          Kernel kernel(heap, source);
        });
      };
  CHECK_THAT(refusal([](World &, KernelSource &source) {
               source.launch.maxBlocks = 1000000;
               source.launch.needsAllBlocks = true;
             }),
             Contains("1000000") && Contains("room for 8 on rank 0"));
  CHECK_THAT(
      refusal([](World &, KernelSource &source) { source.numRanks = 3; }),
      Contains("3 ranks") && Contains("got 2"));
  CHECK_THAT(refusal([](World &, KernelSource &source) {
               source.text += "\nthis is no C++\n";
             }),
             Contains("this is no C++"));
}

TEST_CASE("a rank that does not launch is named by those that wait, and the "
          "world is broken with it",
          "[kernel][cxx]") {
  std::atomic<int> refused{0};
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string> failures =
      failuresOf(3, emulated(2s), [&](World &world) {
        SymmetricHeap heap(world, 1024);
        Kernel kernel(heap, exchangeKernel(3));
        const Tensor dst = heap.tensor(DataType::I32, {3});
        const Tensor src = filled(world, {1, 2, 3});
        Stream stream(world);
        if (world.rank() != 1)
          kernel.launch(stream, {src, dst});
        try {
          stream.synchronize();
          world.barrier();
        } catch (const MachineError &error) {
          refused += messageOf<MachineError>([&] {
                       kernel.launch(stream, {src, dst});
                     }) == error.what();
          throw;
        }
      });
  CHECK(std::chrono::steady_clock::now() - start < 15s);
  CHECK(refused == 3);
  for (const std::string &failure : failures)
    CHECK_THAT(failure, Contains("rank 1"));
  for (int rank : {0, 2})
    CHECK_THAT(failures[size_t(rank)],
               Contains("entry barrier at program.cpp:7"));
}

TEST_CASE("kernels stop waiting when a peer fails on the host",
          "[kernel][cxx]") {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string> failures =
      failuresOf(2, emulated(60s), [&](World &world) {
        SymmetricHeap heap(world, 1024);
        Kernel kernel(heap, exchangeKernel(2));
        const Tensor dst = heap.tensor(DataType::I32, {2});
        Stream stream(world);
        if (world.rank() == 1)
          throw UserError("rank 1 gives up");
        kernel.launch(stream, {filled(world, {1, 2}), dst});
        stream.synchronize();
      });
  CHECK(std::chrono::steady_clock::now() - start < 20s);
  for (const std::string &failure : failures)
    CHECK_THAT(failure, Contains("rank 1"));
}

TEST_CASE("a stream keeps the tensors of its work until it is synchronized",
          "[kernel][cxx]") {
  runLoopback(1, emulated(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Kernel kernel(heap, exchangeKernel(1));
    const Tensor dst = heap.tensor(DataType::I32, {1});
    Stream stream(world);
    std::vector<std::weak_ptr<void>> owners;
    {
      const Tensor from = filled(world, {1, 2, 3}),
                   to = filled(world, {0, 0, 0});
      const Tensor src = filled(world, {4});
      stream.copy(to, from);
      kernel.launch(stream, {src, dst});
      owners = {from.owner, to.owner, src.owner};
    }
    for (const auto &owner : owners)
      expect(!owner.expired(), "memory while work may touch it");
    stream.synchronize();
    for (const auto &owner : owners)
      expect(owner.expired(), "no memory kept after that");
  });
}

TEST_CASE("a kernel that does not end with its world keeps its tensors",
          "[kernel][cxx]") {
  std::atomic<bool> isLaunched{false}, isKept{false};
  failuresOf(2, emulated(), [&](World &world) {
    SymmetricHeap heap(world, 1024);
    // Longer than the kernels of a broken world are waited for.
    KernelSource source = makeKernel("slow", R"(
extern "C" __global__ void slow(const tw::World world, tw::b32 *out) {
  const unsigned long long start = tw::nanoseconds();
  while (tw::nanoseconds() - start < 6000000000ull)
    tw::pause();
  tw::store(out, 0, tw::Vector<tw::b32, 1>{{7}});
}
)",
                                     1, {});
    source.numRanks = 2;
    source.parameters = {{"out", DataType::I32, {1}, false, true}};
    Kernel kernel(heap, source);
    if (world.rank() == 1) {
      while (!isLaunched) {
        world.checkHealthy();
        std::this_thread::sleep_for(1ms);
      }
      world.breakWith(std::make_exception_ptr(UserError("enough of this")));
      return;
    }
    Stream stream(world);
    Tensor out = filled(world, {1});
    const std::weak_ptr<void> owner = out.owner;
    kernel.launch(stream, {out});
    isLaunched = true;
    out = {};
    try {
      stream.synchronize();
    } catch (const Error &) {
      isKept = !owner.expired();
      throw;
    }
  });
  CHECK(isKept);
}

TEST_CASE("a copy without memory on either side is refused", "[kernel]") {
  runLoopback(1, emulated(), [&](World &world) {
    Stream stream(world);
    const Tensor good = filled(world, {1, 2, 3, 4});
    Tensor bare;
    bare.dtype = DataType::I32;
    bare.shape = {4};
    int32_t host[4] = {};
    const auto isRefused = [&](const std::string &what,
                               const std::function<void()> &copy) {
      expect(messageOf<UserError>(copy).find(what) != std::string::npos, what);
    };
    isRefused("for the destination of a copy, got a tensor [4] of i32",
              [&] { stream.copy(bare, good); });
    isRefused("for the source of a copy, got a tensor [4] of i32",
              [&] { stream.copy(good, bare); });
    isRefused("got a tensor [4] of i32",
              [&] { copyToHost(stream, host, bare, sizeof(host)); });
    isRefused("got a tensor [4] of i32",
              [&] { copyToDevice(stream, bare, host, sizeof(host)); });
    isRefused("got a null pointer",
              [&] { copyToHost(stream, nullptr, good, sizeof(host)); });
    isRefused("got a null pointer",
              [&] { copyToDevice(stream, good, nullptr, sizeof(host)); });
    // Nothing needs no memory.
    bare.shape = {0};
    stream.copy(bare, bare);
    copyToHost(stream, nullptr, bare, 0);
    copyToDevice(stream, bare, nullptr, 0);
    stream.synchronize();
    expect(valuesOf(world, good) == std::vector<int32_t>{1, 2, 3, 4},
           "what was there");
  });
}

TEST_CASE("a benchmark gives every rank the same times", "[benchmark][cxx]") {
  std::mutex mutex;
  std::vector<Timing> timings;
  runLoopback(2, emulated(), [&](World &world) {
    SymmetricHeap heap(world, 1024);
    Kernel kernel(heap, exchangeKernel(2));
    const Tensor dst = heap.tensor(DataType::I32, {2});
    const Tensor src = filled(world, {1, 2});
    Stream stream(world);
    int launches = 0;
    const Timing timing = benchmark(
        world, stream, {.warmup = 2, .repetitions = 5, .launchesPerSample = 3},
        [&](int i) {
          expect(i == launches++, "launches counted from 0");
          kernel.launch(stream, {src, dst});
        });
    expect(launches == 2 + 5 * 3, "every launch asked for");
    std::lock_guard lock(mutex);
    timings.push_back(timing);
  });
  REQUIRE(timings.size() == 2);
  CHECK(timings[0].medianUs == timings[1].medianUs);
  CHECK(timings[0].minUs > 0);
  CHECK(timings[0].minUs <= timings[0].medianUs);
  CHECK(timings[0].medianUs <= timings[0].maxUs);
  CHECK(timings[0].samples == 5);
}

TEST_CASE("benchmark options that differ or make no sense are refused on all "
          "ranks before anything runs",
          "[benchmark]") {
  const auto refusal = [](const BenchmarkOptions &odd) {
    std::atomic<int> launches{0};
    const std::string message = uniformFailureOf(3, [&](World &world) {
      Stream stream(world);
      const BenchmarkOptions usual{
          .warmup = 1, .repetitions = 5, .launchesPerSample = 2};
      benchmark(world, stream, world.rank() == 2 ? odd : usual,
                [&](int) { ++launches; });
    });
    CHECK(launches == 0);
    return message;
  };
  const auto isNamed = [](const std::string &value) {
    return Contains("a warm-up of 1 with 5 repetitions of 2 launches on "
                    "rank 0 and " +
                    value + " on rank 2");
  };
  CHECK_THAT(refusal({.warmup = 0, .repetitions = 5, .launchesPerSample = 2}),
             isNamed("a warm-up of 0 with 5 repetitions of 2 launches"));
  CHECK_THAT(refusal({.warmup = 1, .repetitions = 7, .launchesPerSample = 2}),
             isNamed("a warm-up of 1 with 7 repetitions of 2 launches"));
  CHECK_THAT(refusal({.warmup = 1, .repetitions = 5, .launchesPerSample = 1}),
             isNamed("a warm-up of 1 with 5 repetitions of 1 launches"));
  CHECK_THAT(refusal({.warmup = -1}), Contains("got -1, 50 and 1"));
}

TEST_CASE("a kernel that never gets done, though its threads do not keep each "
          "other waiting, is named by the host that waits for it",
          "[kernel][cxx]") {
  const std::string loop =
      GENERATE("while (!tw::loadAcquire((unsigned *)dst)) tw::pause();",
               "while (true) __syncthreads();");
  KernelSource source =
      makeKernel("vain",
                 "extern \"C\" __global__ void vain(const tw::World world, "
                 "tw::b32 *dst) { " +
                     loop + " }\n",
                 32, {});
  source.parameters = {{"dst", DataType::I32, {1}, false, true}};
  const auto failures = failuresOf(1, emulated(100ms), [&](World &world) {
    SymmetricHeap heap(world, 1024);
    Kernel kernel(heap, source);
    Stream stream(world);
    kernel.launch(stream, {filled(world, {0})});
    stream.synchronize();
  });
  CHECK_THAT(failures[0],
             Contains("kernel 'vain' on rank 0") && Contains("within 2 s"));
}

TEST_CASE("a kernel that loops for ever is ended when the world breaks",
          "[kernel][cxx]") {
  KernelSource source = exchangeKernel(2);
  source.text.insert(source.text.find('{') + 1, " while (world.rank == 1) {}");
  std::chrono::steady_clock::time_point thrown;
  const auto failures = failuresOf(2, emulated(), [&](World &world) {
    SymmetricHeap heap(world, 1024);
    Kernel kernel(heap, source);
    Stream stream(world);
    kernel.launch(stream,
                  {filled(world, {1, 2}), heap.tensor(DataType::I32, {2})});
    if (world.rank() == 0) {
      thrown = std::chrono::steady_clock::now();
      world.breakWith(std::make_exception_ptr(UserError("enough")));
    }
    stream.synchronize();
  });
  CHECK(std::chrono::steady_clock::now() - thrown < 3s);
  CHECK(failures == std::vector<std::string>{"enough", "enough"});
}
