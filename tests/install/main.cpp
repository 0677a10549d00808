//===- main.cpp - a program outside the project ---------------------------===//
//
// Uses the installed package alone: writes a kernel, compiles it, and runs it
// on the emulator in a world of one rank.
//
//===----------------------------------------------------------------------===//

#include <tilewire/tilewire.h>

#include <cstdio>
#include <numeric>

namespace tw = tilewire;

int main() {
  constexpr int64_t rows = 4, columns = 8;
  tw::ProgramBuilder program("put_rows");
  auto src = program.tensor("src", tw::DataType::F32, {rows, columns});
  auto dst = program.symmetricTensor("dst", tw::DataType::F32, {rows, columns});
  program.kernel({.grid = {rows}, .threads = 32}, [&](tw::Block &block) {
    auto [row] = block.indices({"row"});
    block.putBlock(src.tile({row, 0}, {1, columns}),
                   dst.tile({row, 0}, {1, columns}), block.rank());
  });
  tw::KernelSource source = tw::compile(program.build());

  tw::WorldOptions options;
  options.backend = tw::Backend::Emulator;
  tw::World world = tw::World::join(options);
  tw::SymmetricHeap heap(world, 1 << 20);
  tw::Kernel kernel(heap, source);
  tw::Stream stream(world);
  tw::Tensor input = world.tensor(tw::DataType::F32, {rows, columns});
  tw::Tensor output = heap.tensor(tw::DataType::F32, {rows, columns});

  std::vector<float> sent(rows * columns), received(rows * columns);
  std::iota(sent.begin(), sent.end(), 1.0f);
  tw::copyToDevice(stream, input, sent.data(), input.numBytes());
  kernel.launch(stream, {input, output});
  tw::copyToHost(stream, received.data(), output, output.numBytes());
  if (sent != received)
    return 1;
  std::printf("outside project: %zu values put\n", received.size());
}
