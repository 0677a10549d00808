//===- Digest.h - short names for long texts ------------------------------===//
//
// FNV-1a hashes, for names of cache entries and rendezvous points and for
// checksums against accidents. Not for anything an attacker may choose.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_DIGEST_H
#define TILEWIRE_RUNTIME_DIGEST_H

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewire {

/// 64-bit FNV-1a.
inline uint64_t checksum(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char byte : text)
    hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

/// 128-bit FNV-1a as 32 hexadecimal digits.
inline std::string digest(std::string_view text) {
  using Word = unsigned __int128;
  constexpr Word prime = (Word(1) << 88) | 0x13b;
  Word hash = (Word(0x6c62272e07bb0142) << 64) | 0x62b821756295c58d;
  for (unsigned char byte : text)
    hash = (hash ^ byte) * prime;
  std::string digits;
  for (int shift = 124; shift >= 0; shift -= 4)
    digits += "0123456789abcdef"[unsigned(hash >> shift) & 0xf];
  return digits;
}

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_DIGEST_H
