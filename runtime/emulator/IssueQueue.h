//===- IssueQueue.h - the work of one device's streams --------------------===//
//
// One host thread does the work of all streams of a device, some of one and
// then some of another, in an order drawn from a seed: as on a GPU, streams
// know no order between them, and a kernel may wait for what another stream
// does. The work of one stream keeps its order. Knows no kernels.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_EMULATOR_ISSUEQUEUE_H
#define TILEWIRE_RUNTIME_EMULATOR_ISSUEQUEUE_H

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace tilewire::emulator {

/// One piece of a stream's work, done in parts.
class Work {
public:
  enum class Outcome {
    Done,
    Goes, ///< there is more to do
    Waits ///< nothing can be done before a peer or another stream does more
  };
  virtual ~Work() = default;
  /// Does about as much as `turns` turns of a thread. Throws when it fails.
  virtual Outcome run(unsigned turns) = 0;
};

class IssueQueue {
public:
  /// One stream's share of the queue. Its work is skipped from the first that
  /// fails until the error is taken.
  struct Lane {
    std::deque<std::unique_ptr<Work>> items; ///< what is not done
    bool waits = false;                      ///< since anything else was done
    std::exception_ptr error;
  };

  explicit IssueQueue(uint64_t seed);
  /// Finishes what is queued.
  ~IssueQueue();

  void post(Lane &lane, std::unique_ptr<Work> work);
  /// Whether all work of `lane` is done; throws, once, the error of that which
  /// failed.
  bool isIdle(Lane &lane);
  /// How much work, of all lanes, is done.
  uint64_t numDone();
  /// Waits until it is done, and throws likewise.
  void finish(Lane &lane);
  /// Waits until it is done.
  void drain(Lane &lane) noexcept;

private:
  void serve();
  void serve(Lane &lane, std::unique_lock<std::mutex> &lock);
  void sleepIfAllWait(std::unique_lock<std::mutex> &lock);

  std::mutex mutex;
  std::condition_variable changed; ///< an item came or is done, or `closing`
  std::vector<Lane *> busy;        ///< lanes with items
  std::mt19937_64 random;          ///< of the server
  uint64_t done = 0;
  bool closing = false;
  std::thread server;
};

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_ISSUEQUEUE_H
