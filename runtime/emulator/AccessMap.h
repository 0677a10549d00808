//===- AccessMap.h - what one launch may touch ----------------------------===//
//
// The tensors of a launch as spans of addresses: local ones here, symmetric
// ones on every rank. Finds the span of an access, and words the error for one
// that has none. Knows no threads.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_EMULATOR_ACCESSMAP_H
#define TILEWIRE_RUNTIME_EMULATOR_ACCESSMAP_H

#include "runtime/Device.h"
#include "runtime/device/emulator/Hooks.h"

#include <string>
#include <vector>

namespace tilewire::emulator {

class AccessMap {
public:
  /// `arguments` are the tensors for `parameters`, in order. UserError when a
  /// symmetric one is not within this rank's heap of `heapBytes`.
  AccessMap(const std::vector<TensorParameter> &parameters,
            const std::vector<LaunchArgument> &arguments,
            const tw::World &table, int64_t heapBytes);

  /// The span that holds an aligned access; null when none does.
  const tw::emulator::Span *find(tw::emulator::Address address,
                                 unsigned width) const;

  /// "bytes [16, 20) of tensor 'dst' of rank 2".
  std::string describe(tw::emulator::Address address, unsigned width) const;

  /// Says what `access` ("a store") should have been and where it went.
  std::string explain(const char *access, tw::emulator::Address address,
                      unsigned width) const;

  /// The same for an element too far from a tensor to have an address.
  std::string explainOffset(tw::emulator::Address tensor, long offset) const;

private:
  struct Region {
    tw::emulator::Span span;
    std::string what; ///< "'dst' of rank 2"
  };
  const Region *nearest(tw::emulator::Address address) const;

  std::vector<Region> regions;
};

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_ACCESSMAP_H
