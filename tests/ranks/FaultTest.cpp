//===- FaultTest.cpp - what is refused, and what breaks a world -----------===//

#include "Programs.h"
#include "RankTensors.h"
#include "Ranks.h"

#include <catch2/catch.hpp>

#include <thread>

using namespace sequence_parallel;
using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;
using namespace std::chrono_literals;

namespace {

KernelSource sourceFor(int numRanks, Level level = Level::Tensor) {
  Options options;
  options.shape = {numRanks, 1, 2 * numRanks, 3 * numRanks, 8, DataType::F16};
  options.level = level;
  return compile(buildProgram(preAttnAllToAll(), options));
}

/// A program's tensors, kernel and stream, for tests of what goes wrong.
struct Fixture {
  explicit Fixture(World &world, Level level = Level::Tensor)
      : program(preAttnAllToAll()), source(sourceFor(world.size(), level)),
        heap(world, 1 << 16), tensors(heap, program, source),
        kernel(heap, source), stream(world) {
    tensors.prepare(stream, 1);
    world.barrier();
  }

  void launch() { kernel.launch(stream, {tensors.src(), tensors.dst()}); }

  AllToAllProgram program;
  KernelSource source;
  SymmetricHeap heap;
  RankTensors tensors;
  Kernel kernel;
  Stream stream;
};

std::string refusalOfLaunch(
    const std::function<std::vector<Tensor>(World &, Fixture &)> &tensors) {
  return refusalOf(2, [&](World &world) {
    Fixture fixture(world);
    std::string message;
    try {
      fixture.kernel.launch(fixture.stream, tensors(world, fixture));
    } catch (const UserError &error) {
      message = error.what();
    }
    // Nothing ran, and the kernel works on.
    fixture.launch();
    fixture.stream.synchronize();
    expect(world, fixture.tensors.check(fixture.stream, 1).wrong == 0,
           "the closed form");
    world.barrier();
    if (!message.empty())
      throw UserError(message);
  });
}

} // namespace

TEST_CASE("a launch with tensors that do not fit is refused before it runs",
          "[faults]") {
  CHECK_THAT(refusalOfLaunch([](World &, Fixture &fixture) {
               return std::vector{fixture.tensors.src()};
             }),
             Contains("expected 2 tensors (src, dst)") && Contains("got 1"));
  CHECK_THAT(refusalOfLaunch([](World &, Fixture &fixture) {
               Tensor src = fixture.tensors.src();
               src.dtype = DataType::BF16;
               return std::vector{src, fixture.tensors.dst()};
             }),
             Contains("'src'") && Contains("of f16") && Contains("of bf16"));
  CHECK_THAT(refusalOfLaunch([](World &, Fixture &fixture) {
               // As many elements, in another layout.
               Tensor dst = fixture.tensors.dst();
               std::swap(dst.shape[1], dst.shape[2]);
               return std::vector{fixture.tensors.src(), dst};
             }),
             Contains("'dst'") && Contains("[1, 2, 6, 8]") &&
                 Contains("got [1, 6, 2, 8]"));
  CHECK_THAT(refusalOfLaunch([](World &world, Fixture &fixture) {
               const Tensor &dst = fixture.tensors.dst();
               return std::vector{fixture.tensors.src(),
                                  world.tensor(dst.dtype, dst.shape)};
             }),
             Contains("'dst'") && Contains("symmetric heap") &&
                 Contains("local memory"));
}

TEST_CASE("ranks that launch with different symmetric tensors all hear so",
          "[faults]") {
  const int odd = GENERATE(0, 1, 2);
  const auto failures = failuresOf(3, worldOptions(10s), [odd](World &world) {
    Fixture fixture(world);
    const Tensor &dst = fixture.tensors.dst();
    const Tensor other = fixture.heap.tensor(dst.dtype, dst.shape);
    fixture.launch();
    fixture.stream.synchronize();
    fixture.kernel.launch(fixture.stream, {fixture.tensors.src(),
                                           world.rank() == odd ? other : dst});
    fixture.stream.synchronize();
    world.barrier();
  });
  for (const std::string &failure : failures)
    CHECK_THAT(failure, Contains("kernel 'pre_attn_all2all'") &&
                            Contains("the same symmetric tensors") &&
                            Contains("rank " + std::to_string(odd)));
}

TEST_CASE("a tensor that only this rank reads may lie anywhere", "[faults]") {
  runLoopback(2, worldOptions(), [](World &world) {
    Fixture fixture(world);
    Tensor src = fixture.tensors.src();
    const Tensor inHeap = fixture.heap.tensor(src.dtype, src.shape);
    if (world.rank() == 1) {
      writeAll(fixture.stream, inHeap, readAll(fixture.stream, src));
      src = inHeap;
    }
    fixture.kernel.launch(fixture.stream, {src, fixture.tensors.dst()});
    fixture.stream.synchronize();
    expect(world, fixture.tensors.check(fixture.stream, 1).wrong == 0,
           "the closed form");
    world.barrier();
  });
}

