//===- Hooks.h - what a kernel on the emulator asks of the runtime --------===//
//
// The interface between generated text compiled by the host's compiler and the
// runtime that runs it, seen alike by both. Includes nothing: it stands before
// Prelude.h in the joined header, and the runtime includes it too.
//
// A load or store of a tensor is inline when it lies in the span that was hit
// last, and a call otherwise. Releases and barriers of a block are always
// calls; loadAcquire and claim are atomics of the CPU and never are. So a
// runtime that left Current::stores empty would see each store of a tensor and
// each release, and could hold stores back in between. This one makes every
// store at once, and holds threads back after releases.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DEVICE_EMULATOR_HOOKS_H
#define TILEWIRE_DEVICE_EMULATOR_HOOKS_H

namespace tw::emulator {

using Address = unsigned long;

struct Index {
  unsigned x, y, z;
};

/// Bytes that a launch may touch.
struct Span {
  Address begin;
  Address bytes;

  /// Whether an aligned access of `width` bytes lies within.
  bool holds(Address address, Address width) const {
    const Address offset = address - begin;
    return offset < bytes && bytes - offset >= width && address % width == 0;
  }
};

/// Calls from a running kernel, made on the stack of the calling thread. A call
/// may come back after other threads ran; one that finds a fault never does.
class Hooks {
public:
  /// Accesses outside the span that was hit last: checked and then made.
  virtual void load(void *value, Address address, unsigned width) = 0;
  virtual void store(Address address, const void *value, unsigned width) = 0;
  /// An element so far from `tensor` that it has no address.
  virtual void badOffset(Address tensor, long offset) = 0;
  /// A peer that is not in the world.
  virtual void badPeer(Address peer) = 0;
  /// Many iterations of loops have begun since the last call; this one is of
  /// the loop at source place `site`. Comes back if the thread may go on.
  virtual void look(const char *site) = 0;
  /// The text's check `number` does not hold; it shows `value`.
  virtual void checkFailed(int number, long value) = 0;
  /// A division or remainder by zero, at a place of the text.
  virtual void divisionByZero(const char *file, unsigned line) = 0;

  virtual void storeRelease(unsigned *word, unsigned value) = 0;
  virtual unsigned addAcquireRelease(unsigned *word, unsigned value) = 0;
  virtual unsigned long long nanoseconds() = 0;
  /// Lets others run; called between two polls.
  virtual void pause() = 0;
  /// Block barrier at source place `site`; true when `condition` holds in any
  /// thread.
  virtual bool sync(const char *site, bool condition) = 0;
  /// The block's array that is declared at `site`.
  virtual void *sharedArray(const void *site, Address bytes) = 0;

protected:
  ~Hooks() = default;
};

/// What a loaded kernel reads of the thread that runs; one per loaded image,
/// written by the runtime at every switch.
struct Current {
  Hooks *hooks;
  Span loads;  ///< hit last by a load
  Span stores; ///< hit last by a store
  Index threadIdx, blockIdx, blockDim, gridDim;
  unsigned iterations; ///< of loops until the next look
};

} // namespace tw::emulator

#endif // TILEWIRE_DEVICE_EMULATOR_HOOKS_H
