//===- WorldTest.cpp - ranks and symmetric memory -------------------------===//
//
// On the emulator, with ranks as threads.
//
//===----------------------------------------------------------------------===//

#include "WorldFixture.h"

#include <tilewire/Benchmark.h>
#include <tilewire/Error.h>

#include <catch2/catch.hpp>

#include <atomic>

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;
using namespace std::chrono_literals;

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

TEST_CASE("whatever a body throws ends the others and comes out as it is",
          "[world]") {
  const auto start = std::chrono::steady_clock::now();
  const auto runThrowing = [](const auto &thrown) {
    runLoopback(3, emulated(), [&](World &world) {
      SymmetricHeap heap(world, 4096);
      if (world.rank() == 1)
        throw thrown;
      world.barrier();
    });
  };
  CHECK_THROWS_AS(runThrowing(42), int);
  CHECK_THROWS_AS(runThrowing(std::string("text")), std::string);
  CHECK_THROWS_AS(runThrowing(std::runtime_error("x")), std::runtime_error);
  CHECK_THROWS_AS(runLoopback(1, emulated(), [](World &) { throw 42; }), int);
  CHECK_THROWS_AS(runLoopback(3, emulated(), [](World &) { throw 42; }), int);
  CHECK(std::chrono::steady_clock::now() - start < 10s);
}

TEST_CASE("what a program's own code throws on one rank reaches the others as "
          "that rank's error",
          "[world]") {
  const auto [thrown, text] =
      GENERATE(table<std::function<void()>, std::string>(
          {{[] { throw std::runtime_error("mine"); }, "rank 2 threw: mine"},
           {[] { throw 42; }, "rank 2 threw: an exception of unknown type"},
           {[] { throw UserError("ours"); }, "ours"}}));
  // A step that all take together has one error for all.
  CHECK(uniformFailureOf(3, [&](World &world) {
          world.together("a step", [&] {
            if (world.rank() == 2)
              thrown();
          });
        }) == text);
  const auto errorsOfOthers = [&](const std::function<void(World &)> &body) {
    std::vector<std::string> errors(3);
    const auto runRank = [&](World &world) {
      try {
        body(world);
        world.barrier();
      } catch (const UserError &error) {
        errors[size_t(world.rank())] = error.what();
        throw;
      }
    };
    CHECK_THROWS(runLoopback(3, emulated(), runRank));
    return std::vector<std::string>{errors[0], errors[1]};
  };
  const std::vector<std::string> both{text, text};
  CHECK(errorsOfOthers([&](World &world) {
          if (world.rank() == 2)
            thrown();
        }) == both);
  CHECK(errorsOfOthers([&](World &world) {
          Stream stream(world);
          benchmark(world, stream, {}, [&](int) {
            if (world.rank() == 2)
              thrown();
          });
        }) == both);
}

TEST_CASE("an empty function is refused on every rank before anything runs",
          "[world]") {
  const int odd = GENERATE(0, 2);
  CHECK(uniformFailureOf(3, [&](World &world) {
          std::function<void()> step = [] {};
          world.together("a step", world.rank() == odd ? nullptr : step);
        }) == "expected a function for 'a step', got an empty one");
  std::atomic<int> launches{0};
  CHECK(
      uniformFailureOf(3, [&](World &world) {
        Stream stream(world);
        std::function<void(int)> launch = [&](int) { ++launches; };
        benchmark(world, stream, {}, world.rank() == odd ? nullptr : launch);
      }) == "expected a function for the benchmark's launch, got an empty one");
  CHECK(launches == 0);
  CHECK_THROWS_WITH(runLoopback(3, emulated(), nullptr),
                    "expected a function for the ranks, got an empty one");
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
  for (const auto timeout :
       {0ms, -1ms, std::chrono::milliseconds::min(),
        std::chrono::milliseconds::max(), longestWait + 1ms}) {
    CHECK_THROWS_WITH(World::join(emulated(timeout)),
                      Contains("expected a timeout of 1 ms to 365 days"));
    CHECK_THROWS_AS(runLoopback(2, emulated(timeout), [](World &) {}),
                    UserError);
  }
  CHECK_THROWS_AS(runLoopback(0, emulated(), [](World &) {}), UserError);
  CHECK_THROWS_AS(runLoopback(73, emulated(), [](World &) {}), UserError);
  CHECK_THROWS_WITH(parseBackend("gpu"), Contains("'gpu'"));
  CHECK_THROWS_WITH(parsePeerMemory("rdma"), Contains("'rdma'"));
  const std::string message = failuresOf(2, emulated(), [](World &world) {
    Stream stream(world);
    copyToHost(stream, nullptr, world.tensor(DataType::F16, {4}), 4);
  })[0];
  CHECK_THAT(message, Contains("8 host bytes") && Contains("got 4"));
}

TEST_CASE("a number that is no value of an enumeration is refused on all ranks",
          "[world]") {
  const int number = GENERATE(-1, 3, 9, 300);
  const std::string got = ", got " + std::to_string(number);
  WorldOptions options = emulated();
  options.backend = Backend(number);
  const std::string backends = "expected a back end (auto, cuda, emulator)";
  CHECK_THROWS_WITH(World::join(options), backends + got);
  CHECK_THROWS_WITH(runLoopback(2, options, [](World &) {}), backends + got);
  CHECK(uniformFailureOf(2, [&](World &world) {
          SymmetricHeap heap(world, 1024, PeerMemory(number));
        }) == "expected a kind of peer memory (auto, fd, ipc)" + got);
  const DataType dtype = DataType(number < 0 ? number : number + 100);
  CHECK_THAT(
      uniformFailureOf(2, [&](World &world) { world.tensor(dtype, {2}); }),
      Contains("expected a data type (f16, "));
  CHECK_THAT(uniformFailureOf(2,
                              [&](World &world) {
                                SymmetricHeap heap(world, 1024);
                                heap.tensor(dtype, {2});
                              }),
             Contains("expected a data type (f16, "));
}

TEST_CASE("the longest timeout is a timeout like any other", "[world][cxx]") {
  runLoopback(2, emulated(longestWait), [](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Kernel kernel(heap, exchangeKernel(2));
    Stream stream(world);
    const Tensor dst = heap.tensor(DataType::I32, {2});
    kernel.launch(stream, {filled(world, {world.rank(), world.rank()}), dst});
    stream.synchronize();
    expect(valuesOf(world, dst) == std::vector<int32_t>{0, 1}, "data");
  });
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
    Stream stream(world);
    copyToDevice(stream, tensor, values, 8);
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
