//===- PeerMapping.cpp - every rank's memory mapped on this rank ----------===//

#include "runtime/PeerMapping.h"

#include <algorithm>
#include <random>

namespace tilewire {
namespace {

/// What a rank reports of one phase: a payload, or why it failed.
std::string packSuccess(std::string_view payload) {
  return Packer().number(true).text(payload).take();
}
std::string packFailure(const MachineError &error) {
  return Packer().number(false).text(error.what()).take();
}

/// Replaces each report by its payload; why the lowest failing rank failed, if
/// one did.
std::optional<std::string>
findFailure(std::vector<Contribution> &contributions) {
  for (size_t rank = 0; rank < contributions.size(); ++rank) {
    Unpacker unpacker(contributions[rank].payload);
    const bool succeeded = unpacker.number();
    std::string text = unpacker.text();
    if (!succeeded)
      return "rank " + std::to_string(rank) + ": " + text;
    contributions[rank].payload = std::move(text);
  }
  return std::nullopt;
}

int64_t randomStamp() {
  std::random_device random;
  return int64_t(uint64_t(random()) << 32 | random());
}

/// One mechanism being tried.
class Attempt {
public:
  Attempt(const World::State &world, int64_t bytes, PeerMemory mechanism)
      : world(world), device(*world.device), bytes(bytes),
        mechanism(mechanism) {}

  /// Why it does not work for all ranks, if so.
  std::optional<std::string> run() {
    std::vector<Contribution> exports =
        exchangeTogether(world, "reserving symmetric memory",
                         [this] { return reserveAndExport(); });
    if (auto failure = findFailure(exports))
      return failure;
    std::vector<Contribution> imports = exchangeTogether(
        world, "mapping symmetric memory", [&] { return importAll(exports); });
    return findFailure(imports);
  }

  std::unique_ptr<PeerRegion> region;
  std::vector<char *> bases;

private:
  Offer reserveAndExport() {
    try {
      region = device.reserve(bytes, mechanism, world.isLoopback);
      const int64_t stamp = randomStamp();
      device.copyToDevice(region->base(), &stamp, sizeof(stamp));
      return {packSuccess(
                  Packer().number(stamp).text(region->exportPayload()).take()),
              region->exportDescriptor()};
    } catch (const MachineError &error) {
      return {packFailure(error), {}};
    }
  }

  Offer importAll(std::vector<Contribution> &exports) {
    try {
      for (int rank = 0; rank < int(exports.size()); ++rank)
        bases.push_back(rank == world.identity.rank
                            ? region->base()
                            : import(rank, exports[rank]));
      return {packSuccess(""), {}};
    } catch (const MachineError &error) {
      return {packFailure(error), {}};
    }
  }

  /// Maps a peer's memory and reads back the stamp that the peer wrote: a link
  /// may claim to work and not do so.
  char *import(int peer, Contribution &exported) {
    Unpacker unpacker(exported.payload);
    const int64_t expected = unpacker.number();
    std::optional<FileDescriptor> descriptor;
    if (exported.descriptor)
      descriptor = std::move(exported.descriptor);
    char *base =
        region->importPeer(peer, unpacker.text(), std::move(descriptor));
    int64_t seen = 0;
    device.copyToHost(&seen, base, sizeof(seen));
    if (seen != expected)
      throw MachineError("expected to read what rank " + std::to_string(peer) +
                         " wrote to its memory, got other bytes");
    return base;
  }

  const World::State &world;
  Device &device;
  const int64_t bytes;
  const PeerMemory mechanism;
};

/// The mechanisms to try, in rank 0's order, without those that another rank
/// does not have.
std::vector<PeerMemory> commonMechanisms(const World::State &world) {
  const std::vector<Contribution> lists =
      exchangeTogether(world, "choosing peer memory", [&] {
        std::string list;
        for (PeerMemory mechanism : world.device->peerMechanisms())
          list += char(mechanism);
        return Offer{list, {}};
      });
  std::vector<PeerMemory> common;
  for (char mechanism : lists.front().payload)
    if (std::all_of(lists.begin(), lists.end(), [&](const auto &list) {
          return list.payload.find(mechanism) != std::string::npos;
        }))
      common.push_back(PeerMemory(mechanism));
  return common;
}

} // namespace

std::string_view name(PeerMemory mechanism) {
  switch (mechanism) {
  case PeerMemory::Auto:
    return "auto";
  case PeerMemory::FileDescriptor:
    return "fd";
  case PeerMemory::CudaIpc:
    return "ipc";
  }
  throw UserError("expected a kind of peer memory (auto, fd, ipc), got " +
                  std::to_string(int(mechanism)));
}

PeerMapping mapPeers(const World::State &world, int64_t bytes,
                     PeerMemory wanted) {
  std::vector<PeerMemory> mechanisms{wanted};
  if (wanted == PeerMemory::Auto)
    mechanisms = commonMechanisms(world);
  std::string reasons;
  for (PeerMemory mechanism : mechanisms) {
    Attempt attempt(world, bytes, mechanism);
    const std::optional<std::string> failure = attempt.run();
    if (!failure) {
      std::string chosen = attempt.region->mechanism();
      if (!reasons.empty())
        chosen += " (not " + reasons + ")";
      return {world.device, std::move(attempt.region), std::move(attempt.bases),
              std::move(chosen)};
    }
    reasons += (reasons.empty() ? "" : "; ") + std::string(name(mechanism)) +
               ": " + *failure;
  }
  throw MachineError("expected a way for these ranks to map each other's "
                     "memory, got none: " +
                     (reasons.empty() ? "no mechanism in common" : reasons));
}

} // namespace tilewire
