//===- Elements.h - what kernels move -------------------------------------===//
//
// Elements and vectors of them, the same for NVRTC and the emulator's host
// compiler. Stands before the preludes in the joined header; includes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DEVICE_ELEMENTS_H
#define TILEWIRE_DEVICE_ELEMENTS_H

namespace tw {

// Elements by width: a move does not care what the bits mean.
using b8 = unsigned char;
using b16 = unsigned short;
using b32 = unsigned int;
using b64 = unsigned long long;

/// `count` consecutive elements, moved by one access.
template <typename T, int count> struct alignas(sizeof(T) * count) Vector {
  T elements[count];
};

} // namespace tw

#endif // TILEWIRE_DEVICE_ELEMENTS_H
