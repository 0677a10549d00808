//===- Benchmark.cpp - times that can be trusted --------------------------===//

#include "runtime/LoadedKernel.h"

#include <tilewire/Benchmark.h>

#include <algorithm>
#include <cstring>

namespace tilewire {
namespace {

void checkOptions(const BenchmarkOptions &options) {
  if (options.warmup < 0 || options.repetitions < 1 ||
      options.launchesPerSample < 1)
    throw UserError("expected a warm-up of 0 or more, and 1 or more "
                    "repetitions and launches per sample, got " +
                    std::to_string(options.warmup) + ", " +
                    std::to_string(options.repetitions) + " and " +
                    std::to_string(options.launchesPerSample));
}

std::string describe(const BenchmarkOptions &options) {
  return "a warm-up of " + std::to_string(options.warmup) + " with " +
         std::to_string(options.repetitions) + " repetitions of " +
         std::to_string(options.launchesPerSample) + " launches";
}

/// Before anything runs: a rank that launches more often than its peers waits
/// for them in vain. Collective.
void agreeOnOptions(const World &world, const BenchmarkOptions &options,
                    const std::function<void(int)> &launch) {
  requireSame(exchangeTogether(world.state(), "comparing benchmark options",
                               [&] {
                                 checkOptions(options);
                                 requireCallable(launch,
                                                 "the benchmark's launch");
                                 return Offer{describe(options), {}};
                               }),
              "the same benchmark options");
}

/// While alive, what is queued on the stream may be recorded.
class Recording {
public:
  explicit Recording(Stream &stream) : state(stream.state()) {
    state.isRecording = true;
  }
  ~Recording() { state.isRecording = false; }

private:
  Stream::State &state;
};

/// This rank's samples in microseconds per launch.
std::vector<double> takeSamples(World &world, Stream &stream,
                                const BenchmarkOptions &options,
                                const std::function<void(int)> &launch) {
  int count = 0;
  // The warm-up, which always runs, refuses what a graph can't hold too.
  const auto launchNext = [&] {
    const Recording recording(stream);
    launch(count++);
  };
  for (int i = 0; i < options.warmup; ++i)
    launchNext();
  stream.synchronize();
  std::vector<double> samples;
  for (int i = 0; i < options.repetitions; ++i) {
    const double seconds = stream.state().stream->time(
        [&] {
          for (int j = 0; j < options.launchesPerSample; ++j)
            launchNext();
        },
        [&] { world.barrier(); });
    stream.synchronize();
    samples.push_back(seconds * 1e6 / options.launchesPerSample);
  }
  return samples;
}

/// The maximum over ranks of each sample. Collective.
std::vector<double> maximumOverRanks(World &world,
                                     std::vector<double> samples) {
  const std::string own(reinterpret_cast<const char *>(samples.data()),
                        samples.size() * sizeof(double));
  for (const std::string &payload : world.allGather("times", own))
    for (size_t i = 0; i < samples.size(); ++i) {
      double sample;
      std::memcpy(&sample, payload.data() + i * sizeof(double), sizeof(double));
      samples[i] = std::max(samples[i], sample);
    }
  return samples;
}

} // namespace

Timing benchmark(World &world, Stream &stream, const BenchmarkOptions &options,
                 const std::function<void(int)> &launch) {
  agreeOnOptions(world, options, launch);
  std::vector<double> samples;
  try {
    samples = takeSamples(world, stream, options, launch);
  } catch (...) {
    // The other ranks' kernels may be waiting for ours.
    world.breakWith(std::current_exception());
    throw;
  }
  samples = maximumOverRanks(world, std::move(samples));
  std::sort(samples.begin(), samples.end());
  const size_t middle = samples.size() / 2;
  const double median = samples.size() % 2
                            ? samples[middle]
                            : (samples[middle - 1] + samples[middle]) / 2;
  return {median, samples.front(), samples.back(), int(samples.size())};
}

} // namespace tilewire
