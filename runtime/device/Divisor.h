//===- Divisor.h - divisions by what is known when a kernel runs ----------===//
//
// For generated text, the same for NVRTC and the emulator's host compiler.
// Stands after the preludes in the joined header; includes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DEVICE_DIVISOR_H
#define TILEWIRE_DEVICE_DIVISOR_H

namespace tw {

/// Divides numbers below 2^31 by one that is known only when the kernel runs,
/// at the cost of a multiplication: n / d is n * m >> s for m = ceil(2^s / d)
/// and s = 31 + ceil(log2 d), as n * (m * d - 2^s) < 2^s. By 0 nothing is
/// divided.
struct Divisor {
  unsigned divisor, factor, shift;

  TW_DEVICE explicit Divisor(unsigned number) : divisor(number), shift(31) {
    while (shift < 63 && (1ull << (shift - 31)) < number)
      ++shift;
    const unsigned long long whole = 1ull << shift;
    factor = unsigned((whole + number - 1) / (number == 0 ? 1 : number));
  }
};
TW_DEVICE unsigned operator/(unsigned number, const Divisor &by) {
  return unsigned((unsigned long long)number * by.factor >> by.shift);
}
TW_DEVICE unsigned operator%(unsigned number, const Divisor &by) {
  return number - number / by * by.divisor;
}

} // namespace tw

#endif // TILEWIRE_DEVICE_DIVISOR_H
