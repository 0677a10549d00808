//===- IssueQueue.cpp - the launches of one device, in order --------------===//

#include "runtime/emulator/IssueQueue.h"

#include <csignal>
#include <utility>

namespace tilewire::emulator {

namespace {

/// Starts a thread that takes no signal of the program: its handlers would run
/// on the small stack of a fiber.
std::thread startWithoutSignals(std::function<void()> body) {
  sigset_t blocked, before;
  sigfillset(&blocked);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
    sigdelset(&blocked, fault);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  std::thread thread(std::move(body));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
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
    changed.notify_all();
  }
}

} // namespace tilewire::emulator
