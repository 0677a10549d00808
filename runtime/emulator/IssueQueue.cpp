//===- IssueQueue.cpp - the launches of one device, in order --------------===//

#include "runtime/emulator/IssueQueue.h"

#include "runtime/Thread.h"

#include <csignal>
#include <utility>

namespace tilewire::emulator {

namespace {

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

IssueQueue::IssueQueue() : server(startWithoutSignals([this] { serve(); })) {}

IssueQueue::~IssueQueue() {
  {
    std::lock_guard lock(mutex);
    closing = true;
  }
  changed.notify_all();
  server.join();
}

void IssueQueue::post(Lane &lane, std::function<void()> work) {
  {
    std::lock_guard lock(mutex);
    items.push_back({&lane, std::move(work)});
    ++lane.pending;
  }
  changed.notify_all();
}

bool IssueQueue::isIdle(Lane &lane) {
  std::lock_guard lock(mutex);
  if (lane.pending != 0)
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
  changed.wait(lock, [&] { return lane.pending == 0; });
}

void IssueQueue::serve() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return closing || !items.empty(); });
    if (items.empty())
      return;
    Item item = std::move(items.front());
    items.pop_front();
    if (!item.lane->error) {
      lock.unlock();
      std::exception_ptr error;
      try {
        item.work();
      } catch (...) {
        error = std::current_exception();
      }
      // What the work holds, such as the kernel, goes before it counts as done.
      item.work = nullptr;
      lock.lock();
      item.lane->error = error;
    }
    --item.lane->pending;
    ++done;
    changed.notify_all();
  }
}

} // namespace tilewire::emulator
