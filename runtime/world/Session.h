//===- Session.h - one world as its hub sees it ---------------------------===//
//
// Who has joined, who has reached the current step, and whether the world is
// broken. Pure state: it is told what happened and says what to send. Used by
// Hub; knows no sockets and never waits.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_WORLD_SESSION_H
#define TILEWIRE_RUNTIME_WORLD_SESSION_H

#include "runtime/FormatTime.h"
#include "runtime/world/Message.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tilewire {

using Clock = std::chrono::steady_clock;

/// The step that joining counts as.
inline constexpr const char *joiningStep = "joining the world";

/// The step of closing a heap, and its name on a rank that closes because an
/// error is passing. Such ranks meet those that just close; where the others
/// are at another step, or never come, that rank is to blame.
inline constexpr const char *closingStep = "closing the symmetric heap";
inline constexpr const char *givingUpStep =
    "closing the symmetric heap because of an error";

/// The failure of a world that `rank` left because of an error.
Failure gaveUp(int rank);

/// What one rank brings to a step.
struct Contribution {
  std::string payload;
  FileDescriptor descriptor; ///< perhaps none
};

class Session {
public:
  /// Sends to one rank; must not throw.
  using Send =
      std::function<void(int rank, MessageKind kind, const std::string &body,
                         const std::vector<int> &descriptors)>;

  explicit Session(int numRanks);

  /// How to reach the ranks; set before anyone joins.
  void onSend(Send sender) { send = std::move(sender); }

  /// `rank` connected. A second rank of that number belongs to a later world.
  void join(int rank, std::chrono::milliseconds timeout);
  bool hasJoined(int rank) const { return members[rank] != Member::Awaited; }

  /// Whether ranks wait for others to join.
  bool isJoining() const {
    return !failure && deadline() && step == joiningStep;
  }

  /// `rank` reached the step `name`, on which all ranks must agree.
  void reach(int rank, const std::string &name, Contribution contribution,
             std::chrono::milliseconds timeout);

  /// `rank` closes its connection on purpose.
  void leave(int rank);

  /// `rank`'s connection closed; `how` it ended, where that is known.
  void lose(int rank, const std::string &how);

  /// `rank`'s process ended; matters only when it has not joined.
  void noteEnd(int rank, const std::string &how);

  /// The first error holds; all ranks are told.
  void breakWith(std::optional<int> culprit, Failure error);

  /// Breaks the world when the current step is overdue.
  void expire(Clock::time_point now);

  /// When the current step is overdue, if one is waiting.
  std::optional<Clock::time_point> deadline() const;

  /// Whether no member is left and none can come.
  bool isOver() const;

  /// The rank that broke this world.
  std::optional<int> culprit() const { return brokenBy; }

private:
  enum class Member { Awaited, Present, Gone };

  void complete();
  std::vector<int> ranksThat(const std::function<bool(int)> &test) const;

  std::vector<Member> members;
  Send send;
  std::optional<Failure> failure;
  std::optional<int> brokenBy;

  // The current step; no rank has arrived when it is over.
  std::string step;
  std::vector<std::optional<Contribution>> arrived;
  Clock::time_point stepDeadline;
  std::chrono::milliseconds stepTimeout{};
  std::optional<int> givenUpBy; ///< the first at this step by givingUpStep
};

/// "rank 2", "ranks 0, 3".
std::string formatRanks(const std::vector<int> &ranks);

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_WORLD_SESSION_H
