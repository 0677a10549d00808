//===- Channel.h - a rank's connection to the hub -------------------------===//
//
// The one primitive that every collective on the host derives from: exchange.
// A reader thread hears at any time that the world is broken. Used by World;
// knows no devices.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_WORLD_CHANNEL_H
#define TILEWIRE_RUNTIME_WORLD_CHANNEL_H

#include "runtime/world/Health.h"
#include "runtime/world/Session.h"

#include <condition_variable>
#include <thread>

namespace tilewire {

/// Where a rank finds its hub.
struct Rendezvous {
  std::string name; ///< of the hub's socket
  std::string host; ///< "the launcher", "rank 0": for messages
};

class Channel {
public:
  /// Joins `size` ranks as `rank`; returns when all have joined. Throws the
  /// error that all get when some did not within `timeout`.
  Channel(const Rendezvous &rendezvous, int rank, int size,
          std::chrono::milliseconds timeout, Health &health);

  /// Closes the connection on purpose, waiting for no one.
  ~Channel();

  Channel(const Channel &) = delete;
  Channel &operator=(const Channel &) = delete;

  /// Every rank's payload and descriptor, by rank. `what` names the step and
  /// must agree. `descriptor` is borrowed; those returned are duplicates.
  /// Called by one thread at a time.
  std::vector<Contribution> exchange(std::string_view what,
                                     std::string_view payload,
                                     std::optional<int> descriptor,
                                     std::chrono::milliseconds timeout);

  /// Waits for all ranks to leave; no exchange may follow.
  void leave(std::chrono::milliseconds timeout);

  /// Breaks the world here and on every other rank.
  void breakWith(Failure error);

private:
  void connect(int rank, std::chrono::milliseconds timeout);
  bool greet(int rank, std::chrono::milliseconds timeout);
  void readUntilClosed();
  void trySend(MessageKind kind, std::string_view body,
               const std::vector<int> &descriptors = {});

  const Rendezvous rendezvous;
  const int size;
  Health &health;
  FileDescriptor socket;

  std::mutex sending;
  std::mutex mutex; // guards what follows
  std::condition_variable heard;
  std::optional<Message> result;
  bool isLeaving = false;
  bool mayClose = false; ///< the hub may go once it has answered

  std::thread reader;
};

/// Tells the ranks that meet at `name`, where any do by now or a little later,
/// why this one can't come.
void callOff(const std::string &name, const Failure &reason);

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_WORLD_CHANNEL_H
