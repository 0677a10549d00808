//===- Hold.h - how long a thread is held after a release -----------------===//
//
// What a thread does after a release is held back until every peer has acted on
// all that was released and waits again, or has ended its launch: whatever it
// does too early, it has then done. Peers tell by counts in the kernel's flags;
// the clock, of which a busy machine makes nothing certain, ends a hold only
// where a peer does not come. Knows no threads.
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
  explicit Hold(const tw::World &table);
  /// Counts the launch as ended.
  ~Hold();
  Hold(const Hold &) = delete;
  Hold &operator=(const Hold &) = delete;

  /// A release of this launch is made, and visible.
  void countRelease();
  /// All that this launch can do is poll; each has been polled once more.
  void countStall();

  void begin();
  bool isOver();

private:
  tw::Progress &progressOf(unsigned rank) const;
  bool isSettled(unsigned peer) const;
  bool wasReleased() const;
  void look();

  const tw::World &table;
  const unsigned launch; ///< the number of this launch among the kernel's
  std::chrono::steady_clock::time_point end;
  std::vector<tw::Progress> seen; ///< by rank, at the last look
};

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_HOLD_H
