//===- Races.h - accesses of a block that no barrier orders ---------------===//
//
// What the threads of one block have loaded and stored since they last met, by
// byte. Two accesses of one byte by two threads, one of them a store, are a
// race in whatever order they happened to run. Knows no tensors and no other
// block.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_EMULATOR_RACES_H
#define TILEWIRE_RUNTIME_EMULATOR_RACES_H

#include "runtime/device/emulator/Hooks.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace tilewire::emulator {

class Races {
public:
  /// An earlier access, of another thread.
  struct Access {
    unsigned thread;
    bool isStore;
  };

  /// Notes an access of `width` bytes. Returns one that it races with.
  std::optional<Access> load(unsigned thread, tw::emulator::Address address,
                             unsigned width);
  std::optional<Access> store(unsigned thread, tw::emulator::Address address,
                              unsigned width);

  /// All threads of the block have met at a barrier.
  void meet() { ++meetings; }

private:
  /// The last accesses of one byte, each with the number of meetings before it.
  struct Byte {
    uint32_t storedAt = 0, loadedAt = 0;
    uint16_t storer = 0;
    uint16_t loaders[2] = {0, 0}; ///< two of them, where they differ
  };
  static constexpr unsigned bytesPerPage = 64;

  Byte &at(tw::emulator::Address address) {
    return pages[address / bytesPerPage][address % bytesPerPage];
  }

  uint32_t meetings = 1;
  std::unordered_map<tw::emulator::Address, std::array<Byte, bytesPerPage>>
      pages;
};

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_RACES_H
