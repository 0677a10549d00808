//===- Hub.h - the centre that every rank connects to ---------------------===//
//
// A thread that listens on a name and serves the ranks' steps, one session per
// world. Hosted by the launcher, by rank 0 under other launchers, or by the
// process in loopback. Knows no devices.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_WORLD_HUB_H
#define TILEWIRE_RUNTIME_WORLD_HUB_H

#include "runtime/FileDescriptor.h"
#include "runtime/world/Session.h"

#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <thread>

namespace tilewire {

/// Who hosts a hub.
enum class HubHost {
  Launcher, ///< calls noteEnd for every rank whose process ends, so that a lost
            ///< rank is reported with how it ended
  RankZero, ///< of ranks that are processes
  Process,  ///< of all ranks, which are its threads
};

class Hub {
public:
  /// Listens on `name`, which no one else may.
  Hub(const std::string &name, int numRanks, HubHost host);

  /// Delivers what ranks have sent so far, then closes every connection. Stays
  /// a little longer when rank 0's job was refused: its other ranks are on
  /// their way.
  ~Hub();

  Hub(const Hub &) = delete;
  Hub &operator=(const Hub &) = delete;

  /// MachineError unless this process can open what joining takes. A hub that
  /// runs out while ranks join may not get one more to tell them with: others
  /// in its process take what it gives up.
  void requireDescriptors() const;

  /// `rank`'s process ended: "exit code 3", "signal 9 (Killed)".
  void noteEnd(int rank, const std::string &how);

  /// The host can't go on: ranks that came, and those that will, are told why.
  void callOff(Failure reason);

  /// The rank that broke a world, the first since one was last begun.
  std::optional<int> culprit() const;

private:
  struct Connection {
    FileDescriptor socket;
    int rank = -1; ///< unknown before its first message
    int64_t process = 0;
    Session *session = nullptr;
  };

  /// How a rank introduces itself.
  struct Introduction {
    int64_t rank;
    int64_t size;
    int64_t process;
  };

  void serve();
  int pollTimeout() const;
  void acceptAll();
  void receiveFrom(Connection &connection);
  void handle(Connection &connection, Message message);
  void welcome(Connection &connection, const Message &message);
  std::optional<Failure> faultOf(const Introduction &introduction) const;
  Connection *otherProcessOf(const Introduction &introduction);
  void hearOut(Connection &connection);
  void refuseJob(std::optional<int> rank, Failure fault);
  void noteCulprit(std::optional<int> rank);
  void turnAway(Connection &connection, const Failure &fault);
  void lose(Connection &connection);
  void afterEvents();
  Session &sessionFor(int rank);
  std::string waitForEnd(int rank);

  const int numRanks;
  const HubHost host;
  FileDescriptor listener;
  FileDescriptor wakeEvent;
  FileDescriptor spare; ///< given up for telling why there are no more
  std::list<Connection> connections;
  std::list<Session> sessions;
  std::optional<Failure> refusal; ///< of all ranks, also those yet to come
  Clock::time_point refusedAt;

  mutable std::mutex mutex; // guards what follows, shared with the host
  std::condition_variable ended;
  std::map<int, std::string> ends;
  std::optional<int> firstCulprit;
  std::optional<Failure> calledOff;
  bool stopping = false;

  std::thread thread; // last: starts when all else is ready
};

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_WORLD_HUB_H
