//===- Tensor.cpp - device memory with a shape ----------------------------===//

#include <tilewire/Error.h>
#include <tilewire/Tensor.h>

#include <algorithm>
#include <limits>

namespace tilewire {

int64_t Tensor::numElements() const {
  return checkedNumElements(shape, dtype, "tensor");
}

int64_t Tensor::numBytes() const {
  return checkedSpan(shape, strides, dtype, "tensor") * byteWidth(dtype);
}

Tensor Tensor::shaped(std::vector<int64_t> shape) const {
  Tensor tensor = *this;
  tensor.capacity = std::max(capacity, numBytes());
  tensor.shape = std::move(shape);
  if (tensor.numBytes() > tensor.capacity)
    throw UserError("expected memory of " + std::to_string(tensor.numBytes()) +
                    " bytes for a tensor " + formatShape(tensor.shape) +
                    " of " + std::string(name(dtype)) + ", got " +
                    std::to_string(tensor.capacity) +
                    "; allocate it as large as it will be");
  return tensor;
}

int64_t checkedNumElements(const std::vector<int64_t> &shape, DataType dtype,
                           const std::string &what) {
  // First, because an empty tensor has an element type too.
  const int64_t limit = std::numeric_limits<int64_t>::max() / byteWidth(dtype);
  bool isEmpty = false;
  for (int64_t extent : shape) {
    if (extent < 0)
      throw UserError("expected extents of 0 or more for " + what +
                      ", got shape " + formatShape(shape));
    isEmpty = isEmpty || extent == 0;
  }
  if (isEmpty)
    return 0;
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent > limit / count)
      throw UserError("expected at most 2^63 - 1 bytes for " + what +
                      ", got shape " + formatShape(shape) + " of " +
                      std::string(name(dtype)));
    count *= extent;
  }
  return count;
}

int64_t checkedSpan(const std::vector<int64_t> &shape,
                    const std::vector<int64_t> &strides, DataType dtype,
                    const std::string &what) {
  const int64_t count = checkedNumElements(shape, dtype, what);
  if (strides.empty())
    return count;
  if (strides.size() != shape.size() ||
      std::ranges::any_of(strides, [](int64_t stride) { return stride < 0; }))
    throw UserError("expected strides of 0 or more for " + what +
                    ", one for each of " + std::to_string(shape.size()) +
                    " dimensions, got " + formatShape(strides));
  if (count == 0)
    return 0;
  const int64_t limit = std::numeric_limits<int64_t>::max() / byteWidth(dtype);
  int64_t last = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    const int64_t steps = shape[dim] - 1;
    if (steps > 0 && strides[dim] > (limit - 1 - last) / steps)
      throw UserError("expected at most 2^63 - 1 bytes for " + what +
                      ", got shape " + formatShape(shape) + " of " +
                      std::string(name(dtype)) + " with strides " +
                      formatShape(strides));
    last += steps * strides[dim];
  }
  return last + 1;
}

namespace {

/// Those of a dense tensor, for none. Wraps where no tensor would be.
std::vector<int64_t> writtenOut(const std::vector<int64_t> &shape,
                                const std::vector<int64_t> &strides) {
  if (!strides.empty())
    return strides;
  std::vector<int64_t> dense(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    dense[dim - 1] = int64_t(uint64_t(dense[dim]) * uint64_t(shape[dim]));
  return dense;
}

} // namespace

bool areSameStrides(const std::vector<int64_t> &shape,
                    const std::vector<int64_t> &strides,
                    const std::vector<int64_t> &others) {
  if (strides.empty() && others.empty())
    return true;
  const auto lhs = writtenOut(shape, strides), rhs = writtenOut(shape, others);
  if (lhs.size() != shape.size() || rhs.size() != shape.size())
    return false;
  if (std::ranges::find(shape, 0) != shape.end())
    return true;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (shape[dim] > 1 && lhs[dim] != rhs[dim])
      return false;
  return true;
}

std::string formatShape(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + "]";
}

} // namespace tilewire
