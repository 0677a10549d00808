//===- IssueQueue.h - the launches of one device, in order ----------------===//
//
// One host thread runs the queued work of all streams of a device in the order
// in which it was issued, so that kernels that wait for peers can't overtake
// each other. Knows no kernels.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_EMULATOR_ISSUEQUEUE_H
#define TILEWIRE_RUNTIME_EMULATOR_ISSUEQUEUE_H

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace tilewire::emulator {

class IssueQueue {
public:
  /// One stream's share of the queue. Its work is skipped from the first that
  /// fails until the error is taken.
  struct Lane {
    std::size_t pending = 0;
    std::exception_ptr error;
  };

  IssueQueue();
  /// Finishes what is queued.
  ~IssueQueue();

  void post(Lane &lane, std::function<void()> work);
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
  struct Item {
    Lane *lane;
    std::function<void()> work;
  };
  void serve();

  std::mutex mutex;
  std::condition_variable changed; ///< an item came or is done, or `closing`
  std::deque<Item> items;
  uint64_t done = 0;
  bool closing = false;
  std::thread server;
};

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_ISSUEQUEUE_H
