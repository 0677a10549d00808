//===- HubFixture.h - ranks of a hub as threads ---------------------------===//
//
// A hub's ranks, by their channels or by bare sockets. For tests of the
// rendezvous; knows no World.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_UNIT_HUBFIXTURE_H
#define TILEWIRE_TESTS_UNIT_HUBFIXTURE_H

#include "runtime/world/Channel.h"
#include "runtime/world/Hub.h"
#include "runtime/world/Socket.h"

#include <catch2/catch.hpp>

namespace tilewire::test {

using namespace std::chrono_literals;

/// One rank of a test: its health and its channel.
struct Rank {
  Rank(const std::string &name, int rank, int size,
       std::chrono::milliseconds timeout)
      : number(rank),
        channel(std::make_unique<Channel>(Rendezvous{name, "the test"}, rank,
                                          size, timeout, health)) {}

  std::vector<Contribution> exchange(std::string_view what,
                                     std::string_view payload = "",
                                     std::optional<int> descriptor = {}) {
    return channel->exchange(what, payload, descriptor, 10s);
  }

  int number;
  Health health;
  std::unique_ptr<Channel> channel;
};

/// Runs `body` as each rank of `present`; what each threw, by position.
inline std::vector<std::optional<Failure>>
runRanks(const std::string &name, int size, const std::vector<int> &present,
         std::chrono::milliseconds timeout,
         const std::function<void(Rank &)> &body) {
  std::vector<std::optional<Failure>> failures(present.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < present.size(); ++i)
    threads.emplace_back([&, i] {
      try {
        Rank rank(name, present[i], size, timeout);
        body(rank);
      } catch (...) {
        failures[i] = describe(std::current_exception());
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  return failures;
}

inline std::vector<std::optional<Failure>>
runAll(int size, const std::function<void(Rank &)> &body) {
  const std::string name = uniqueSocketName();
  Hub hub(name, size, HubHost::RankZero);
  std::vector<int> all;
  for (int rank = 0; rank < size; ++rank)
    all.push_back(rank);
  return runRanks(name, size, all, 10s, body);
}

inline void
checkSameFailure(const std::vector<std::optional<Failure>> &failures) {
  for (const auto &failure : failures) {
    REQUIRE(failure);
    CHECK(failure->message == failures.front()->message);
    CHECK(failure->kind == failures.front()->kind);
  }
}

/// A connection that ends as a killed process's does, once all have joined.
inline void connectAndVanish(const std::string &name, int rank, int size) {
  FileDescriptor socket = connectTo(name);
  sendMessage(socket.get(), MessageKind::Hello,
              Packer()
                  .number(rank)
                  .number(size)
                  .number(10000)
                  .number(::getpid())
                  .take());
  receiveMessage(socket.get());
}

/// A rank of another process, which leaves at once; why it was refused.
inline std::optional<Failure> introduce(const std::string &name, int rank,
                                        int size, int64_t process) {
  FileDescriptor socket = connectTo(name);
  sendMessage(
      socket.get(), MessageKind::Hello,
      Packer().number(rank).number(size).number(10000).number(process).take());
  const std::optional<Message> answer = receiveMessage(socket.get());
  if (!answer)
    return Failure{ErrorKind::Internal, "no answer"};
  if (answer->kind == MessageKind::Broken)
    return Unpacker(answer->body).failure();
  sendMessage(socket.get(), MessageKind::Goodbye, "");
  return std::nullopt;
}

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_UNIT_HUBFIXTURE_H
