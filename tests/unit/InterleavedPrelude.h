//===- InterleavedPrelude.h - Barriers.h in every order of threads --------===//
//
// A third prelude, beside CUDA's and the emulator's: its primitives let a
// Machine switch threads before and after each access. Included by one file,
// as what it defines is for Barriers.h alone.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_UNIT_INTERLEAVEDPRELUDE_H
#define TILEWIRE_TESTS_UNIT_INTERLEAVEDPRELUDE_H

#include "Interleaving.h"

#define TW_DEVICE inline

namespace tilewire::test {

struct Index {
  unsigned x, y, z;
};
inline Index threadIndex() { return {machine->threadIndex(), 0, 0}; }
inline Index blockIndex() { return {machine->blockIndex(), 0, 0}; }
inline Index blockExtent() { return {machine->runs.shape.threads, 1, 1}; }
inline Index gridExtent() { return {machine->runs.shape.blocks, 1, 1}; }

} // namespace tilewire::test

#define threadIdx (::tilewire::test::threadIndex())
#define blockIdx (::tilewire::test::blockIndex())
#define blockDim (::tilewire::test::blockExtent())
#define gridDim (::tilewire::test::gridExtent())

inline void
__syncthreads(std::source_location site = std::source_location::current()) {
  tilewire::test::machine->sync(false, site);
}

namespace tw {

using tilewire::test::machine;

template <typename T> T *onPeer(const World &world, T *tensor, unsigned peer) {
  machine->expect(peer < world.numRanks, "a peer of the world");
  char *const here = reinterpret_cast<char *>(tensor);
  return reinterpret_cast<T *>(here - world.bases[world.rank] +
                               world.bases[peer]);
}

inline unsigned
loadAcquire(const unsigned *word,
            std::source_location site = std::source_location::current()) {
  return machine->load(word, site);
}

inline void storeRelease(unsigned *word, unsigned value) {
  machine->store(word, value);
}

inline unsigned addAcquireRelease(unsigned *word, unsigned value) {
  return machine->exchange(
      word, [](unsigned before, unsigned added) { return before + added; },
      value);
}

inline bool claim(unsigned *word) {
  return machine->exchange(
             word, [](unsigned, unsigned value) { return value; }, 1) == 0;
}

inline unsigned long long nanoseconds() { return machine->nanoseconds(); }

inline void pause() { machine->pause(); }

inline bool
syncOr(bool condition,
       std::source_location site = std::source_location::current()) {
  return machine->sync(condition, site);
}

} // namespace tw

#include "runtime/device/Barriers.h"

#endif // TILEWIRE_TESTS_UNIT_INTERLEAVEDPRELUDE_H
