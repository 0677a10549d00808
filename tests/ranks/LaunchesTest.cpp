//===- LaunchesTest.cpp - many launches that only streams order -----------===//
//
// The host queues launch after launch and never resets or waits in between.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "RankTensors.h"
#include "Ranks.h"

#include <catch2/catch.hpp>

#include <random>

using namespace sequence_parallel;
using namespace tilewire;
using namespace tilewire::test;

namespace {

constexpr int numRanks = 4;

KernelSource sourceOf(const AllToAllProgram &program, Level level) {
  Options options;
  options.shape = {numRanks, 1, 8, 12, 16, DataType::F16};
  options.level = level;
  return compile(buildProgram(program, options));
}

/// Copies a tensor `times` times on its own rank, meeting nobody: what reads
/// an output after a collective, slowly when that is often.
KernelSource consumer(const TensorParameter &tensor, int64_t times) {
  const std::vector<Index> start(tensor.extents.size(), 0);
  const std::vector<int64_t> shape = tensor.shapeOn(0, numRanks);
  const std::vector<Index> sizes(shape.begin(), shape.end());
  ProgramBuilder p("consume", {.numRanks = numRanks, .completion = false});
  auto from = p.tensor("from", tensor.dtype, tensor.extents);
  auto to = p.tensor("to", tensor.dtype, tensor.extents);
  p.kernel({.grid = {1}, .threads = 64}, [&](Block &block) {
    block.forRange(0, times, 1, [&](Index) {
      block.copy(from.tile(start, sizes), to.tile(start, sizes));
    });
  });
  return compile(p.build());
}

/// A rank's tensors for a number of launches that run without the host.
class Series {
public:
  Series(World &world, Stream &stream, const AllToAllProgram &program,
         const KernelSource &source, int numLaunches)
      : world(world), stream(stream), moved(exchangeOf(program, source)),
        width(byteWidth(source.parameters[0].dtype)) {
    for (int i = 0; i < numLaunches; ++i) {
      inputs.push_back(world.tensor(source.parameters[0]));
      outputs.push_back(world.tensor(source.parameters[1]));
    }
  }

  /// Inputs of the launches from `first`.
  void fill(unsigned first) {
    for (size_t i = 0; i < inputs.size(); ++i)
      writeAll(stream, inputs[i],
               makeInput(world.rank(), inputs[i].numElements(), width,
                         first + unsigned(i)));
  }

  void check(unsigned first) const {
    for (size_t i = 0; i < outputs.size(); ++i) {
      const unsigned launch = first + unsigned(i);
      expect(world,
             compareOutput(readAll(stream, outputs[i]), world.rank(), moved,
                           width, launch)
                     .wrong == 0,
             "the data of launch " + std::to_string(launch));
    }
  }

  std::vector<Tensor> inputs, outputs;

private:
  World &world;
  Stream &stream; ///< of copies from and to the host
  const Exchange moved;
  int width; ///< of an element
};

} // namespace

TEST_CASE("a thousand launches are each right, whichever rank's consumer is "
          "slow",
          "[launches]") {
  const Level level = GENERATE(Level::Block, Level::Tensor);
  const AllToAllProgram program = preAttnAllToAllTranspose();
  const KernelSource source = sourceOf(program, level);
  constexpr int numLaunches = 250;
  constexpr int numSeries = 4;
  runLoopback(numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, RankTensors::heapBytes(source));
    const Tensor dst = heap.tensor(source.parameters[1]);
    Kernel exchange(heap, source);
    Kernel consume(heap, consumer(source.parameters[1], 1));
    Kernel consumeSlowly(heap, consumer(source.parameters[1], 100));
    Stream stream(world);
    Series series(world, stream, program, source, numLaunches);
    std::mt19937 random(7); // the same on every rank
    for (int i = 0; i < numSeries; ++i) {
      const unsigned first = unsigned(i) * numLaunches;
      series.fill(first);
      world.barrier(); // copies are done before any kernel waits for a peer
      for (int launch = 0; launch < numLaunches; ++launch) {
        exchange.launch(stream, {series.inputs[launch], dst});
        const bool isSlow = int(random() % numRanks) == world.rank();
        (isSlow ? consumeSlowly : consume)
            .launch(stream, {dst, series.outputs[launch]});
      }
      stream.synchronize();
      world.barrier();
      series.check(first);
    }
  });
}

