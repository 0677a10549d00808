//===- Counts.h - sizes and strides that ranks may differ in --------------===//
//
// Extents, sizes and strides as products of a constant and what is known only
// when the kernel runs: shares of a total, and values of the program. Two that
// look alike are equal, so that dimensions can be joined without arithmetic.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_PASSES_COUNTS_H
#define TILEWIRE_COMPILER_PASSES_COUNTS_H

#include "dialects/Tile/Tile.h"

namespace tilewire {

/// What a count multiplies: an extent that is no constant, or another value of
/// the program.
struct CountTerm {
  std::optional<tile::TensorExtent> extent;
  /// The value; of a share the rank, and null for this one.
  mlir::Value value;
  /// Whether it is the share of rank 0, the largest.
  bool isLargest = false;

  bool isShare() const { return extent && extent->isShare; }
  bool operator==(const CountTerm &other) const = default;
};

/// A number of elements: `factor` times the terms.
struct Count {
  int64_t factor = 1;
  llvm::SmallVector<CountTerm, 1> terms = {};
  int64_t most = 1; ///< a bound

  Count() = default;
  Count(int64_t constant) : factor(constant), most(constant) {}
  Count(CountTerm term, int64_t most);

  bool isConstant() const { return terms.empty(); }
  bool isConstant(int64_t number) const {
    return isConstant() && factor == number;
  }
  /// Whether it is of extents alone, of which one is a share: ranks differ, but
  /// by little.
  bool isOfShares() const;
  /// Whether it is no constant, but does not change while a kernel runs.
  bool isInvariant() const;
  /// The largest on any rank: the same on all.
  Count largest(int64_t numRanks) const;

  bool operator==(const Count &other) const;
};

Count operator*(const Count &lhs, const Count &rhs);

/// The extents that `rank` (null for this one) has of a tensor.
llvm::SmallVector<Count> extentsOn(tile::TensorType tensor, mlir::Value rank,
                                   int64_t numRanks);

/// The strides that `rank` (null for this one) has of a tensor.
llvm::SmallVector<Count> stridesOn(tile::TensorType tensor, mlir::Value rank,
                                   int64_t numRanks);

/// A slice's size along each of the tensor's dimensions.
llvm::SmallVector<Count> sizesOf(tile::SliceOp slice);

/// `extent` as a count of `rank` (null for this one).
Count countOf(const tile::TensorExtent &extent, mlir::Value rank,
              int64_t numRanks);

/// How many of `total` items `rank` owns, and the first of them, in arithmetic
/// of indices; numRanks >= 1.
mlir::Value shareSize(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value total, mlir::Value rank, int64_t numRanks);
mlir::Value shareBegin(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value total, mlir::Value rank, int64_t numRanks);

} // namespace tilewire

#endif // TILEWIRE_COMPILER_PASSES_COUNTS_H
