//===- Report.cpp - what a run tells --------------------------------------===//

#include "Report.h"

#include "tools/JsonFile.h"

#include <algorithm>
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

void addFigures(nlohmann::ordered_json &json, const Figures &figures) {
  const tw::Timing &timing = figures.timing;
  json["passed"] = figures.passed;
  json["bytes_to_peers"] = figures.bytesToPeers;
  if (timing.samples > 0) {
    json["time_us"] = {{"median", timing.medianUs},
                       {"min", timing.minUs},
                       {"max", timing.maxUs},
                       {"samples", timing.samples}};
    json["gb_per_s_to_peers"] =
        double(figures.bytesToPeers) / timing.medianUs * 1e-3;
  }
  if (figures.nccl.whole.medianUs > 0)
    json["nccl"] = {{"version", tw::ncclVersion()},
                    {"time_us", figures.nccl.whole.medianUs},
                    {"exchange_us", figures.nccl.exchangeUs},
                    {"ratio", figures.nccl.whole.ratio}};
}

} // namespace

void sequence_parallel::reportCheck(int rank, const std::string &length,
                                    const Layout &output, int width,
                                    const Comparison &comparison) {
  if (comparison.wrong == 0) {
    std::printf("rank %d%s check passed\n", rank, length.c_str());
    std::fflush(stdout);
    return;
  }
  std::printf("rank %d%s check failed: %" PRId64 " of %" PRId64
              " elements wrong%s\n",
              rank, length.c_str(), comparison.wrong, output.numElements(),
              comparison.pair == 0 ? "" : " of keys and values");
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
                                   const std::string &length,
                                   const tw::Timing &timing) {
  std::printf("%s%s time: %.1f us\n", program.label.c_str(), length.c_str(),
              timing.medianUs);
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

std::string sequence_parallel::lengthOf(const Options &options,
                                        int64_t seqLen) {
  return options.seqLens.size() == 1 ? "" : " S = " + std::to_string(seqLen);
}

void sequence_parallel::writeJson(const AllToAllProgram &program,
                                  const Options &options,
                                  const tw::World &world,
                                  const std::vector<Figures> &figures) {
  const Shape &shape = options.shape;
  const bool isSingle = figures.size() == 1;
  nlohmann::ordered_json json = {
      {"program", program.name},
      {"level", options.level == Level::Block ? "block" : "tensor"},
      {"num_processes", shape.numRanks},
      {"batch_size", shape.batchSize},
      {"num_heads", shape.numHeads}};
  if (shape.kvHeads > 0) {
    json["kv_heads"] = shape.kvHeads;
    json["replicate_kv"] = shape.replicateKv;
  }
  if (isSingle)
    json["seq_len"] = shape.seqLen;
  json["head_dim"] = shape.headDim;
  json["dtype"] = tw::name(shape.dtype);
  if (options.dynamic)
    json["dynamic"] = true;
  json["device"] = world.deviceDescription();
  json["ranks_on_device"] = world.ranksOnDevice();
  json["loopback"] = options.loopback;
  json["completion"] = options.completion;
  if (isSingle) {
    addFigures(json, figures.front());
  } else {
    json["passed"] = std::ranges::all_of(figures, &Figures::passed);
    for (const Figures &each : figures) {
      nlohmann::ordered_json length = {{"seq_len", each.seqLen}};
      addFigures(length, each);
      json["lengths"].push_back(length);
    }
  }
  tw::writeJsonFile(*options.json, json);
}
