// Row p of each rank r goes to rank p, as its row r.
#include <tilewire/tilewire.h>

#include <cstdio>
#include <vector>

namespace tw = tilewire;

int main() {
  constexpr int64_t ranks = 4, width = 256;
  tw::ProgramBuilder p("exchange_rows", {.numRanks = ranks});
  auto src = p.tensor("src", tw::DataType::I32, {ranks, width});
  auto dst = p.symmetricTensor("dst", tw::DataType::I32, {ranks, width});
  p.kernel({.grid = {ranks}, .threads = 64}, [&](tw::Block &block) {
    auto [peer] = block.indices({"peer"});
    block.putBlock(src.tile({peer, 0}, {1, width}),
                   dst.tile({block.rank(), 0}, {1, width}), peer);
  });
  const tw::KernelSource source = tw::compile(p.build());
  std::printf("%s", source.text.c_str());

  // Four ranks as threads of this process; they may share a GPU.
  tw::runLoopback(ranks, {.shareGpu = true}, [&](tw::World &world) {
    tw::SymmetricHeap heap(world, 1 << 20);
    tw::Tensor out = heap.tensor(tw::DataType::I32, {ranks, width});
    tw::Tensor in = world.tensor(tw::DataType::I32, {ranks, width});
    std::vector<int> values(ranks * width, world.rank());
    tw::copyToDevice(world, in, values.data(), in.numBytes());
    tw::Kernel kernel(heap, source);
    tw::Stream stream(world);
    kernel.launch(stream, {in, out});
    stream.synchronize();
    tw::copyToHost(world, values.data(), out, out.numBytes());
    std::printf("rank %d got rows of ranks %d %d %d %d\n", world.rank(),
                values[0], values[width], values[2 * width], values[3 * width]);
  });
}
