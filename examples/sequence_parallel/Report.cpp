//===- Report.cpp - what a run tells --------------------------------------===//

#include "Report.h"

#include "tools/JsonFile.h"

#include <cinttypes>
#include <cstdio>

using namespace sequence_parallel;
namespace tw = tilewire;

namespace {

/// "[b, h, s, d]" of an element of the output.
std::string position(int64_t index, const Layout &layout) {
  std::string text;
  for (size_t dim = layout.extents.size(); dim-- > 0;) {
    text = std::to_string(index % layout.extents[dim]) +
           (text.empty() ? "" : ", ") + text;
    index /= layout.extents[dim];
  }
  return "[" + text + "]";
}

/// "ratio 1.05 (1.04 to 1.06)".
std::string ratioOf(const TimeComparison &comparison) {
  char text[64];
  std::snprintf(text, sizeof(text), "ratio %.2f (%.2f to %.2f)",
                comparison.ratio, comparison.lowestRatio,
                comparison.highestRatio);
  return text;
}

} // namespace

void sequence_parallel::reportCheck(int rank, const Layout &output, int width,
                                    const Comparison &comparison) {
  if (comparison.wrong == 0) {
    std::printf("rank %d check passed\n", rank);
    std::fflush(stdout);
    return;
  }
  std::printf("rank %d check failed: %" PRId64 " of %" PRId64
              " elements wrong\n",
              rank, comparison.wrong, output.numElements());
  for (const Mismatch &mismatch : comparison.first)
    std::printf("rank %d element %" PRId64 " %s: expected 0x%0*" PRIx64
                ", seen 0x%0*" PRIx64 "\n",
                rank, mismatch.index, position(mismatch.index, output).c_str(),
                2 * width, mismatch.expected, 2 * width, mismatch.seen);
  std::fflush(stdout);
}

void sequence_parallel::noteTimes(const tw::World &world) {
  const char *nothingMeant = "times are no performance figure";
  if (world.backend() == tw::Backend::Emulator)
    std::fprintf(stderr, "note: this is the emulator; %s\n", nothingMeant);
  else if (world.ranksOnDevice() > 1)
    std::fprintf(stderr, "note: %d ranks share one GPU; %s\n",
                 world.ranksOnDevice(), nothingMeant);
}

void sequence_parallel::reportTime(const AllToAllProgram &program,
                                   const tw::Timing &timing) {
  std::printf("%s time: %.1f us\n", program.label.c_str(), timing.medianUs);
  std::fflush(stdout);
}

void sequence_parallel::reportCopy(const TimeComparison &copy) {
  std::printf("copy of as many bytes: %.1f us; %s\n", copy.medianUs,
              ratioOf(copy).c_str());
  std::fflush(stdout);
}

void sequence_parallel::reportNccl(const NcclComparison &nccl) {
  std::printf("%s, packed and unpacked: %.1f us (%.1f us the exchange alone); "
              "%s\n",
              tw::ncclVersion().c_str(), nccl.whole.medianUs, nccl.exchangeUs,
              ratioOf(nccl.whole).c_str());
  std::fflush(stdout);
}

void sequence_parallel::writeJson(const AllToAllProgram &program,
                                  const Options &options,
                                  const std::string &device, int ranksOnDevice,
                                  bool passed, int64_t bytesToPeers,
                                  const tw::Timing &timing,
                                  const NcclComparison &nccl) {
  const Shape &shape = options.shape;
  nlohmann::ordered_json json = {
      {"program", program.name},
      {"level", options.level == Level::Block ? "block" : "tensor"},
      {"num_processes", shape.numRanks},
      {"batch_size", shape.batchSize},
      {"num_heads", shape.numHeads},
      {"seq_len", shape.seqLen},
      {"head_dim", shape.headDim},
      {"dtype", tw::name(shape.dtype)},
      {"device", device},
      {"ranks_on_device", ranksOnDevice},
      {"loopback", options.loopback},
      {"completion", options.completion},
      {"passed", passed},
      {"bytes_to_peers", bytesToPeers},
  };
  if (timing.samples > 0) {
    json["time_us"] = {{"median", timing.medianUs},
                       {"min", timing.minUs},
                       {"max", timing.maxUs},
                       {"samples", timing.samples}};
    json["gb_per_s_to_peers"] = double(bytesToPeers) / timing.medianUs * 1e-3;
  }
  if (nccl.whole.medianUs > 0)
    json["nccl"] = {{"version", tw::ncclVersion()},
                    {"time_us", nccl.whole.medianUs},
                    {"exchange_us", nccl.exchangeUs},
                    {"ratio", nccl.whole.ratio}};
  tw::writeJsonFile(*options.json, json);
}