TEST_CASE("ranks that allocate differently are refused together", "[faults]") {
  CHECK_THAT(refusalOf(3,
                       [](World &world) {
                         SymmetricHeap heap(world, 1 << 16);
                         heap.tensor(DataType::F16, {8});
                         heap.tensor(world.rank() == 1 ? DataType::F32
                                                       : DataType::F16,
                                     {16});
                       }),
             Contains("of f16 on rank 0") && Contains("of f32 on rank 1"));
}

TEST_CASE(
    "a rank that throws soon ends the kernels and the calls of the others, and "
    "its error is the one thrown",
    "[faults]") {
  const bool oneIsOnTheHost = GENERATE(false, true);
  std::chrono::steady_clock::time_point thrown;
  std::vector<std::string> heard(4);
  const auto run = [&] {
    runLoopback(4, worldOptions(20s), [&](World &world) {
      Fixture fixture(world);
      if (world.rank() == 2) {
        thrown = std::chrono::steady_clock::now();
        throw UserError("enough of this");
      }
      try {
        if (world.rank() != 3 || !oneIsOnTheHost)
          fixture.launch();
        fixture.stream.synchronize();
        world.barrier();
      } catch (const MachineError &error) {
        heard[size_t(world.rank())] = error.what();
        throw;
      }
    });
  };
  CHECK_THROWS_WITH(run(), "enough of this");
  CHECK(std::chrono::steady_clock::now() - thrown < 3s);
  for (int rank : {0, 1, 3})
    CHECK(heard[size_t(rank)] ==
          "rank 2 gave up because of an error of its own");
}

TEST_CASE("an error that every rank throws and catches leaves a world that "
          "works",
          "[faults]") {
  runLoopback(3, worldOptions(), [](World &world) {
    for (int attempt = 0; attempt < 2; ++attempt) {
      try {
        Fixture fixture(world);
        // One closes without an error.
        if (world.rank() != attempt)
          fixture.kernel.launch(fixture.stream, {});
      } catch (const UserError &) {
      }
    }
    Fixture fixture(world);
    fixture.launch();
    fixture.stream.synchronize();
    expect(world, fixture.tensors.check(fixture.stream, 1).wrong == 0,
           "the closed form");
  });
}

TEST_CASE("a wait for a rank that does not launch ends on every rank, naming "
          "program, wait, rank and what was seen",
          "[faults]") {
  const Level level = GENERATE(Level::Block, Level::Tensor);
  // Compiled before the clock runs.
  runLoopback(3, worldOptions(), [&](World &world) { Fixture(world, level); });
  std::vector<std::string> again(3);
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string> failures =
      failuresOf(3, worldOptions(3s), [&](World &world) {
        Fixture fixture(world, level);
        fixture.launch(); // this one meets
        fixture.stream.synchronize();
        if (world.rank() != 1)
          fixture.launch();
        // Rank 1 hears of it as soon as the others give up.
        try {
          while (true) {
            fixture.stream.synchronize();
            std::this_thread::sleep_for(1ms);
          }
        } catch (const MachineError &) {
          try {
            fixture.launch();
          } catch (const MachineError &error) {
            again[size_t(world.rank())] = error.what();
          }
          throw;
        }
      });
  CHECK(std::chrono::steady_clock::now() - start < 15s);
  for (const std::string &failure : failures) {
    CHECK_THAT(failure, Contains("'pre_attn_all2all'") &&
                            Contains("entry barrier at pre_attn_all2all.cpp:"));
    CHECK_THAT(failure, Contains("waited for rank 1") && Contains("3 s") &&
                            Contains("expected epoch 2, got 1"));
  }
  // A broken world answers every call with the same.
  CHECK(again == failures);
}

TEST_CASE("a loop that takes for ever on one rank is named on every rank",
          "[faults]") {
  if (!isEmulated()) {
    WARN("skipped: loops are watched on the emulator only");
    return;
  }
  const bool meets = GENERATE(true, false);
  ProgramBuilder p("endless", {.numRanks = 3, .completion = meets});
  auto src = p.tensor("src", DataType::I32, {8});
  auto dst = p.tensor("dst", DataType::I32, {8});
  p.kernel({.grid = {2}, .threads = 32}, [&](Block &block) {
    block.forRange(0, block.rank() % 2 * (int64_t(1) << 40), 1, [&](Index) {
      block.copy(src.tile({0}, {8}), dst.tile({0}, {8}));
    });
  });
  const auto failures = failuresOfLaunch(compile(p.build()), 3s);
  for (const std::string &failure : failures) {
    CHECK_THAT(failure, Contains("kernel 'endless' on rank 1, block ") &&
                            Contains("within 1500 ms") &&
                            Contains("endless.cu:"));
    CHECK(failure == failures.front());
  }
}
