//===- GridHooks.cpp - what threads of a launch ask for -------------------===//

#include "runtime/emulator/Grid.h"

#include "runtime/FormatTime.h"

#include <tilewire/Error.h>

#include <chrono>
#include <cstring>

namespace tilewire::emulator {

using tw::emulator::Span;

void Grid::stop(const std::string &what) {
  problem = "kernel '" + request.kernel->source.entry + "' on rank " +
            std::to_string(request.table.rank) + ", block " +
            std::to_string(running->block->index) + ", thread " +
            std::to_string(running->index) + ": " + what;
  leave();
}

void Grid::leave() {
  ended = true;
  while (true)
    suspend();
}

/// Checks an access. Returns the span in which the next ones are made without a
/// call; null where each is to be seen.
const Span *Grid::admit(bool isStore, Address address, unsigned width) {
  const char *access = isStore ? "a store" : "a load";
  const Span *span = request.accesses.find(address, width);
  if (!span)
    stop(request.accesses.explain(access, address, width));
  std::optional<Races> &races = running->block->races;
  if (!races)
    return span;
  if (auto other = isStore ? races->store(running->index, address, width)
                           : races->load(running->index, address, width))
    stopAtRace(access, address, width, *other);
  return nullptr;
}

void Grid::load(void *value, Address address, unsigned width) {
  if (const Span *span = admit(/*isStore=*/false, address, width))
    current.loads = *span;
  std::memcpy(value, reinterpret_cast<const void *>(address), width);
}

void Grid::store(Address address, const void *value, unsigned width) {
  if (const Span *span = admit(/*isStore=*/true, address, width))
    current.stores = *span;
  std::memcpy(reinterpret_cast<void *>(address), value, width);
}

void Grid::stopAtRace(const char *access, Address address, unsigned width,
                      const Races::Access &other) {
  stop(std::string("expected a block barrier before ") + access + " of " +
       request.accesses.describe(address, width) + ", got none since " +
       (other.isStore ? "a store" : "a load") + " of the same by thread " +
       std::to_string(other.thread) + "; put one between the two");
}

void Grid::badOffset(Address tensor, long offset) {
  stop(request.accesses.explainOffset(tensor, offset));
}

void Grid::badPeer(Address peer) {
  const int numRanks = request.table.numRanks;
  stop("expected a peer from 0 to " + std::to_string(numRanks - 1) +
       ", as there are " + std::to_string(numRanks) + " ranks, got " +
       std::to_string(peer));
}

void Grid::look(const char *site) {
  current.iterations = iterationsPerLook;
  if (__atomic_load_n(&request.table.report->abort, __ATOMIC_ACQUIRE) != 0)
    leave();
  const unsigned long long now = nanoseconds();
  if (stepSeen != steps) {
    stepSeen = steps;
    firstSeen = now;
  }
  // Half of what a wait may last, so that the thread which does not come is
  // named, and not those that wait for it.
  const std::chrono::nanoseconds limit(request.table.timeoutNs / 2);
  if (now - firstSeen > (unsigned long long)limit.count())
    stop("expected a thread to end, or to wait for others, within " +
         formatTime(std::chrono::ceil<std::chrono::milliseconds>(limit)) +
         ", got one that is still in the loop at " + site +
         "; make its loops end, or allow waits to last longer");
}

void Grid::checkFailed(int number, long value) {
  const std::vector<CheckSite> &checks = request.kernel->source.checks;
  CheckSite site{"check " + std::to_string(number) + " to hold", ""};
  if (number >= 0 && size_t(number) < checks.size())
    site = checks[size_t(number)];
  stop("expected " + site.expected +
       (site.location.empty() ? "" : " at " + site.location) + ", got " +
       std::to_string(value));
}

void Grid::divisionByZero(const char *file, unsigned line) {
  stop(std::string("expected a divisor other than 0 at ") + file + ":" +
       std::to_string(line) +
       ", got 0; check the indices that the program computes");
}

void Grid::storeRelease(unsigned *word, unsigned value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
  holdNowAndThen();
}

unsigned Grid::addAcquireRelease(unsigned *word, unsigned value) {
  const unsigned before = __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL);
  holdNowAndThen();
  return before;
}

unsigned long long Grid::nanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

void Grid::pause() {
  polling.push_back(running);
  suspend();
}

bool Grid::sync(const char *site, bool condition) {
  Block &block = *running->block;
  if (block.parked.empty())
    block.site = site;
  else if (std::strcmp(block.site, site) != 0)
    stop(std::string("expected all threads of a block at one barrier, got "
                     "this one at ") +
         site + " and thread " + std::to_string(block.parked.front()->index) +
         " at " + block.site + "; call barriers outside of branches");
  block.parked.push_back(running);
  block.condition = block.condition || condition;
  releaseIfComplete(block);
  suspend();
  return block.lastCondition;
}

void *Grid::sharedArray(const void *site, Address bytes) {
  std::vector<SharedArray> &arrays = running->block->sharedArrays;
  for (const SharedArray &array : arrays)
    if (array.site == site)
      return array.bytes.get();
  arrays.push_back({site, std::make_unique<char[]>(bytes)});
  // Uninitialised on a GPU: nothing may rely on zeros.
  std::memset(arrays.back().bytes.get(), 0xA5, bytes);
  return arrays.back().bytes.get();
}

} // namespace tilewire::emulator
