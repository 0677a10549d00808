//===- Loopback.cpp - ranks as threads of one process ---------------------===//

#include "runtime/Thread.h"
#include "runtime/world/Socket.h"
#include "runtime/world/WorldState.h"

#include <tilewire/Partition.h>

namespace tilewire {
namespace {

/// Keeps the first error that a rank met itself or, if none did, the first that
/// a rank was told of.
class FirstError {
public:
  void keep(const std::exception_ptr &thrown, bool isTold = false) {
    std::lock_guard lock(mutex);
    std::exception_ptr &error = isTold ? told : met;
    if (!error)
      error = thrown;
  }
  void rethrow() const {
    if (met || told)
      std::rethrow_exception(met ? met : told);
  }

private:
  std::mutex mutex;
  std::exception_ptr met;
  std::exception_ptr told;
};

/// Whether the world was broken by this very error already.
bool isToldBy(const World &world, const std::exception_ptr &thrown) {
  try {
    world.checkHealthy();
    return false;
  } catch (const Error &error) {
    return describe(thrown).message == error.what();
  }
}

} // namespace

void runLoopback(int numRanks, const WorldOptions &options,
                 const std::function<void(World &)> &body) {
  if (numRanks < 1 || numRanks > maxRanks)
    throw UserError("expected 1 to " + std::to_string(maxRanks) +
                    " ranks, got " + std::to_string(numRanks));
  requireCallable(body, "the ranks");
  const std::string name = uniqueSocketName();
  Hub hub(name, numRanks, HubHost::Process);
  hub.requireDescriptors();
  FirstError firstError;
  const auto runRank = [&](int rank) {
    try {
      World world(joinAs({rank, numRanks, rank, "", name}, options,
                         /*isLoopback=*/true, "the process", nullptr));
      try {
        body(world);
      } catch (...) {
        const std::exception_ptr thrown = std::current_exception();
        firstError.keep(thrown, isToldBy(world, thrown));
        world.breakWith(thrown);
      }
    } catch (...) {
      const std::exception_ptr thrown = std::current_exception();
      firstError.keep(thrown);
      hub.callOff(describe(thrown));
    }
  };
  std::vector<std::thread> ranks;
  try {
    for (int rank = 0; rank < numRanks; ++rank)
      ranks.push_back(startThread("rank " + std::to_string(rank),
                                  [&, rank] { runRank(rank); }));
  } catch (const MachineError &error) {
    firstError.keep(std::current_exception());
    hub.callOff({error.kind(), error.what()});
  }
  for (std::thread &rank : ranks)
    rank.join();
  firstError.rethrow();
}

} // namespace tilewire
