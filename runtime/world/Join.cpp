//===- Join.cpp - joining a world and opening its devices -----------------===//

#include "runtime/world/WorldState.h"

#include <map>

namespace tilewire {
namespace {

Backend chooseBackend(const WorldOptions &options) {
  if (options.backend == Backend::Emulator)
    return Backend::Emulator;
  if (options.backend != Backend::Auto && options.backend != Backend::Cuda)
    throw UserError("expected a back end (auto, cuda, emulator), got " +
                    std::to_string(int(options.backend)));
  std::string reason;
  if (countCudaDevices(&reason) > 0)
    return Backend::Cuda;
  if (options.backend == Backend::Auto)
    return Backend::Emulator;
  throw UserError("expected a GPU for '--backend cuda', got none (" + reason +
                  "); use '--backend emulator' to run without one");
}

std::string describeChoice(Backend backend, const WorldOptions &options) {
  std::string text =
      backend == Backend::Cuda ? "'--backend cuda" : "'--backend emulator";
  return text + (options.shareGpu ? " --share-gpu'" : "'");
}

std::unique_ptr<Device> openDevice(Backend backend, const World::State &world) {
  if (backend == Backend::Emulator)
    return openEmulatorDevice(world.identity.rank, world.options.emulatorSeed,
                              world.options.emulatorFindsRaces);
  // A driver that lost its GPUs since they were counted fails when opened.
  const int numGpus = std::max(countCudaDevices(), 1);
  return openCudaDevice(world.identity.localRank % numGpus,
                        world.options.gpuChecks);
}

/// Ranks by the device they use.
std::map<std::string, std::vector<int>>
groupByDevice(const std::vector<Contribution> &identities) {
  std::map<std::string, std::vector<int>> groups;
  for (size_t rank = 0; rank < identities.size(); ++rank)
    groups[identities[rank].payload].push_back(int(rank));
  return groups;
}

void openDevices(World::State &world) {
  Backend backend = Backend::Auto;
  requireSame(exchangeTogether(
                  world, "choosing the back end",
                  [&] {
                    backend = chooseBackend(world.options);
                    return Offer{describeChoice(backend, world.options), {}};
                  }),
              "the same options");
  const auto groups =
      groupByDevice(exchangeTogether(world, "opening the device", [&] {
        world.device = openDevice(backend, world);
        return Offer{world.device->identity(), {}};
      }));
  if (backend == Backend::Cuda && !world.options.shareGpu)
    for (const auto &[identity, ranks] : groups)
      if (ranks.size() > 1)
        throw UserError(
            "expected a GPU for each of " +
            std::to_string(world.identity.size) + " ranks, got " +
            std::to_string(groups.size()) + ": " + formatRanks(ranks) +
            " would use the same one; start fewer ranks, or allow it with "
            "--share-gpu (then times are no measure of performance)");
  world.ranksOnDevice = int(groups.at(world.device->identity()).size());
}

} // namespace

std::unique_ptr<World::State> joinAs(const RankIdentity &identity,
                                     const WorldOptions &options,
                                     bool isLoopback, std::string hubHost,
                                     std::unique_ptr<Hub> hub) {
  if (options.timeout.count() < 1 || options.timeout > longestWait)
    throw UserError("expected a timeout of 1 ms to 365 days, got " +
                    formatTime(options.timeout));
  auto world = std::make_unique<World::State>();
  world->identity = identity;
  world->options = options;
  world->isLoopback = isLoopback;
  world->exceptionsAtJoin = std::uncaught_exceptions();
  world->hub = std::move(hub);
  try {
    if (world->hub)
      world->hub->requireDescriptors();
    world->channel = std::make_unique<Channel>(
        Rendezvous{identity.rendezvous, std::move(hubHost)}, identity.rank,
        identity.size, options.timeout, world->health);
  } catch (const Error &error) {
    if (world->hub)
      world->hub->callOff({error.kind(), error.what()});
    throw;
  }
  openDevices(*world);
  return world;
}

} // namespace tilewire
