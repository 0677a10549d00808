//===- ProgramCases.cpp - the three programs on shapes --------------------===//

#include "ProgramCases.h"

#include "RankTensors.h"

using namespace sequence_parallel;
using namespace tilewire;
using namespace tilewire::test;

std::string Case::describe() const {
  const Shape &shape = options.shape;
  return program.name +
         (options.level == Level::Block ? ", block" : ", tensor") +
         " level, B, H, S, D = " +
         formatShape(
             {shape.batchSize, shape.numHeads, shape.seqLen, shape.headDim}) +
         (shape.kvHeads > 0 ? ", KV = " + std::to_string(shape.kvHeads) : "") +
         " of " + std::string(name(shape.dtype)) + " on " +
         std::to_string(shape.numRanks) + " ranks";
}

Case test::makeCase(int number, const Shape &shape, int64_t targetCtas) {
  const AllToAllProgram programs[] = {preAttnAllToAll(),
                                      preAttnAllToAllTranspose(),
                                      postAttnAllToAllTranspose()};
  Options options;
  options.shape = shape;
  options.targetCtas = targetCtas;
  options.level = number < 3 ? Level::Block : Level::Tensor;
  return {programs[number % 3], options};
}

void test::runCase(World &world, const Case &test) {
  SymmetricHeap heap(world, RankTensors::heapBytes(test.source));
  const RankTensors tensors(heap, test.program, test.source);
  Kernel kernel(heap, test.source);
  Stream stream(world);
  for (unsigned launch : {1, 2}) {
    tensors.prepare(stream, launch);
    world.barrier(); // nobody puts before every output is poisoned
    kernel.launch(stream, tensors.all());
    stream.synchronize();
    expect(world, tensors.check(stream, launch).wrong == 0,
           "the closed form after launch " + std::to_string(launch) + " of " +
               test.describe());
  }
}

void test::runAll(const std::vector<Case> &cases,
                  const std::function<void(World &, const Case &)> &run) {
  runLoopback(cases.front().options.shape.numRanks, worldOptions(),
              [&](World &world) {
                for (const Case &test : cases)
                  run(world, test);
              });
}
