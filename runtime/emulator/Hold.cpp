//===- Hold.cpp - how long a thread is held after a release ---------------===//

#include "runtime/emulator/Hold.h"

#include <algorithm>

namespace tilewire::emulator {

namespace {

/// The longest hold. Peers get the processor meanwhile, however busy the
/// machine is.
constexpr std::chrono::nanoseconds longestHold = std::chrono::milliseconds(100);

/// The longest of others, and for peers that have not begun the launch: more
/// would only delay what they must wait for once they have.
constexpr std::chrono::nanoseconds shortHold = std::chrono::milliseconds(1);

/// A hold is so small a part of what waits may last that none is outlasted.
constexpr unsigned holdsPerTimeout = 8;

/// A round of polls may have begun before a release; the next has seen it.
constexpr unsigned stallsToSettle = 2;

unsigned read(const unsigned &count) {
  return __atomic_load_n(&count, __ATOMIC_ACQUIRE);
}

void increment(unsigned &count) {
  __atomic_fetch_add(&count, 1u, __ATOMIC_RELEASE);
}

} // namespace

Hold::Hold(const tw::World &table)
    : table(table), launch(read(progressOf(table.rank).ended)),
      seen(table.numRanks) {
  increment(progressOf(table.rank).begun);
}

Hold::~Hold() { increment(progressOf(table.rank).ended); }

void Hold::countRelease() { increment(progressOf(table.rank).releases); }

void Hold::countStall() { increment(progressOf(table.rank).stalls); }

void Hold::begin(bool isPatient) {
  const std::chrono::nanoseconds limit(table.timeoutNs / holdsPerTimeout);
  const Clock::time_point now = Clock::now();
  endOfShort = now + shortHold;
  end = isPatient ? now + std::min(longestHold, limit) : endOfShort;
  look();
}

bool Hold::isOver() {
  // By whom else would it be seen?
  const Clock::time_point now = Clock::now();
  if (table.numRanks == 1 || now >= end)
    return true;
  for (unsigned rank = 0; rank < table.numRanks; ++rank)
    if (rank != table.rank && !isSettled(rank, now))
      return false;
  if (!wasReleased())
    return true;
  // What one rank did then may have set another going.
  look();
  return false;
}

tw::Progress &Hold::progressOf(unsigned rank) const {
  const auto offset =
      reinterpret_cast<char *>(table.flags) - table.bases[table.rank];
  return reinterpret_cast<tw::Flags *>(table.bases[rank] + offset)->progress;
}

/// Whether a peer has ended this launch, or since the last look can but poll.
bool Hold::isSettled(unsigned peer, Clock::time_point now) const {
  const tw::Progress &progress = progressOf(peer);
  if (int(read(progress.ended) - launch) > 0)
    return true;
  if (int(read(progress.begun) - launch) <= 0)
    return now >= endOfShort;
  return read(progress.stalls) - seen[peer].stalls >= stallsToSettle;
}

/// Whether any rank has made a release since the last look.
bool Hold::wasReleased() const {
  for (unsigned rank = 0; rank < table.numRanks; ++rank)
    if (read(progressOf(rank).releases) != seen[rank].releases)
      return true;
  return false;
}

void Hold::look() {
  for (unsigned rank = 0; rank < table.numRanks; ++rank) {
    // Stalls last: those counted before a release tell nothing of it.
    seen[rank].releases = read(progressOf(rank).releases);
    seen[rank].stalls = read(progressOf(rank).stalls);
  }
}

} // namespace tilewire::emulator
