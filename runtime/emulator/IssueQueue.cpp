//===- IssueQueue.cpp - the work of one device's streams ------------------===//

#include "runtime/emulator/IssueQueue.h"

#include "runtime/Thread.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <utility>

namespace tilewire::emulator {

namespace {

/// Sleep of a rank all of whose work waits for peers, so that the peers get the
/// core.
constexpr std::chrono::microseconds idleSleep{30};

/// Turns of threads before the queue looks for work of other streams, and the
/// most that one stream has before another may come.
constexpr unsigned turnsAlone = 4096;
constexpr unsigned turnsOfMany = 32;

/// While alive, this thread and those that it starts take no signal of the
/// program: its handlers would run on the small stack of a fiber.
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
      sigdelset(&blocked, fault);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }

private:
  sigset_t before;
};

std::thread startWithoutSignals(std::function<void()> body) {
  const SignalsBlocked blocked;
  return startThread("the emulated device", std::move(body));
}

} // namespace

IssueQueue::IssueQueue(uint64_t seed)
    : random(seed), server(startWithoutSignals([this] { serve(); })) {}

IssueQueue::~IssueQueue() {
  {
    std::lock_guard lock(mutex);
    closing = true;
  }
  changed.notify_all();
  server.join();
}

void IssueQueue::post(Lane &lane, std::unique_ptr<Work> work) {
  {
    std::lock_guard lock(mutex);
    if (lane.items.empty())
      busy.push_back(&lane);
    lane.items.push_back(std::move(work));
  }
  changed.notify_all();
}

bool IssueQueue::isIdle(Lane &lane) {
  std::lock_guard lock(mutex);
  if (!lane.items.empty())
    return false;
  if (std::exception_ptr error = std::exchange(lane.error, nullptr))
    std::rethrow_exception(error);
  return true;
}

uint64_t IssueQueue::numDone() {
  std::lock_guard lock(mutex);
  return done;
}

void IssueQueue::finish(Lane &lane) {
  drain(lane);
  isIdle(lane);
}

void IssueQueue::drain(Lane &lane) noexcept {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return lane.items.empty(); });
}

void IssueQueue::serve() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return closing || !busy.empty(); });
    if (busy.empty())
      return;
    serve(*busy[random() % busy.size()], lock);
    sleepIfAllWait(lock);
  }
}

void IssueQueue::serve(Lane &lane, std::unique_lock<std::mutex> &lock) {
  const unsigned turns =
      busy.size() == 1 ? turnsAlone : unsigned(1 + random() % turnsOfMany);
  std::unique_ptr<Work> &head = lane.items.front();
  Work::Outcome outcome = Work::Outcome::Done;
  std::exception_ptr error = lane.error;
  lock.unlock();
  if (!error)
    try {
      outcome = head->run(turns);
    } catch (...) {
      error = std::current_exception();
    }
  // What the work holds, such as the kernel, goes before it counts as done.
  if (outcome == Work::Outcome::Done)
    head.reset();
  lock.lock();
  lane.waits = outcome == Work::Outcome::Waits;
  if (!lane.waits)
    for (Lane *other : busy)
      other->waits = false;
  if (outcome != Work::Outcome::Done)
    return;
  lane.error = error;
  lane.items.pop_front();
  ++done;
  if (lane.items.empty())
    std::erase(busy, &lane);
  changed.notify_all();
}

void IssueQueue::sleepIfAllWait(std::unique_lock<std::mutex> &lock) {
  if (busy.empty() ||
      !std::all_of(busy.begin(), busy.end(),
                   [](const Lane *lane) { return lane->waits; }))
    return;
  lock.unlock();
  std::this_thread::sleep_for(idleSleep);
  lock.lock();
  for (Lane *lane : busy)
    lane->waits = false;
}

} // namespace tilewire::emulator
