//===- Tensor.cpp - device memory with a shape ----------------------------===//

#include <tilewire/Error.h>
#include <tilewire/Tensor.h>

#include <algorithm>
#include <limits>

namespace tilewire {

int64_t Tensor::numElements() const {
  return checkedNumElements(shape, dtype, "tensor");
}

int64_t Tensor::numBytes() const { return numElements() * byteWidth(dtype); }

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

std::string formatShape(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + "]";
}

} // namespace tilewire
