//===- Loopback.cpp - ranks as threads of one process ---------------------===//

#include "runtime/world/Socket.h"
#include "runtime/world/WorldState.h"

#include <tilewire/Partition.h>

#include <thread>

namespace tilewire {
namespace {

/// Keeps the first error of any rank.
class FirstError {
public:
  void keep(const std::exception_ptr &thrown) {
    std::lock_guard lock(mutex);
    if (!error)
      error = thrown;
  }
  void rethrow() const {
    if (error)
      std::rethrow_exception(error);
  }

private:
  std::mutex mutex;
  std::exception_ptr error;
};

} // namespace

void runLoopback(int numRanks, const WorldOptions &options,
                 const std::function<void(World &)> &body) {
  if (numRanks < 1 || numRanks > maxRanks)
    throw UserError("expected 1 to " + std::to_string(maxRanks) +
                    " ranks, got " + std::to_string(numRanks));
  const std::string name = uniqueSocketName();
  Hub hub(name, numRanks);
  FirstError firstError;
  const auto runRank = [&](int rank) {
    try {
      World world(joinAs({rank, numRanks, rank, "", name}, options,
                         /*isLoopback=*/true, "the process", nullptr));
      try {
        body(world);
      } catch (...) {
        // Kept before the others hear of it and throw it too.
        firstError.keep(std::current_exception());
        world.breakWith(std::current_exception());
      }
    } catch (...) {
      firstError.keep(std::current_exception());
    }
  };
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < numRanks; ++rank)
    ranks.emplace_back(runRank, rank);
  for (std::thread &rank : ranks)
    rank.join();
  firstError.rethrow();
}

} // namespace tilewire
