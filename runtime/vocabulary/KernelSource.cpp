//===- KernelSource.cpp - what the compiler hands to the runtime ----------===//

#include <tilewire/Error.h>
#include <tilewire/KernelSource.h>
#include <tilewire/Tensor.h>

#include <algorithm>

namespace tilewire {

std::string formatExtents(const std::vector<Extent> &extents) {
  std::string text;
  for (const Extent &extent : extents) {
    const std::string value = std::to_string(extent.value);
    text += (text.empty() ? "" : ", ") +
            (extent.isShare ? "share(" + value + ")" : value);
  }
  return "[" + text + "]";
}

bool TensorParameter::hasShare() const {
  return std::ranges::any_of(extents, &Extent::isShare);
}

std::vector<int64_t> TensorParameter::shapeOn(int rank, int numRanks) const {
  std::vector<int64_t> shape;
  for (const Extent &extent : extents)
    shape.push_back(extent.on(rank, numRanks));
  return shape;
}

int64_t TensorParameter::bytesOn(int rank, int numRanks) const {
  const std::string what = "'" + name + "'";
  for (const Extent &extent : extents)
    if (extent.value < 0)
      throw UserError("expected extents of 0 or more for " + what +
                      ", got shape " + formatExtents(extents));
  // What is too large for one rank is refused on all.
  checkedNumElements(shapeOn(0, numRanks), dtype, what);
  return checkedNumElements(shapeOn(rank, numRanks), dtype, what) *
         byteWidth(dtype);
}

std::string TensorParameter::describe() const {
  return formatExtents(extents) + " of " + std::string(tilewire::name(dtype));
}

} // namespace tilewire
