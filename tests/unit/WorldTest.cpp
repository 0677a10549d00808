//===- WorldTest.cpp - ranks, heap and kernels together -------------------===//
//
// On the emulator, with ranks as threads. What a rank checks it throws: the
// test framework's own checks belong to one thread.
//
//===----------------------------------------------------------------------===//

#include "EmulatedRanks.h"

#include <tilewire/Benchmark.h>
#include <tilewire/Error.h>

#include <catch2/catch.hpp>

#include <atomic>
#include <cstring>
#include <mutex>
#include <numeric>
#include <thread>

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;
using namespace std::chrono_literals;

namespace {

WorldOptions emulated(std::chrono::milliseconds timeout = 20s) {
  WorldOptions options;
  options.backend = Backend::Emulator;
  options.timeout = timeout;
  return options;
}

void expect(bool condition, const std::string &what) {
  if (!condition)
    throw std::runtime_error("expected " + what);
}

/// What each rank's `step` fails with; empty where it does not.
std::vector<std::string> failuresOf(int numRanks, const WorldOptions &options,
                                    const std::function<void(World &)> &step) {
  std::vector<std::string> failures(static_cast<size_t>(numRanks));
  try {
    runLoopback(numRanks, options, [&](World &world) {
      try {
        step(world);
      } catch (const Error &error) {
        failures[size_t(world.rank())] = error.what();
        throw;
      }
    });
  } catch (const Error &) {
    // Kept above, rank by rank.
  }
  return failures;
}

/// Every rank fails with `step`, with one message; returns it. The world works
/// on: ranks meet after it.
std::string uniformFailureOf(int numRanks,
                             const std::function<void(World &)> &step) {
  std::vector<std::string> messages(static_cast<size_t>(numRanks));
  runLoopback(numRanks, emulated(), [&](World &world) {
    try {
      step(world);
    } catch (const UserError &error) {
      messages[size_t(world.rank())] = error.what();
    }
    world.barrier();
  });
  for (const std::string &message : messages)
    CHECK(message == messages.front());
  return messages.front();
}

/// Rank r sends element p of `src` to element r of `dst` on peer p.
KernelSource exchangeKernel(int numRanks) {
  KernelSource source = makeKernel("exchange", R"(
extern "C" __global__ void __launch_bounds__(32)
exchange(const tw::World world, const tw::b32 *src, tw::b32 *dst) {
  if (!tw::enterAll(world, 0))
    return;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    for (int peer = 0; peer < world.numRanks; ++peer)
      tw::store(tw::onPeer(world, dst, peer), world.rank,
                tw::load<1>(src, peer));
  tw::leaveAll(world, 1);
}
)",
                                   32, {});
  source.numRanks = numRanks;
  source.parameters = {{"src", DataType::I32, {numRanks}, false, false},
                       {"dst", DataType::I32, {numRanks}, true, true}};
  source.launch.maxBlocks = 3;
  source.waits = {{"entry barrier", "program.cpp:7"},
                  {"exit barrier", "program.cpp:7"}};
  return source;
}

Tensor filled(World &world, const std::vector<int32_t> &values) {
  Tensor tensor = world.tensor(DataType::I32, {int64_t(values.size())});
  copyToDevice(world, tensor, values.data(), tensor.numBytes());
  return tensor;
}

std::vector<int32_t> valuesOf(World &world, const Tensor &tensor) {
  std::vector<int32_t> values(size_t(tensor.numElements()));
  copyToHost(world, values.data(), tensor, tensor.numBytes());
  return values;
}

} // namespace

TEST_CASE("ranks gather every payload by rank", "[world]") {
  const int numRanks = GENERATE(1, 2, 3, 8);
  runLoopback(numRanks, emulated(), [&](World &world) {
    expect(world.size() == numRanks && world.isLoopback() &&
               world.ranksOnDevice() == 1,
           "a loopback world");
    const auto all = world.allGather("names", std::to_string(world.rank()));
    for (int rank = 0; rank < numRanks; ++rank)
      expect(all[size_t(rank)] == std::to_string(rank), "payloads by rank");
    world.barrier();
  });
}

TEST_CASE("a step that fails on some ranks fails on all with the lowest's "
          "error",
          "[world]") {
  CHECK(uniformFailureOf(4, [](World &world) {
          world.together("a step", [&] {
            if (world.rank() == 2 || world.rank() == 3)
              throw UserError("no " + std::to_string(world.rank()));
          });
        }) == "no 2");
}

TEST_CASE("the error of one rank's body ends the others and is the one thrown",
          "[world]") {
  const auto start = std::chrono::steady_clock::now();
  CHECK_THROWS_WITH(runLoopback(3, emulated(),
                                [](World &world) {
                                  if (world.rank() == 1)
                                    throw UserError("rank 1 has no input");
                                  world.barrier();
                                }),
                    Catch::Equals("rank 1 has no input"));
  CHECK(std::chrono::steady_clock::now() - start < 5s);
}

TEST_CASE("a world without a launcher has one rank", "[world]") {
  World world = World::join(emulated());
  CHECK(world.rank() == 0);
  CHECK(world.size() == 1);
  const Tensor tensor = filled(world, {1, 2, 3});
  CHECK(valuesOf(world, tensor) == std::vector<int32_t>{1, 2, 3});
  World moved = std::move(world);
  moved.barrier();
  SymmetricHeap heap(moved, 4096);
  CHECK(heap.contains(heap.base(0), heap.size()));
}