TEST_CASE("launches are right while their count wraps", "[launches]") {
  const unsigned start = GENERATE(0x7ffffff0u, 0xfffffff0u);
  const AllToAllProgram program = postAttnAllToAllTranspose();
  const KernelSource source = sourceOf(program, Level::Tensor);
  constexpr int numLaunches = 40;
  runLoopback(numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, RankTensors::heapBytes(source));
    const Tensor dst = heap.tensor(source.parameters[1]);
    Kernel exchange(heap, source);
    Kernel consume(heap, consumer(source.parameters[1], 3));
    Stream stream(world);
    Series series(world, stream, program, source, numLaunches);
    series.fill(0);
    startCountingAt(heap, start);
    for (int launch = 0; launch < numLaunches; ++launch) {
      exchange.launch(stream, {series.inputs[launch], dst});
      consume.launch(stream, {dst, series.outputs[launch]});
    }
    stream.synchronize();
    world.barrier();
    series.check(0);
  });
}

TEST_CASE("kernels on two streams and on one do not disturb each other",
          "[launches]") {
  const bool oneStream = GENERATE(true, false);
  const AllToAllProgram first = preAttnAllToAll();
  const AllToAllProgram second = postAttnAllToAllTranspose();
  const KernelSource sources[] = {sourceOf(first, Level::Tensor),
                                  sourceOf(second, Level::Block)};
  constexpr int numLaunches = 100;
  runLoopback(numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, 2 * RankTensors::heapBytes(sources[0]));
    Stream left(world);
    Stream other(world);
    Stream &right = oneStream ? left : other;
    const Tensor outputs[] = {heap.tensor(sources[0].parameters[1]),
                              heap.tensor(sources[1].parameters[1])};
    Kernel kernels[] = {Kernel(heap, sources[0]), Kernel(heap, sources[1])};
    Kernel consumers[] = {Kernel(heap, consumer(sources[0].parameters[1], 2)),
                          Kernel(heap, consumer(sources[1].parameters[1], 2))};
    Series series[] = {Series(world, left, first, sources[0], numLaunches),
                       Series(world, right, second, sources[1], numLaunches)};
    series[0].fill(0);
    series[1].fill(5000);
    world.barrier(); // copies are done before any kernel waits for a peer
    for (int launch = 0; launch < numLaunches; ++launch)
      for (int i : {0, 1}) {
        Stream &stream = i == 0 ? left : right;
        kernels[i].launch(stream, {series[i].inputs[launch], outputs[i]});
        consumers[i].launch(stream, {outputs[i], series[i].outputs[launch]});
      }
    left.synchronize();
    right.synchronize();
    world.barrier();
    series[0].check(0);
    series[1].check(5000);
  });
}

TEST_CASE("a launch keeps the memory of its tensors until it is done",
          "[launches]") {
  const AllToAllProgram program = postAttnAllToAllTranspose();
  const KernelSource source = sourceOf(program, Level::Tensor);
  const TensorParameter &from = source.parameters[0];
  const TensorParameter &to = source.parameters[1];
  runLoopback(numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, RankTensors::heapBytes(source));
    Kernel exchange(heap, source);
    Kernel consume(heap, consumer(to, 50));
    const Tensor dst = heap.tensor(to);
    Stream stream(world);
    const int width = byteWidth(from.dtype);
    std::vector<Tensor> inputs(20), logs(20);
    for (size_t i = 0; i < inputs.size(); ++i) {
      inputs[i] = world.tensor(from);
      writeAll(
          stream, inputs[i],
          makeInput(world.rank(), inputs[i].numElements(), width, unsigned(i)));
      logs[i] = world.tensor(to);
    }
    world.barrier(); // all is allocated before any kernel waits for a peer
    for (size_t i = 0; i < inputs.size(); ++i) {
      exchange.launch(stream, {std::move(inputs[i]), dst});
      consume.launch(stream, {dst, std::move(logs[i])});
    }
    const unsigned last = unsigned(inputs.size()) - 1;
    inputs.clear();
    logs.clear();
    stream.synchronize();
    expect(world,
           compareOutput(readAll(stream, dst), world.rank(),
                         exchangeOf(program, source), width, last)
                   .wrong == 0,
           "the data of the last launch");
  });
}
