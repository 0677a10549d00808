//===- Tensor.h - device memory with a shape ------------------------------===//
//
// A tensor in a rank's device memory, as programs hold it and launches take it:
// dense and row-major, or a view with strides. Made by World (local) and
// SymmetricHeap (symmetric).
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TENSOR_H
#define TILEWIRE_TENSOR_H

#include <tilewire/DataType.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilewire {

/// Handle to device memory; copies share it and keep it alive.
struct Tensor {
  void *data = nullptr; ///< device address on this rank
  DataType dtype = DataType::F32;
  std::vector<int64_t> shape;
  bool symmetric = false; ///< same offset on every rank of one heap
  /// Bytes from `data` that were allocated: more than the shape has where
  /// another rank's part or another launch's tensor is larger. Counts where it
  /// is more than the shape's bytes.
  int64_t capacity = 0;
  std::shared_ptr<void> owner; ///< keeps the memory alive

  /// Elements from one index to the next of each dimension, where the tensor
  /// is a view of other memory; empty for a dense one.
  std::vector<int64_t> strides = {};

  int64_t numElements() const;
  /// From the first element to the last in memory, both included.
  int64_t numBytes() const;

  /// The same memory with another shape, as large as was allocated. UserError
  /// when that is too small.
  Tensor shaped(std::vector<int64_t> shape) const;
};

/// Elements of a shape; throws UserError naming `what` when an extent is
/// negative or the product exceeds 2^63 - 1 bytes at `dtype`'s width.
int64_t checkedNumElements(const std::vector<int64_t> &shape, DataType dtype,
                           const std::string &what);

/// Elements from the first to the last in memory; strides are empty for a dense
/// tensor. Throws as `checkedNumElements` does, and when strides are negative
/// or not one for each dimension.
int64_t checkedSpan(const std::vector<int64_t> &shape,
                    const std::vector<int64_t> &strides, DataType dtype,
                    const std::string &what);

/// Whether tensors of this shape have each element at the same place; strides
/// are empty for a dense one.
bool areSameStrides(const std::vector<int64_t> &shape,
                    const std::vector<int64_t> &strides,
                    const std::vector<int64_t> &others);

/// "[2, 32, 2048, 128]".
std::string formatShape(const std::vector<int64_t> &shape);

} // namespace tilewire

#endif // TILEWIRE_TENSOR_H
