//===- Prelude.cuh - device helpers of generated text, for NVRTC ----------===//
//
// What generated kernels call by name. Tensor access is plain vector loads and
// stores; PTX lives here and nowhere else. The emulator's Prelude.h has the
// same names. Includes nothing: Table.h and Elements.h come before it and
// Barriers.h after, joined when the runtime is built.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DEVICE_CUDA_PRELUDE_CUH
#define TILEWIRE_DEVICE_CUDA_PRELUDE_CUH

#define TW_DEVICE __device__ __forceinline__

/// Array of `count` elements in the block's shared memory.
#define TW_SHARED(type, name, count) __shared__ alignas(16) type name[count]

namespace tw {

// The register type that makes one access of `bytes` bytes.
template <int bytes> struct Register;
template <> struct Register<1> { using type = unsigned char; };
template <> struct Register<2> { using type = unsigned short; };
template <> struct Register<4> { using type = unsigned int; };
template <> struct Register<8> { using type = uint2; };
template <> struct Register<16> { using type = uint4; };

/// Elements [offset, offset + count) of `tensor`, by one load.
template <int count, typename T>
TW_DEVICE Vector<T, count> load(const T *tensor, size_t offset) {
  using Word = typename Register<sizeof(T) * count>::type;
  union {
    Word word;
    Vector<T, count> vector;
  };
  word = *reinterpret_cast<const Word *>(tensor + offset);
  return vector;
}

/// Stores `value` to elements [offset, offset + count) of `tensor`.
template <int count, typename T>
TW_DEVICE void store(T *tensor, size_t offset, const Vector<T, count> &value) {
  using Word = typename Register<sizeof(T) * count>::type;
  *reinterpret_cast<Word *>(tensor + offset) =
      reinterpret_cast<const Word &>(value);
}

/// `peer`'s copy of a symmetric tensor.
template <typename T>
TW_DEVICE T *onPeer(const World &world, T *tensor, unsigned peer) {
  const size_t offset =
      reinterpret_cast<char *>(tensor) - world.bases[world.rank];
  return reinterpret_cast<T *>(world.bases[peer] + offset);
}

#ifdef TILEWIRE_CHECKS
TW_DEVICE void report(const World &world, unsigned problem, int wait,
                      unsigned peer, unsigned expected, unsigned seen);
#endif

/// What must hold, with the number to show where it does not: the emulator ends
/// the launch there. Here only where it was asked for; all threads of the block
/// come here alike, and end.
TW_DEVICE void check(const World &world, int number, bool holds, size_t value) {
#ifdef TILEWIRE_CHECKS
  if (holds)
    return;
  report(world, checkFailed, number, world.rank,
         unsigned((unsigned long long)value >> 32), unsigned(value));
  asm volatile("exit;" ::: "memory");
#endif
}

TW_DEVICE unsigned loadAcquire(const unsigned *word) {
  unsigned value;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];"
               : "=r"(value)
               : "l"(word)
               : "memory");
  return value;
}

TW_DEVICE void storeRelease(unsigned *word, unsigned value) {
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(word), "r"(value)
               : "memory");
}

/// Adds at gpu scope and returns the value before.
TW_DEVICE unsigned addAcquireRelease(unsigned *word, unsigned value) {
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(word), "r"(value)
               : "memory");
  return before;
}

/// True for the first caller on this rank.
TW_DEVICE bool claim(unsigned *word) {
  unsigned before;
  asm volatile("atom.relaxed.gpu.global.exch.b32 %0, [%1], 1;"
               : "=r"(before)
               : "l"(word)
               : "memory");
  return before == 0;
}

TW_DEVICE unsigned long long nanoseconds() {
  unsigned long long value;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(value)::"memory");
  return value;
}

TW_DEVICE void pause() { __nanosleep(20); }

/// Block barrier; true when `condition` holds in any thread.
TW_DEVICE bool syncOr(bool condition) { return __syncthreads_or(condition); }

} // namespace tw

#endif // TILEWIRE_DEVICE_CUDA_PRELUDE_CUH
