//===- Prelude.h - device helpers of generated text, for the emulator -----===//
//
// The names of cuda/Prelude.cuh for the host's C++ compiler, and the CUDA
// spellings that generated text uses. Every tensor access is checked. Includes
// nothing: Table.h, Elements.h and Hooks.h come before it, Barriers.h and
// Loops.h after, joined when the runtime is built.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DEVICE_EMULATOR_PRELUDE_H
#define TILEWIRE_DEVICE_EMULATOR_PRELUDE_H

#define __global__
#define __device__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
// Not forced: a body of 1,000 moves would take the host's compiler 20 s in
// place of half a second.
#define TW_DEVICE __device__ inline

#define TW_TEXT_OF(token) #token
#define TW_TEXT(token) TW_TEXT_OF(token)
#define TW_SITE __FILE__ ":" TW_TEXT(__LINE__)

#define threadIdx (::tw::emulator::current.threadIdx)
#define blockIdx (::tw::emulator::current.blockIdx)
#define blockDim (::tw::emulator::current.blockDim)
#define gridDim (::tw::emulator::current.gridDim)
#define __syncthreads()                                                        \
  static_cast<void>(::tw::emulator::current.hooks->sync(TW_SITE, false))
#define __syncthreads_or(condition)                                            \
  int(::tw::emulator::current.hooks->sync(TW_SITE, (condition) != 0))

/// Array of `count` elements in the block's shared memory. The address of a
/// static tells it from every other array of the kernel.
#define TW_SHARED(type, name, count)                                           \
  static char name##Site;                                                      \
  type(&name)[count] =                                                         \
      *static_cast<type(*)[count]>(::tw::emulator::current.hooks->sharedArray( \
          &name##Site, sizeof(type) * (count)))

using size_t = decltype(sizeof(0));

// CUDA has these outside namespaces, for each width of an index.
constexpr unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
constexpr unsigned max(unsigned a, unsigned b) { return a < b ? b : a; }
constexpr size_t min(size_t a, size_t b) { return a < b ? a : b; }
constexpr size_t max(size_t a, size_t b) { return a < b ? b : a; }

namespace tw::emulator {

// Hidden, so that each loaded image has its own.
__attribute__((visibility("hidden"))) inline Current current;

/// Where the runtime finds it.
extern "C" __attribute__((visibility("default"), used)) inline Current *
__tilewire_current() {
  return &current;
}

/// How the host's compiler describes an operation that it checks; more follows.
struct CheckedOperation {
  const char *file;
  unsigned line, column;
};

/// Where -fsanitize=integer-divide-by-zero goes when a divisor is zero. Hidden,
/// so that a sanitizer's runtime in the process is never called instead.
extern "C" __attribute__((visibility("hidden"), used, noreturn)) inline void
__ubsan_handle_divrem_overflow_abort(void *operation, void *, void *) {
  const CheckedOperation *place =
      static_cast<const CheckedOperation *>(operation);
  current.hooks->divisionByZero(place->file, place->line);
  __builtin_unreachable();
}

} // namespace tw::emulator

namespace tw {

/// Address of element `offset`, a signed number; integers, as it may lie
/// outside the tensor. One so far outside that its bytes can't be counted would
/// come back into the tensor.
template <typename T>
TW_DEVICE emulator::Address addressOf(T *tensor, size_t offset) {
  const emulator::Address begin = reinterpret_cast<emulator::Address>(tensor);
  long bytes = 0;
  if (__builtin_expect(
          __builtin_mul_overflow(long(offset), long(sizeof(T)), &bytes), false))
    emulator::current.hooks->badOffset(begin, long(offset));
  return begin + emulator::Address(bytes);
}

/// Elements [offset, offset + count) of `tensor`, by one load.
template <int count, typename T>
TW_DEVICE Vector<T, count> load(const T *tensor, size_t offset) {
  Vector<T, count> value;
  const emulator::Address address = addressOf(tensor, offset);
  if (__builtin_expect(emulator::current.loads.holds(address, sizeof(value)),
                       true))
    __builtin_memcpy(&value, reinterpret_cast<const void *>(address),
                     sizeof(value));
  else
    emulator::current.hooks->load(&value, address, sizeof(value));
  return value;
}

/// Stores `value` to elements [offset, offset + count) of `tensor`.
template <int count, typename T>
TW_DEVICE void store(T *tensor, size_t offset, const Vector<T, count> &value) {
  const emulator::Address address = addressOf(tensor, offset);
  if (__builtin_expect(emulator::current.stores.holds(address, sizeof(value)),
                       true))
    __builtin_memcpy(reinterpret_cast<void *>(address), &value, sizeof(value));
  else
    emulator::current.hooks->store(address, &value, sizeof(value));
}

/// `peer`'s copy of a symmetric tensor.
template <typename T>
TW_DEVICE T *onPeer(const World &world, T *tensor, size_t peer) {
  if (__builtin_expect(peer >= size_t(world.numRanks), false))
    emulator::current.hooks->badPeer(peer);
  const emulator::Address offset =
      addressOf(tensor, 0) - addressOf(world.bases[world.rank], 0);
  return reinterpret_cast<T *>(addressOf(world.bases[peer], 0) + offset);
}

/// Ends the launch unless `holds`, with the error of the text's check `number`,
/// which shows `value`.
TW_DEVICE void check(const World &, int number, bool holds, size_t value) {
  if (__builtin_expect(!holds, false))
    emulator::current.hooks->checkFailed(number, long(value));
}

TW_DEVICE unsigned loadAcquire(const unsigned *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

TW_DEVICE void storeRelease(unsigned *word, unsigned value) {
  emulator::current.hooks->storeRelease(word, value);
}

/// Adds at gpu scope and returns the value before.
TW_DEVICE unsigned addAcquireRelease(unsigned *word, unsigned value) {
  return emulator::current.hooks->addAcquireRelease(word, value);
}

/// True for the first caller on this rank.
TW_DEVICE bool claim(unsigned *word) {
  return __atomic_exchange_n(word, 1u, __ATOMIC_RELAXED) == 0;
}

TW_DEVICE unsigned long long nanoseconds() {
  return emulator::current.hooks->nanoseconds();
}

TW_DEVICE void pause() { emulator::current.hooks->pause(); }

/// Block barrier; true when `condition` holds in any thread.
TW_DEVICE bool syncOr(bool condition) { return __syncthreads_or(condition); }

} // namespace tw

#endif // TILEWIRE_DEVICE_EMULATOR_PRELUDE_H
