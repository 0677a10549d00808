//===- Channel.cpp - a rank's connection to the hub -----------------------===//

#include "runtime/world/Channel.h"

#include "runtime/Thread.h"
#include "runtime/world/Socket.h"

#include <algorithm>
#include <sys/socket.h>

namespace tilewire {
namespace {

// The hub keeps the time; a rank gives up on the hub itself only this much
// later.
constexpr std::chrono::milliseconds hubSlack{5000};

// Between two attempts to reach a hub that is not there yet.
constexpr std::chrono::milliseconds retryPause{5};

// Whoever can't come tries this long to say so.
constexpr std::chrono::milliseconds callOffTime{1000};

std::vector<Contribution> unpackResult(Message message, int size) {
  std::vector<Contribution> contributions;
  Unpacker unpacker(message.body);
  size_t next = 0;
  for (int rank = 0; rank < size; ++rank) {
    Contribution contribution{unpacker.text(), {}};
    if (unpacker.number())
      contribution.descriptor = std::move(message.descriptors.at(next++));
    contributions.push_back(std::move(contribution));
  }
  return contributions;
}

} // namespace

Channel::Channel(const Rendezvous &rendezvous, int rank, int size,
                 std::chrono::milliseconds timeout, Health &health)
    : rendezvous(rendezvous), size(size), health(health) {
  connect(rank, timeout);
  try {
    reader = startThread("hearing from " + rendezvous.host,
                         [this] { readUntilClosed(); });
  } catch (const MachineError &error) {
    trySend(MessageKind::Broken,
            Packer().failure({error.kind(), error.what()}).take());
    throw;
  }
}

Channel::~Channel() {
  trySend(MessageKind::Goodbye, "");
  {
    std::lock_guard lock(mutex);
    mayClose = true;
  }
  ::shutdown(socket.get(), SHUT_RDWR);
  reader.join();
}

void Channel::connect(int rank, std::chrono::milliseconds timeout) {
  const Clock::time_point limit = Clock::now() + timeout;
  while (!greet(rank, timeout)) {
    if (Clock::now() > limit)
      throw MachineError("expected " + rendezvous.host +
                         " to open the rendezvous within " +
                         formatTime(timeout) + ", it did not");
    std::this_thread::sleep_for(retryPause);
  }
}

bool Channel::greet(int rank, std::chrono::milliseconds timeout) {
  socket = connectTo(rendezvous.name);
  if (!socket)
    return false;
  limitSending(socket, timeout);
  limitReceiving(socket, timeout + hubSlack);
  trySend(MessageKind::Hello, Packer()
                                  .number(rank)
                                  .number(size)
                                  .number(timeout.count())
                                  .number(::getpid())
                                  .take());
  const std::optional<Message> answer = receiveMessage(socket.get());
  // The hub of an earlier world may close on us before the next one opens.
  if (!answer)
    return false;
  if (answer->kind == MessageKind::Broken)
    Unpacker(answer->body).failure().raise();
  limitReceiving(socket, std::chrono::milliseconds(0));
  return true;
}

std::vector<Contribution> Channel::exchange(std::string_view what,
                                            std::string_view payload,
                                            std::optional<int> descriptor,
                                            std::chrono::milliseconds timeout) {
  health.check();
  const std::string body =
      Packer().text(what).number(timeout.count()).text(payload).take();
  trySend(MessageKind::Step, body,
          descriptor ? std::vector<int>{*descriptor} : std::vector<int>{});
  std::unique_lock lock(mutex);
  const bool isAnswered = heard.wait_for(
      lock, timeout + hubSlack, [&] { return result || health.isBroken(); });
  if (!isAnswered)
    health.breakWith({ErrorKind::Machine,
                      "expected " + rendezvous.host + " to answer '" +
                          std::string(what) + "' within " +
                          formatTime(timeout + hubSlack) + ", it did not"});
  if (!result)
    health.check();
  return unpackResult(std::move(*std::exchange(result, std::nullopt)), size);
}

void Channel::leave(std::chrono::milliseconds timeout) {
  {
    std::lock_guard lock(mutex);
    isLeaving = true;
  }
  exchange("leaving the world", "", std::nullopt, timeout);
}

void Channel::breakWith(Failure error) {
  const std::string body = Packer().failure(error).take();
  if (!health.breakWith(std::move(error)))
    return;
  {
    // Between a waiter's look at the health and its sleep, it holds the lock.
    std::lock_guard lock(mutex);
  }
  heard.notify_all();
  trySend(MessageKind::Broken, body);
}

void Channel::readUntilClosed() {
  try {
    while (std::optional<Message> message = receiveMessage(socket.get())) {
      if (message->kind == MessageKind::Broken)
        health.breakWith(Unpacker(message->body).failure());
      if (message->kind == MessageKind::GivingUp)
        health.noteGivingUp(int(Unpacker(message->body).number()));
      std::lock_guard lock(mutex);
      if (message->kind == MessageKind::Result) {
        health.noteGivingUp(std::nullopt);
        result = std::move(*message);
        mayClose = isLeaving;
      }
      heard.notify_all();
    }
  } catch (const Error &error) {
    breakWith({error.kind(), error.what()});
  }
  std::lock_guard lock(mutex);
  if (!mayClose)
    health.breakWith({ErrorKind::Machine,
                      rendezvous.host + " ended without leaving the world"});
  heard.notify_all();
}

void Channel::trySend(MessageKind kind, std::string_view body,
                      const std::vector<int> &descriptors) {
  std::lock_guard lock(sending);
  try {
    sendMessage(socket.get(), kind, body, descriptors);
  } catch (const Error &) {
    // A hub that is gone is noticed, and reported, by the reader.
  }
}

void callOff(const std::string &name, const Failure &reason) {
  const Clock::time_point limit = Clock::now() + callOffTime;
  try {
    FileDescriptor socket = connectTo(name);
    while (!socket && Clock::now() < limit) {
      std::this_thread::sleep_for(retryPause);
      socket = connectTo(name);
    }
    if (!socket)
      return;
    limitSending(socket, callOffTime);
    sendMessage(socket.get(), MessageKind::Broken,
                Packer().failure(reason).take());
  } catch (const Error &) {
    // The reason itself is reported by whoever calls this.
  }
}

} // namespace tilewire
