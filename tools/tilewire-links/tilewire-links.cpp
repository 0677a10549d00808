//===- tilewire-links.cpp - what the links between GPUs give --------------===//
//
// The command line: starts the ranks, or is one of them.
//
//===----------------------------------------------------------------------===//

#include "LinkKernels.h"
#include "Links.h"

#include "tools/CommandLine.h"
#include "tools/JsonFile.h"

#include <tilewire/Launch.h>
#include <tilewire/Partition.h>

#include <cstdio>
#include <optional>

using namespace tilewire;
using namespace tilewire::links;

namespace {

constexpr int64_t mostBytesPerPeer = int64_t(1) << 32;
constexpr int mostBlocks = 1 << 16;
constexpr int64_t mostLaunches = 1 << 20;

const char *const description =
    R"(The all-pairs ceiling: every rank sends to all its peers at once.

Times moves written by hand, without entry and exit barriers: 16-byte stores,
and bulk copies through shared memory, each from several numbers of blocks. What
arrives is checked bit for bit. A time is the maximum over the ranks, the median
over samples of 20 launches, which take four sets of buffers in turn.)";

const char *const footer = R"(
Examples:
  tilewire-links
  tilewire-links -n 2 --bytes-per-peer 33554432 --blocks 132 --blocks 264)";

struct Options {
  LinkOptions links;
  WorldOptions world;
  std::string backend = "auto";
  std::optional<std::string> jsonFile;
  std::string printSource; ///< "stores" or "bulk": only print that kernel
};

void addOptions(CLI::App &app, Options &options) {
  app.footer(footer);
  addNumber(app, "-n,--num-processes", options.links.numRanks, 2, maxRanks,
            "ranks that take part")
      ->default_str("4");
  addNumber(app, "--bytes-per-peer", options.links.bytesPerPeer, 16,
            mostBytesPerPeer,
            "what each rank sends to each peer, a multiple of 16")
      ->default_str("8388608");
  app.add_option("--blocks", options.links.blocks,
                 "numbers of blocks to try, one for each time it is given")
      ->check(CLI::Range(1, mostBlocks))
      ->type_name("N")
      ->capture_default_str();
  addNumber(app, "--warmup", options.links.benchmark.warmup, 0, mostLaunches,
            "launches before the first that is timed")
      ->default_str("20");
  addNumber(app, "--rep", options.links.benchmark.repetitions, 1, mostLaunches,
            "samples")
      ->default_str("20");
  app.add_option("--backend", options.backend, "auto, cuda or emulator")
      ->capture_default_str();
  app.add_flag("--share-gpu", options.world.shareGpu,
               "let several ranks use one GPU; times then mean nothing");
  app.add_option("--print-source", options.printSource,
                 "print a kernel and do nothing else: stores or bulk")
      ->check(CLI::IsMember({"stores", "bulk"}));
  app.add_option("--json", options.jsonFile, "write the figures to this file")
      ->type_name("FILE");
}

void print(const World &world, const LinkOptions &options,
           const std::vector<LinkTime> &times) {
  if (world.backend() == Backend::Emulator)
    std::fprintf(stderr, "note: this is the emulator; times mean nothing\n");
  else if (world.ranksOnDevice() > 1)
    std::fprintf(stderr,
                 "note: %d ranks share one GPU; times are no figure for the "
                 "links\n",
                 world.ranksOnDevice());
  std::printf("%d ranks on %s, each sends %lld bytes to each of %d peers\n"
              "%-16s %6s %10s %12s\n",
              world.size(), world.deviceDescription().c_str(),
              static_cast<long long>(options.bytesPerPeer), world.size() - 1,
              "kind", "blocks", "us", "GB/s out");
  for (const LinkTime &time : times)
    std::printf("%-16s %6lld %10.1f %12.1f\n", time.kind.c_str(),
                static_cast<long long>(time.blocks), time.timing.medianUs,
                time.gigabytesPerSecond(options));
}

void writeJson(const std::string &file, const World &world,
               const LinkOptions &options, const std::vector<LinkTime> &times) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const LinkTime &time : times)
    rows.push_back({{"kind", time.kind},
                    {"blocks", time.blocks},
                    {"time_us", time.timing.medianUs},
                    {"gb_per_s", time.gigabytesPerSecond(options)}});
  const nlohmann::ordered_json json = {
      {"num_processes", world.size()},
      {"device", world.deviceDescription()},
      {"ranks_on_device", world.ranksOnDevice()},
      {"bytes_per_peer", options.bytesPerPeer},
      {"links", rows}};
  writeJsonFile(file, json);
}

void runAsRank(const Options &options) {
  World world = World::join(options.world);
  if (world.size() != options.links.numRanks)
    throw UserError("expected as many ranks as --num-processes, " +
                    std::to_string(options.links.numRanks) + ", got " +
                    std::to_string(world.size()));
  const std::vector<LinkTime> times = timeLinks(world, options.links);
  // Figures that are lost are lost for all.
  world.together("reporting", [&] {
    if (world.rank() != 0)
      return;
    print(world, options.links, times);
    if (options.jsonFile)
      writeJson(*options.jsonFile, world, options.links, times);
  });
}

/// As a rank where a launcher started it, else starts the ranks.
int run(Options &options, int argc, char **argv) {
  options.world.backend = parseBackend(options.backend);
  if (options.links.bytesPerPeer % 16 != 0)
    throw UserError("expected --bytes-per-peer to be a multiple of 16, got " +
                    std::to_string(options.links.bytesPerPeer));
  if (!options.printSource.empty()) {
    const PiecePlan plan{options.links.numRanks, options.links.bytesPerPeer, 1};
    const bool stores = options.printSource == "stores";
    std::puts((stores ? storeKernel(plan) : bulkKernel(plan)).text.c_str());
    return 0;
  }
  if (options.jsonFile)
    checkJsonFile(*options.jsonFile); // before the work, not after
  if (rankFromEnvironment()) {
    runAsRank(options);
    return 0;
  }
  std::vector<std::string> command(argv, argv + argc);
  command[0] = currentExecutable();
  return launchRanks({.numRanks = options.links.numRanks}, command);
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app(description, "tilewire-links");
  Options options;
  addOptions(app, options);
  return runProgram("tilewire-links: ", [&] {
    return parseCommandLine(app, argc, argv) ? run(options, argc, argv) : 0;
  });
}
