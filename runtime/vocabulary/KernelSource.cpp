//===- KernelSource.cpp - what the compiler hands to the runtime ----------===//

#include <tilewire/Error.h>
#include <tilewire/KernelSource.h>
#include <tilewire/Tensor.h>

#include <algorithm>

namespace tilewire {

std::string formatExtents(const std::vector<Extent> &extents) {
  std::string text;
  for (const Extent &extent : extents) {
    const std::string value = extent.parameter.empty()
                                  ? std::to_string(extent.value)
                                  : extent.parameter;
    text += (text.empty() ? "" : ", ") +
            (extent.isShare ? "share(" + value + ")" : value);
  }
  return "[" + text + "]";
}

std::string formatBounds(const std::vector<Extent> &extents) {
  std::vector<std::string> seen;
  std::string text;
  for (const Extent &extent : extents) {
    if (extent.parameter.empty() ||
        std::ranges::find(seen, extent.parameter) != seen.end())
      continue;
    seen.push_back(extent.parameter);
    text += ", " + extent.parameter + " <= " + std::to_string(extent.value);
  }
  return text;
}

bool TensorParameter::hasShare() const {
  return std::ranges::any_of(extents, &Extent::isShare);
}

bool TensorParameter::hasRunTimeExtent() const {
  return std::ranges::any_of(
      extents, [](const Extent &extent) { return !extent.parameter.empty(); });
}

TensorParameter TensorParameter::at(const LaunchValues &values) const {
  TensorParameter tensor = *this;
  for (Extent &extent : tensor.extents) {
    if (extent.parameter.empty())
      continue;
    const auto given =
        std::ranges::find(values, extent.parameter, &LaunchValue::name);
    if (given == values.end())
      throw UserError("expected a value of '" + extent.parameter +
                      "', an extent of '" + name + "', got none");
    if (given->value < 0 || given->value > extent.value)
      throw UserError("expected 0 to " + std::to_string(extent.value) +
                      " for '" + extent.parameter + "', an extent of '" + name +
                      "', got " + std::to_string(given->value));
    extent.value = given->value;
    extent.parameter.clear();
  }
  return tensor;
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
                      ", got shape " + formatExtents(extents) +
                      formatBounds(extents));
  // What is too large for one rank is refused on all.
  checkedSpan(shapeOn(0, numRanks), strides, dtype, what);
  return checkedSpan(shapeOn(rank, numRanks), strides, dtype, what) *
         byteWidth(dtype);
}

std::string TensorParameter::describe() const {
  return formatExtents(extents) + " of " + std::string(tilewire::name(dtype)) +
         (strides.empty() ? "" : ", strides " + formatShape(strides)) +
         formatBounds(extents);
}

} // namespace tilewire
