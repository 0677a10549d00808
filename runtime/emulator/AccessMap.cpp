//===- AccessMap.cpp - what one launch may touch --------------------------===//

#include "runtime/emulator/AccessMap.h"

#include <tilewire/Error.h>

namespace tilewire::emulator {

using tw::emulator::Address;
using tw::emulator::Span;

namespace {

Address addressOf(const void *data) { return reinterpret_cast<Address>(data); }

/// Bytes between an address and a span; 0 inside.
Address distance(const Span &span, Address address) {
  if (address < span.begin)
    return span.begin - address;
  const Address end = span.begin + span.bytes;
  return address < end ? 0 : address - end;
}

/// Bytes of a symmetric tensor on `rank`, whose part may not be the largest.
Address bytesOn(const TensorParameter &parameter,
                const LaunchArgument &argument, unsigned rank,
                const tw::World &table) {
  return Address(parameter.hasShare()
                     ? parameter.bytesOn(int(rank), int(table.numRanks))
                     : argument.bytes);
}

} // namespace

AccessMap::AccessMap(const std::vector<TensorParameter> &parameters,
                     const std::vector<LaunchArgument> &arguments,
                     const tw::World &table, int64_t heapBytes) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const LaunchArgument &argument = arguments[i];
    const std::string name = "'" + parameters[i].name + "'";
    const Address begin = addressOf(argument.data);
    const Address bytes = Address(argument.bytes);
    if (!argument.symmetric) {
      regions.push_back({{begin, bytes}, name});
      continue;
    }
    const Span heap = {addressOf(table.bases[table.rank]), Address(heapBytes)};
    if (bytes > 0 && !heap.holds(begin, 1))
      throw UserError("expected symmetric tensor " + name +
                      " within this rank's symmetric heap, got an address "
                      "outside; allocate it from the heap of the launch");
    const Address offset = begin - heap.begin;
    if (bytes > 0 && heap.bytes - offset < bytes)
      throw UserError(
          "expected symmetric tensor " + name + " to end within the heap of " +
          std::to_string(heapBytes) + " bytes, got bytes [" +
          std::to_string(offset) + ", " + std::to_string(offset + bytes) + ")");
    for (unsigned rank = 0; rank < table.numRanks; ++rank)
      regions.push_back({{addressOf(table.bases[rank]) + offset,
                          bytesOn(parameters[i], argument, rank, table)},
                         name + " of rank " + std::to_string(rank)});
  }
}

const Span *AccessMap::find(Address address, unsigned width) const {
  // Few regions, and tensors may overlap: look at each.
  for (const Region &region : regions)
    if (region.span.holds(address, width))
      return &region.span;
  return nullptr;
}

const AccessMap::Region *AccessMap::nearest(Address address) const {
  const Region *best = nullptr;
  for (const Region &region : regions)
    if (!best || distance(region.span, address) < distance(best->span, address))
      best = &region;
  return best;
}

std::string AccessMap::describe(Address address, unsigned width) const {
  const Region *region = nearest(address);
  if (!region)
    return std::to_string(width) + " bytes of no tensor";
  const long first = long(address - region->span.begin);
  return "bytes [" + std::to_string(first) + ", " +
         std::to_string(first + long(width)) + ") of tensor " + region->what;
}

std::string AccessMap::explain(const char *access, Address address,
                               unsigned width) const {
  const std::string wide = std::to_string(width);
  const Region *region = nearest(address);
  if (!region)
    return std::string("expected no access to tensors, as the kernel has "
                       "none, got ") +
           access + " of " + wide + " bytes";
  // Signed, as an access may lie before the tensor.
  const long first = long(address - region->span.begin);
  return std::string("expected ") + access + " of " + wide +
         " bytes at a multiple of " + wide + " within the " +
         std::to_string(region->span.bytes) + " bytes of tensor " +
         region->what + ", got bytes [" + std::to_string(first) + ", " +
         std::to_string(first + long(width)) +
         ") of it; check the offsets that the program computes";
}

std::string AccessMap::explainOffset(Address tensor, long offset) const {
  const Region *region = nearest(tensor);
  if (!region)
    return "expected no access to tensors, as the kernel has none, got "
           "element " +
           std::to_string(offset) + " of one";
  return "expected an access within the " + std::to_string(region->span.bytes) +
         " bytes of tensor " + region->what + ", got element " +
         std::to_string(offset) +
         " of it; check the offsets that the program computes";
}

} // namespace tilewire::emulator
