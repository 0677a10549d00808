// Row p of each rank r goes to rank p, as its row r.
#include <tilewire/tilewire.h>

#include <cstdio>
#include <vector>

namespace tw = tilewire;

constexpr int64_t ranks = 4, width = 256;

tw::KernelSource makeKernel() {
  tw::ProgramBuilder p("exchange_rows", {.numRanks = ranks});
  auto src = p.tensor("src", tw::DataType::I32, {ranks, width});
  auto dst = p.symmetricTensor("dst", tw::DataType::I32, {ranks, width});
  p.kernel({.grid = {ranks}, .threads = 64}, [&](tw::Block &block) {
    auto [peer] = block.indices({"peer"});
    block.putBlock(src.tile({peer, 0}, {1, width}),
                   dst.tile({block.rank(), 0}, {1, width}), peer);
  });
  return tw::compile(p.build());
}

// What every rank does.
void runRank(tw::World &world, const tw::KernelSource &source) {
  tw::SymmetricHeap heap(world, 1 << 20);
  tw::Tensor in = world.tensor(source.parameters[0]);
  tw::Tensor out = heap.tensor(source.parameters[1]);
  std::vector<int> values(ranks * width, world.rank());
  tw::Kernel kernel(heap, source);
  tw::Stream stream(world); // copies and launches, in this order
  tw::copyToDevice(stream, in, values.data(), in.numBytes());
  kernel.launch(stream, {in, out});
  tw::copyToHost(stream, values.data(), out, out.numBytes());
  std::printf("rank %d got rows of ranks %d %d %d %d\n", world.rank(),
              values[0], values[width], values[2 * width], values[3 * width]);
}

int main() {
  try {
    const tw::KernelSource source = makeKernel();
    const tw::WorldOptions options{.shareGpu = true};
    if (tw::rankFromEnvironment()) { // a launcher made this process one rank
      tw::World world = tw::World::join(options);
      runRank(world, source);
    } else { // alone: the ranks are threads of this process
      std::printf("%s", source.text.c_str());
      tw::runLoopback(ranks, options,
                      [&](tw::World &world) { runRank(world, source); });
    }
  } catch (const tw::Error &error) {
    std::fprintf(stderr, "%s%s\n", tw::errorPrefix(error.kind()), error.what());
    return 1;
  }
}
