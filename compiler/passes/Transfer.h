//===- Transfer.h - a transfer as loops over memory -----------------------===//
//
// What moving one slice onto another means in sizes and strides, for the pass
// that plans it and the pass that lowers it. Holds no plan.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_PASSES_TRANSFER_H
#define TILEWIRE_COMPILER_PASSES_TRANSFER_H

#include "compiler/passes/Counts.h"

#include <string>

namespace tilewire {

/// One loop of a transfer, strides in elements.
struct TransferDim {
  Count size;
  Count sourceStride;
  Count destinationStride;
  std::string name; ///< of the destination's dimensions, e.g. "s" or "s_d"
};

/// A transfer: its loops from the slowest to the fastest, without those of one
/// step, and with neighbours that walk memory as one joined.
struct Transfer {
  tile::SliceOp source;
  tile::SliceOp destination;
  llvm::SmallVector<TransferDim, 4> dims;
  unsigned elementBits;
  int64_t numRanks;

  /// The steps in which threads walk loop `number`. Vectors are numbered by
  /// them, and divided by those of all loops but the slowest: a share, of which
  /// some ranks have one step less, is walked as if none had.
  Count walked(size_t number) const;
  /// Whether some steps walked are none of the loop's.
  bool isPadded(size_t number) const;
  /// The elements walked, and the most of them on any rank.
  Count numElements() const;
  Count mostElements() const;

  /// Whether the steps walked of all loops but the slowest are constants.
  bool hasConstantDivisors() const;
  /// Whether every size and stride is a constant.
  bool isConstant() const;

  /// The widest vector, in elements and at most 16 bytes, that extents,
  /// strides and offsets allow on both sides.
  int64_t widestVector() const;
};

/// Describes moving tile `source` onto tile `destination` of rank `peer` (null
/// for this one), walked in `order`. A failure, with a diagnostic at the
/// transfer `op`, when one is no slice.
mlir::FailureOr<Transfer> describeTransfer(mlir::Operation *op,
                                           mlir::Value source,
                                           mlir::Value destination,
                                           tile::Order order, mlir::Value peer);

/// A failure, with a diagnostic at the transfer `op`, when the vector of `plan`
/// is not one that `transfer` allows.
llvm::LogicalResult checkPlan(mlir::Operation *op, const Transfer &transfer,
                              tile::PlanAttr plan);

/// Sizes and strides in which a transfer's threads walk one side: equal walks
/// of equal slices, in vectors of equal width, take each element to the same
/// thread.
using Walk = llvm::SmallVector<std::pair<Count, Count>, 4>;
Walk sourceWalk(const Transfer &transfer);
Walk destinationWalk(const Transfer &transfer);

} // namespace tilewire

#endif // TILEWIRE_COMPILER_PASSES_TRANSFER_H
