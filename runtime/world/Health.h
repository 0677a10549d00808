//===- Health.h - whether a rank's world still works ----------------------===//
//
// The first error that broke the world, and the abort words of the kernels
// that must then stop waiting. Told by Channel, asked by everyone; one per
// rank, used from any thread.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_WORLD_HEALTH_H
#define TILEWIRE_RUNTIME_WORLD_HEALTH_H

#include "runtime/device/Table.h"
#include "runtime/world/Failure.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <set>

namespace tilewire {

class Health {
public:
  /// Throws the first error, if any.
  void check() const;
  bool isBroken() const;

  /// The first error holds, and every abort word is set. Whether this was it.
  bool breakWith(Failure error);

  /// `rank` closes because of an error and waits for this one to close too; or
  /// none does any more.
  void noteGivingUp(std::optional<int> rank);
  /// The rank that has done so for `time` or longer.
  std::optional<int> givingUpFor(std::chrono::milliseconds time) const;

  /// Keeps `report`'s abort word in step with this world until removed.
  void addReport(tw::Report *report);
  void removeReport(tw::Report *report);

private:
  mutable std::mutex mutex;
  std::optional<Failure> failure;
  std::set<tw::Report *> reports;
  std::optional<int> givingUp;
  std::chrono::steady_clock::time_point givingUpSince;
};

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_WORLD_HEALTH_H
