//===- WorldState.h - the inside of World ---------------------------------===//
//
// What World, SymmetricHeap, Kernel and Stream share about one rank, and the
// collective from which all of theirs derive.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_WORLD_WORLDSTATE_H
#define TILEWIRE_RUNTIME_WORLD_WORLDSTATE_H

#include "runtime/Device.h"
#include "runtime/world/Channel.h"
#include "runtime/world/Hub.h"

#include <tilewire/Launch.h>

#include <set>

namespace tilewire {

// Destroyed from the last member to the first: the channel's reader uses the
// health, and the hub must outlive the channel that talks to it.
struct World::State {
  RankIdentity identity;
  WorldOptions options;
  bool isLoopback = false;
  int exceptionsAtJoin = 0;
  Health health;
  std::shared_ptr<Device> device; ///< shared by the memory it gave out
  int ranksOnDevice = 1;
  std::set<DeviceStream *> streams; ///< on which kernels may be running
  std::unique_ptr<Hub> hub;         ///< where this rank hosts it
  std::unique_ptr<Channel> channel;
};

/// Joins as `identity` and opens the device. Collective. `hub`: the hub, where
/// this rank hosts it for itself.
std::unique_ptr<World::State> joinAs(const RankIdentity &identity,
                                     const WorldOptions &options,
                                     bool isLoopback, std::string hubHost,
                                     std::unique_ptr<Hub> hub);

/// How long ranks wait for each other on the host: somewhat longer than kernels
/// do. A rank that is missing here may be missed by kernels too, and those can
/// say more: they give up first.
std::chrono::milliseconds hostTimeout(const World::State &world);

/// What one rank brings to a collective; the descriptor is borrowed.
struct Offer {
  std::string payload;
  std::optional<int> descriptor;
};

/// Every rank makes its offer by `step`, and every rank gets all, by rank. If
/// `step` throws anywhere, every rank throws the error of the lowest rank that
/// failed.
std::vector<Contribution> exchangeTogether(const World::State &world,
                                           std::string_view what,
                                           const std::function<Offer()> &step);

/// The same within another time than the world's.
std::vector<Contribution> exchangeTogether(const World::State &world,
                                           std::string_view what,
                                           const std::function<Offer()> &step,
                                           std::chrono::milliseconds timeout);

/// UserError naming the first two ranks whose payloads differ:
/// "expected <what> on every rank, got <a> on rank 0 and <b> on rank 2".
void requireSame(const std::vector<Contribution> &contributions,
                 const std::string &what);

/// UserError when `function`, given by a program, is an empty one.
template <typename Function>
void requireCallable(const Function &function, const std::string &purpose) {
  if (!function)
    throw UserError("expected a function for " + purpose +
                    ", got an empty one");
}

/// Whether this is called by a destructor because of an exception.
bool isErrorPassing(const World::State &world);

/// How long closing waits for the others: not long when an error is passing,
/// for they may never come.
std::chrono::milliseconds closingTimeout(const World::State &world);

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_WORLD_WORLDSTATE_H
