//===- Session.cpp - one world as its hub sees it -------------------------===//

#include "runtime/world/Session.h"

#include <algorithm>

namespace tilewire {

std::string formatRanks(const std::vector<int> &ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (size_t i = 0; i < ranks.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
  return text;
}

Failure gaveUp(int rank) {
  return {ErrorKind::Machine, "rank " + std::to_string(rank) +
                                  " gave up because of an error of its own"};
}

Session::Session(int numRanks)
    : members(size_t(numRanks), Member::Awaited), arrived(size_t(numRanks)) {}

void Session::join(int rank, std::chrono::milliseconds timeout) {
  members[rank] = Member::Present;
  if (failure) {
    send(rank, MessageKind::Broken, Packer().failure(*failure).take(), {});
    return;
  }
  reach(rank, joiningStep, {}, timeout);
}

void Session::reach(int rank, const std::string &name,
                    Contribution contribution,
                    std::chrono::milliseconds timeout) {
  if (failure)
    return;
  const bool isGivingUp = name == givingUpStep;
  if (isGivingUp && !givenUpBy)
    givenUpBy = rank;
  const std::string what = isGivingUp ? closingStep : name;
  const std::vector<int> waiting =
      ranksThat([&](int other) { return arrived[other].has_value(); });
  const Clock::time_point limit = Clock::now() + timeout;
  if (waiting.empty()) {
    step = what;
    stepDeadline = limit;
    stepTimeout = timeout;
  } else if (what != step && givenUpBy) {
    return breakWith(*givenUpBy, gaveUp(*givenUpBy));
  } else if (what != step) {
    return breakWith(
        rank, {ErrorKind::User,
               "expected every rank at the same step, got '" + step + "' on " +
                   formatRanks(waiting) + " and '" + what + "' on rank " +
                   std::to_string(rank) +
                   "; make every rank call the same collectives in the same "
                   "order"});
  } else if (limit < stepDeadline) {
    stepDeadline = limit;
    stepTimeout = timeout;
  }
  arrived[rank] = std::move(contribution);
  if (waiting.size() + 1 == members.size())
    return complete();
  if (isGivingUp && givenUpBy == rank)
    for (int other : ranksThat([&](int other) { return !arrived[other]; }))
      send(other, MessageKind::GivingUp, Packer().number(rank).take(), {});
}

void Session::complete() {
  Packer packer;
  std::vector<int> descriptors;
  for (const auto &contribution : arrived) {
    packer.text(contribution->payload);
    packer.number(bool(contribution->descriptor));
    if (contribution->descriptor)
      descriptors.push_back(contribution->descriptor.get());
  }
  const std::string body = packer.take();
  for (int rank = 0; rank < int(members.size()); ++rank)
    send(rank, MessageKind::Result, body, descriptors);
  for (auto &contribution : arrived)
    contribution.reset();
  givenUpBy.reset();
}

void Session::leave(int rank) { members[rank] = Member::Gone; }

void Session::lose(int rank, const std::string &how) {
  if (members[rank] == Member::Gone)
    return;
  members[rank] = Member::Gone;
  breakWith(rank,
            {ErrorKind::Machine, "rank " + std::to_string(rank) +
                                     " ended without leaving the world" +
                                     (how.empty() ? "" : " (" + how + ")")});
}

void Session::noteEnd(int rank, const std::string &how) {
  if (members[rank] == Member::Awaited)
    breakWith(rank, {ErrorKind::Machine,
                     "rank " + std::to_string(rank) +
                         " ended before joining the world (" + how + ")"});
}

void Session::breakWith(std::optional<int> culprit, Failure error) {
  if (failure)
    return;
  failure = std::move(error);
  // Whoever could not wait any longer for a rank that gives up is not to blame.
  brokenBy = givenUpBy ? givenUpBy : culprit;
  for (auto &contribution : arrived)
    contribution.reset();
  const std::string body = Packer().failure(*failure).take();
  for (int rank = 0; rank < int(members.size()); ++rank)
    if (members[rank] == Member::Present)
      send(rank, MessageKind::Broken, body, {});
}

void Session::expire(Clock::time_point now) {
  const auto limit = deadline();
  if (!limit || now < *limit)
    return;
  if (givenUpBy)
    return breakWith(*givenUpBy, gaveUp(*givenUpBy));
  const std::vector<int> missing =
      ranksThat([&](int rank) { return !arrived[rank]; });
  const std::vector<int> waiting =
      ranksThat([&](int rank) { return arrived[rank].has_value(); });
  breakWith(missing.front(),
            {ErrorKind::Machine,
             "expected every rank to reach '" + step + "' within " +
                 formatTime(stepTimeout) + ", " + formatRanks(missing) +
                 " did not (but " + formatRanks(waiting) + " did)"});
}

std::optional<Clock::time_point> Session::deadline() const {
  const bool isWaiting =
      std::any_of(arrived.begin(), arrived.end(),
                  [](const auto &contribution) { return !!contribution; });
  if (!isWaiting)
    return std::nullopt;
  return stepDeadline;
}

bool Session::isOver() const {
  return std::all_of(members.begin(), members.end(),
                     [](Member member) { return member == Member::Gone; });
}

std::vector<int>
Session::ranksThat(const std::function<bool(int)> &test) const {
  std::vector<int> ranks;
  for (int rank = 0; rank < int(members.size()); ++rank)
    if (test(rank))
      ranks.push_back(rank);
  return ranks;
}

} // namespace tilewire
