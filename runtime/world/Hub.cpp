//===- Hub.cpp - the centre that every rank connects to -------------------===//

#include "runtime/world/Hub.h"

#include "runtime/Thread.h"
#include "runtime/world/Socket.h"

#include <algorithm>
#include <poll.h>
#include <sys/eventfd.h>

namespace tilewire {
namespace {

// A rank that stops in the middle of a frame holds up the others this long.
constexpr std::chrono::milliseconds frameTimeout{5000};

// The host learns how a process ended a little after its connection closes.
constexpr std::chrono::milliseconds endTimeout{500};

// Ranks that were started together have all come this much later.
constexpr std::chrono::milliseconds startSpread{1000};

// Between attempts to accept a rank for which there is no descriptor.
constexpr std::chrono::milliseconds exhaustedPause{5};

int millisecondsUntil(Clock::time_point time) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(time - Clock::now());
  return int(std::clamp<int64_t>(left.count(), 0, 60'000));
}

void wake(const FileDescriptor &event) {
  ::eventfd_write(event.get(), 1); // fails only when a wake is pending anyway
}

/// Descriptors that joining takes in the hub's process: of the hub's end of
/// each connection, and of the other end where the ranks are here too.
int descriptorsFor(int numRanks, HubHost host) {
  switch (host) {
  case HubHost::Launcher:
    return numRanks;
  case HubHost::RankZero:
    return numRanks + 1;
  case HubHost::Process:
    return 2 * numRanks;
  }
  throw InternalError("a hub without a host");
}

} // namespace

Hub::Hub(const std::string &name, int numRanks, HubHost host)
    : numRanks(numRanks), host(host), listener(listenOn(name)),
      wakeEvent(checked(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")),
      spare(checked(::eventfd(0, EFD_CLOEXEC), "eventfd")) {
  thread = startThread("the rendezvous", [this] { serve(); });
}

void Hub::requireDescriptors() const {
  std::vector<FileDescriptor> probes;
  for (int i = 0; i < descriptorsFor(numRanks, host); ++i)
    probes.emplace_back(checked(::eventfd(0, EFD_CLOEXEC), "eventfd"));
}

Hub::~Hub() {
  {
    std::lock_guard lock(mutex);
    stopping = true;
  }
  wake(wakeEvent);
  thread.join();
}

void Hub::noteEnd(int rank, const std::string &how) {
  {
    std::lock_guard lock(mutex);
    ends[rank] = how;
  }
  ended.notify_all();
  wake(wakeEvent);
}

void Hub::callOff(Failure reason) {
  {
    std::lock_guard lock(mutex);
    calledOff = std::move(reason);
  }
  wake(wakeEvent);
}

std::optional<int> Hub::culprit() const {
  std::lock_guard lock(mutex);
  return firstCulprit;
}

void Hub::serve() {
  for (;;) {
    std::vector<pollfd> polled = {{listener.get(), POLLIN, 0},
                                  {wakeEvent.get(), POLLIN, 0}};
    std::vector<Connection *> order;
    for (Connection &connection : connections) {
      polled.push_back({connection.socket.get(), POLLIN, 0});
      order.push_back(&connection);
    }
    const int ready = ::poll(polled.data(), polled.size(), pollTimeout());
    eventfd_t wakes;
    if (polled[1].revents)
      ::eventfd_read(wakeEvent.get(), &wakes);
    if (polled[0].revents)
      acceptAll();
    for (size_t i = 0; i < order.size(); ++i)
      if (polled[i + 2].revents)
        receiveFrom(*order[i]);
    afterEvents();
    std::lock_guard lock(mutex);
    if (stopping && ready == 0)
      return;
  }
}

int Hub::pollTimeout() const {
  {
    std::lock_guard lock(mutex);
    if (stopping)
      return refusal && host == HubHost::RankZero
                 ? millisecondsUntil(refusedAt + startSpread)
                 : 0;
  }
  std::optional<Clock::time_point> next;
  for (const Session &session : sessions)
    if (const auto limit = session.deadline())
      next = next ? std::min(*next, *limit) : *limit;
  return next ? millisecondsUntil(*next) : -1;
}

void Hub::acceptAll() {
  FileDescriptor socket;
  try {
    socket = acceptFrom(listener);
  } catch (const MachineError &error) {
    refuseJob(std::nullopt, {error.kind(), error.what()});
    if (!spare)
      std::this_thread::sleep_for(exhaustedPause);
    spare = FileDescriptor();
    return;
  }
  if (!socket)
    return;
  limitSending(socket, frameTimeout);
  limitReceiving(socket, frameTimeout);
  connections.push_back({std::move(socket), -1, 0, nullptr});
}

void Hub::receiveFrom(Connection &connection) {
  try {
    std::optional<Message> message = receiveMessage(connection.socket.get());
    if (message)
      return handle(connection, std::move(*message));
  } catch (const Error &error) {
    // Garbage of a stranger ends its connection as closing it does.
    if (connection.session)
      connection.session->breakWith(connection.rank,
                                    {error.kind(), error.what()});
  }
  lose(connection);
}

void Hub::handle(Connection &connection, Message message) {
  if (message.kind == MessageKind::Hello)
    return welcome(connection, message);
  Unpacker unpacker(message.body);
  if (!connection.session && message.kind == MessageKind::Broken)
    return refuseJob(std::nullopt, unpacker.failure());
  if (!connection.session)
    throw MachineError("expected a rank to introduce itself first");
  Session &session = *connection.session;
  switch (message.kind) {
  case MessageKind::Step: {
    const std::string what = unpacker.text();
    const std::chrono::milliseconds timeout(unpacker.number());
    Contribution contribution{unpacker.text(), {}};
    if (!message.descriptors.empty())
      contribution.descriptor = std::move(message.descriptors.front());
    return session.reach(connection.rank, what, std::move(contribution),
                         timeout);
  }
  case MessageKind::Broken:
    return session.breakWith(connection.rank, unpacker.failure());
  case MessageKind::Goodbye:
    session.leave(connection.rank);
    connection.socket = FileDescriptor();
    return;
  case MessageKind::Hello:
  case MessageKind::Result:
  case MessageKind::GivingUp:
    break;
  }
  throw MachineError("expected a message of a rank, got one of a hub");
}

void Hub::welcome(Connection &connection, const Message &message) {
  Unpacker unpacker(message.body);
  const int64_t rank = unpacker.number();
  const int64_t size = unpacker.number();
  const std::chrono::milliseconds timeout(unpacker.number());
  const Introduction introduction{rank, size, unpacker.number()};
  if (connection.session)
    throw MachineError("expected a new rank, got rank " +
                       std::to_string(connection.rank) + " again");
  if (std::optional<Failure> fault = faultOf(introduction))
    refuseJob(int(rank), std::move(*fault));
  if (refusal)
    return turnAway(connection, *refusal);
  if (Connection *other = otherProcessOf(introduction)) {
    const Failure fault{ErrorKind::User,
                        "expected one process for each of " +
                            std::to_string(numRanks) +
                            " ranks, got two for rank " + std::to_string(rank) +
                            "; give every process a rank of its own"};
    // A world that works is not broken by who comes too late for it.
    if (other->session->isJoining())
      refuseJob(int(rank), fault);
    return turnAway(connection, fault);
  }
  connection.rank = int(rank);
  connection.process = introduction.process;
  connection.session = &sessionFor(int(rank));
  connection.session->join(int(rank), timeout);
}

/// What is wrong with a rank that can't be one of this job.
std::optional<Failure> Hub::faultOf(const Introduction &introduction) const {
  const auto &[rank, size, process] = introduction;
  const std::string who =
      host == HubHost::Launcher ? "from the launcher" : "on rank 0";
  if (size != numRanks)
    return Failure{ErrorKind::User,
                   "expected the same number of ranks everywhere, got " +
                       std::to_string(numRanks) + " " + who + " and " +
                       std::to_string(size) + " on rank " +
                       std::to_string(rank) +
                       "; start every rank with the same number"};
  if (rank < 0 || rank >= numRanks)
    return Failure{ErrorKind::User,
                   "expected rank 0 to " + std::to_string(numRanks - 1) +
                       " of a world of " + std::to_string(numRanks) +
                       ", got rank " + std::to_string(rank)};
  return std::nullopt;
}

/// The connection that another process holds under the same rank. One process
/// may hold several worlds, and a rank's processes may follow each other.
Hub::Connection *Hub::otherProcessOf(const Introduction &introduction) {
  for (Connection &connection : connections)
    if (connection.session && connection.rank == introduction.rank &&
        connection.process != introduction.process) {
      hearOut(connection);
      if (connection.socket)
        return &connection;
    }
  return nullptr;
}

/// Handles all that came on a connection: its end may be among it.
void Hub::hearOut(Connection &connection) {
  pollfd polled{connection.socket.get(), POLLIN, 0};
  while (connection.socket && ::poll(&polled, 1, 0) > 0)
    receiveFrom(connection);
}

void Hub::refuseJob(std::optional<int> rank, Failure fault) {
  if (refusal)
    return;
  refusal = std::move(fault);
  refusedAt = Clock::now();
  for (Session &session : sessions)
    session.breakWith(rank, *refusal);
  noteCulprit(rank);
}

void Hub::noteCulprit(std::optional<int> rank) {
  std::lock_guard lock(mutex);
  if (!firstCulprit)
    firstCulprit = rank;
}

void Hub::turnAway(Connection &connection, const Failure &fault) {
  try {
    sendMessage(connection.socket.get(), MessageKind::Broken,
                Packer().failure(fault).take());
  } catch (const Error &) {
    // Who does not wait for the answer is gone already.
  }
  connection.socket = FileDescriptor();
}

Session &Hub::sessionFor(int rank) {
  for (Session &session : sessions)
    if (!session.hasJoined(rank))
      return session;
  sessions.emplace_back(numRanks);
  Session &session = sessions.back();
  {
    // Whoever joins once more got over what went before.
    std::lock_guard lock(mutex);
    firstCulprit.reset();
  }
  session.onSend([this, &session](int to, MessageKind kind,
                                  const std::string &body,
                                  const std::vector<int> &descriptors) {
    // Before anyone can fail because of it.
    if (kind == MessageKind::Broken)
      noteCulprit(session.culprit());
    for (Connection &connection : connections)
      if (connection.session == &session && connection.rank == to &&
          connection.socket)
        try {
          sendMessage(connection.socket.get(), kind, body, descriptors);
        } catch (const Error &) {
          // Whoever can't be told is gone, which its connection shows next.
        }
  });
  return session;
}

void Hub::lose(Connection &connection) {
  connection.socket = FileDescriptor();
  if (connection.session)
    connection.session->lose(connection.rank, waitForEnd(connection.rank));
}

std::string Hub::waitForEnd(int rank) {
  if (host != HubHost::Launcher)
    return "";
  std::unique_lock lock(mutex);
  ended.wait_for(lock, endTimeout, [&] { return ends.count(rank) > 0; });
  const auto end = ends.find(rank);
  return end == ends.end() ? "" : end->second;
}

void Hub::afterEvents() {
  std::map<int, std::string> known;
  std::optional<Failure> reason;
  {
    std::lock_guard lock(mutex);
    known = ends;
    reason = std::exchange(calledOff, std::nullopt);
  }
  if (reason)
    refuseJob(std::nullopt, std::move(*reason));
  for (Session &session : sessions) {
    for (const auto &[rank, how] : known)
      session.noteEnd(rank, how);
    session.expire(Clock::now());
  }
  connections.remove_if(
      [](const Connection &connection) { return !connection.socket; });
  sessions.remove_if([](const Session &session) { return session.isOver(); });
}

} // namespace tilewire
