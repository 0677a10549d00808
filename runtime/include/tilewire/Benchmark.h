//===- Benchmark.h - times that can be trusted ----------------------------===//
//
// Times a collective launch: each sample is one back-to-back run of many
// launches, each time is the maximum over ranks, the result is the median.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_BENCHMARK_H
#define TILEWIRE_BENCHMARK_H

#include <tilewire/Kernel.h>

#include <functional>

namespace tilewire {

/// Microseconds of one launch.
struct Timing {
  double medianUs = 0; ///< median over samples of the maximum over ranks
  double minUs = 0;
  double maxUs = 0;
  int samples = 0;
};

struct BenchmarkOptions {
  int warmup = 20;           ///< launches before the first sample
  int repetitions = 50;      ///< samples
  int launchesPerSample = 1; ///< launches in one sample, its time divided
};

/// Times `launch(i)`, i counting launches. It queues kernels and copies within
/// the device on `stream` and can't wait for them: they may be recorded, to run
/// later. Collective: every rank calls it alike, and every rank gets the same
/// result. UserError when the options make no sense or differ between ranks, or
/// `launch` is empty. What it throws on one rank leaves that rank as it is and
/// breaks the world.
Timing benchmark(World &world, Stream &stream, const BenchmarkOptions &options,
                 const std::function<void(int)> &launch);

} // namespace tilewire

#endif // TILEWIRE_BENCHMARK_H
