//===- Hold.h - how long a thread is held after a release -----------------===//
//
// What a thread does after a release is held back until every peer has acted on
// all that was released and waits again, or has ended its launch: whatever it
// does too early, it has then done. Peers tell by counts in the kernel's flags;
// the clock, of which a busy machine makes nothing certain, ends a hold only
// where a peer does not begin or come to a wait. Knows no threads.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_EMULATOR_HOLD_H
#define TILEWIRE_RUNTIME_EMULATOR_HOLD_H

#include "runtime/device/Table.h"

#include <chrono>
#include <vector>

namespace tilewire::emulator {

/// One launch's part in the holds of its rank and of peers.
class Hold {
public:
  /// Counts the launch as begun, and later as ended.
  explicit Hold(const tw::World &table);
  ~Hold();
  Hold(const Hold &) = delete;
  Hold &operator=(const Hold &) = delete;

  /// A release of this launch is made, and visible.
  void countRelease();
  /// All that this launch can do is poll; each has been polled once more.
  void countStall();

  /// A patient hold waits also for peers that get no processor for long.
  void begin(bool isPatient);
  bool isOver();

private:
  using Clock = std::chrono::steady_clock;

  tw::Progress &progressOf(unsigned rank) const;
  bool isSettled(unsigned peer, Clock::time_point now) const;
  bool wasReleased() const;
  void look();

  const tw::World &table;
  const unsigned launch; ///< the number of this launch among the kernel's
  Clock::time_point endOfShort, end;
  std::vector<tw::Progress> seen; ///< by rank, at the last look
};

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_HOLD_H