TEST_CASE("options that make no sense are refused", "[world]") {
  CHECK_THROWS_WITH(World::join(emulated(0ms)), Contains("timeout"));
  CHECK_THROWS_AS(runLoopback(0, emulated(), [](World &) {}), UserError);
  CHECK_THROWS_AS(runLoopback(73, emulated(), [](World &) {}), UserError);
  CHECK_THROWS_WITH(parseBackend("gpu"), Contains("'gpu'"));
  CHECK_THROWS_WITH(parsePeerMemory("rdma"), Contains("'rdma'"));
  const std::string message = failuresOf(2, emulated(), [](World &world) {
    copyToHost(world, nullptr, world.tensor(DataType::F16, {4}), 4);
  })[0];
  CHECK_THAT(message, Contains("8 host bytes") && Contains("got 4"));
}

TEST_CASE("what a rank writes to its heap, its peers read", "[heap]") {
  const int numRanks = GENERATE(1, 3, 8);
  runLoopback(numRanks, emulated(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    expect(!heap.mechanism().empty(), "a mechanism");
    const Tensor skipped = heap.tensor(DataType::U8, {3});
    const Tensor tensor = heap.tensor(DataType::I32, {2});
    expect(reinterpret_cast<uintptr_t>(tensor.data) % 256 == 0, "alignment");
    const int32_t values[2] = {world.rank(), 100 * world.rank()};
    copyToDevice(world, tensor, values, 8);
    world.barrier();
    const int64_t offset =
        static_cast<char *>(tensor.data) - heap.base(world.rank());
    for (int peer = 0; peer < numRanks; ++peer) {
      int32_t seen[2];
      world.device().copyToHost(seen, heap.base(peer) + offset, 8);
      expect(seen[0] == peer && seen[1] == 100 * peer, "the peer's values");
    }
    world.barrier();
  });
}

TEST_CASE("allocations that differ between ranks are refused on all",
          "[heap]") {
  const std::string message = uniformFailureOf(3, [](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    heap.tensor(DataType::F32, {4});
    heap.tensor(DataType::F32, {world.rank() == 2 ? 5 : 4});
  });
  CHECK_THAT(message, Contains("[4] of f32 on rank 0") &&
                          Contains("[5] of f32 on rank 2"));
  CHECK_THAT(uniformFailureOf(
                 2, [](World &world) { SymmetricHeap(world, world.rank()); }),
             Contains("1 bytes"));
}

TEST_CASE("a heap that is too small, or a bad shape, is refused on all",
          "[heap]") {
  CHECK_THAT(uniformFailureOf(2,
                              [](World &world) {
                                SymmetricHeap heap(world, 1024);
                                heap.tensor(DataType::U8, {1000});
                                heap.tensor(DataType::U8, {1});
                              }),
             Contains("at most 0 bytes"));
  CHECK_THAT(uniformFailureOf(2,
                              [](World &world) {
                                SymmetricHeap heap(world, 1024);
                                heap.tensor(DataType::U8,
                                            {world.rank() == 0 ? 1 : -1});
                              }),
             Contains("[-1]"));
  CHECK_THAT(
      uniformFailureOf(2, [](World &world) { SymmetricHeap heap(world, -1); }),
      Contains("got -1"));
}

TEST_CASE("raw symmetric memory is zero on every rank", "[heap]") {
  runLoopback(2, emulated(), [](World &world) {
    SymmetricHeap heap(world, 4096);
    const int64_t offset = heap.allocate(1024, "counters");
    std::vector<char> seen(1024, 'x');
    for (int rank = 0; rank < 2; ++rank) {
      world.device().copyToHost(seen.data(), heap.base(rank) + offset, 1024);
      expect(seen == std::vector<char>(1024, 0), "zeroes");
    }
  });
}

TEST_CASE("a closed heap is refused, and a world can have many in turn",
          "[heap]") {
  runLoopback(2, emulated(), [](World &world) {
    for (int i = 0; i < 50; ++i) {
      SymmetricHeap heap(world, 4096);
      heap.tensor(DataType::U8, {16});
      heap.close();
      heap.close();
      expect(messageOf<UserError>([&] { heap.base(0); }).find("closed") !=
                 std::string::npos,
             "a refusal");
    }
  });
}

TEST_CASE("a kernel exchanges data between ranks, launch after launch",
          "[kernel]") {
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

TEST_CASE("kernels come and go, more than a heap has places for", "[kernel]") {
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
          "[kernel]") {
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

TEST_CASE("kernels that can't run here are refused on all ranks", "[kernel]") {
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
  CHECK_THAT(refusal([](World &world, KernelSource &source) {
               if (world.rank() == 1)
                 source.text += "\nthis is no C++\n";
             }),
             Contains("this is no C++"));
}

TEST_CASE("a rank that does not launch is named by those that wait, and the "
          "world is broken with it",
          "[kernel]") {
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
  CHECK((failures[0].find("program.cpp:7") != std::string::npos ||
         failures[2].find("program.cpp:7") != std::string::npos ||
         failures[0].find("'barrier'") != std::string::npos));
}

TEST_CASE("kernels stop waiting when a peer fails on the host", "[kernel]") {
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

TEST_CASE("a benchmark gives every rank the same times", "[benchmark]") {
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
