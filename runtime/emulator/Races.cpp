//===- Races.cpp - accesses of a block that no barrier orders -------------===//

#include "runtime/emulator/Races.h"

namespace tilewire::emulator {

using tw::emulator::Address;

std::optional<Races::Access> Races::load(unsigned thread, Address address,
                                         unsigned width) {
  for (Address end = address + width; address < end; ++address) {
    Byte &byte = at(address);
    if (byte.storedAt == meetings && byte.storer != thread)
      return Access{byte.storer, /*isStore=*/true};
    const uint16_t loader = uint16_t(thread);
    if (byte.loadedAt != meetings)
      byte.loaders[0] = byte.loaders[1] = loader;
    else if (byte.loaders[0] != loader)
      byte.loaders[1] = loader;
    byte.loadedAt = meetings;
  }
  return std::nullopt;
}

std::optional<Races::Access> Races::store(unsigned thread, Address address,
                                          unsigned width) {
  for (Address end = address + width; address < end; ++address) {
    Byte &byte = at(address);
    if (byte.storedAt == meetings && byte.storer != thread)
      return Access{byte.storer, /*isStore=*/true};
    if (byte.loadedAt == meetings)
      for (uint16_t loader : byte.loaders)
        if (loader != thread)
          return Access{loader, /*isStore=*/false};
    byte.storer = uint16_t(thread);
    byte.storedAt = meetings;
  }
  return std::nullopt;
}

} // namespace tilewire::emulator
