//===- TileCollectives.cpp - collectives: what fits together --------------===//
//
// Verifiers. "C1" and so on are the numbered constraints of TileTransfers.td.
//
//===----------------------------------------------------------------------===//

#include "dialects/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewire;
using namespace tilewire::tile;

namespace {

/// Whether every rank has as many elements along the one as along the other.
bool areAlike(TensorExtent lhs, TensorExtent rhs, int64_t numRanks) {
  const std::optional<int64_t> count = lhs.onEvery(numRanks);
  return lhs == rhs || (count && count == rhs.onEvery(numRanks));
}

/// What every rank knows of how far an operand extends on every other (C9).
FailureOr<SmallVector<TensorExtent>> knownExtents(AllToAllOp op, Value view,
                                                  StringRef what) {
  if (!tensorOf(view))
    return op.emitOpError() << "expected " << what
                            << " that is an argument of the kernel, or made "
                               "from one by at most "
                            << maxViews << " slices and transposes";
  SmallVector<TensorExtent> extents;
  for (auto [dim, extent] : llvm::enumerate(extentsOf(view))) {
    if (!extent)
      return op.emitOpError()
             << "expected size " << dim << " of " << what
             << " to be a number or parameter, or this rank's share of one "
                "(because every "
                "rank must know it of every other), got a computed one";
    extents.push_back(*extent);
  }
  return extents;
}

/// Extents after an all-to-all: in the source's order, of a source whose
/// dimensions but `gather` are as long on every rank.
FailureOr<SmallVector<TensorExtent>>
extentsAfter(AllToAllOp op, ArrayRef<TensorExtent> source, int64_t numRanks) {
  SmallVector<TensorExtent> after;
  for (auto [number, extent] : llvm::enumerate(source)) {
    const int64_t dim = number;
    if (dim == int64_t(op.getGather())) {
      TensorExtent whole{extent.count, /*isShare=*/false, extent.parameter};
      if (extent.parameter && !extent.isShare)
        return op.emitOpError()
               << "expected a share or a number along 'gather' (because the "
                  "ranks' parts make the whole), got "
               << formatExtents(source);
      if (!extent.isShare &&
          llvm::MulOverflow(extent.count, numRanks, whole.count))
        return op.emitOpError()
               << "expected an extent along 'gather' below 2^63 / " << numRanks
               << " ranks, got " << extent.count;
      after.push_back(whole);
      continue;
    }
    if (!extent.isAlike(numRanks))
      return op.emitOpError()
             << "expected as much of dimension " << dim
             << " on every rank (because only 'gather' is cut before), got "
             << formatExtents(source);
    const int64_t count = extent.most(numRanks);
    if (dim == int64_t(op.getScatter()) && op.getReplicas() != 1)
      after.push_back({count / op.numParts(numRanks)});
    else
      after.push_back({count, /*isShare=*/dim == int64_t(op.getScatter()),
                       extent.parameter});
  }
  return after;
}

/// C11.
LogicalResult verifyReplicas(AllToAllOp op, ArrayRef<TensorExtent> source,
                             int64_t numRanks) {
  const int64_t replicas = op.getReplicas();
  if (replicas == 1)
    return success();
  if (replicas < 1 || numRanks % replicas != 0)
    return op.emitOpError()
           << "expected 'replicas' to be at least 1 and to divide " << numRanks
           << " ranks, got " << replicas;
  const auto count = source[op.getScatter()].onEvery(numRanks);
  if (!count || *count % op.numParts(numRanks) != 0)
    return op.emitOpError()
           << "expected a number along 'scatter' that is a multiple of "
           << op.numParts(numRanks) << " (because " << numRanks
           << " ranks with " << replicas << " replicas get equal parts), got "
           << formatExtents(source);
  return success();
}

/// C3, C4, C11, and C9's sizes.
LogicalResult verifyOperands(AllToAllOp op, int64_t numRanks) {
  const auto source = knownExtents(op, op.getSource(), "a source");
  const auto destination =
      knownExtents(op, op.getDestination(), "a destination");
  if (failed(source) || failed(destination) ||
      failed(verifyReplicas(op, *source, numRanks)))
    return failure();
  const auto after = extentsAfter(op, *source, numRanks);
  if (failed(after))
    return failure();
  SmallVector<TensorExtent> expected;
  for (int64_t dim : op.getPermutation())
    expected.push_back((*after)[dim]);
  if (destination->size() == expected.size() &&
      llvm::all_of_zip(*destination, expected,
                       [&](TensorExtent lhs, TensorExtent rhs) {
                         return areAlike(lhs, rhs, numRanks);
                       }))
    return success();
  return op.emitOpError() << "expected destination " << formatExtents(expected)
                          << " (based on source " << formatExtents(*source)
                          << " and " << numRanks << " ranks), got "
                          << formatExtents(*destination);
}

/// C9: the offsets of all slices that a destination is made by.
LogicalResult verifyConstantOffsets(AllToAllOp op) {
  for (Operation *view = op.getDestination().getDefiningOp(); view;
       view = view->getOperand(0).getDefiningOp()) {
    auto slice = dyn_cast<SliceOp>(view);
    if (slice &&
        !llvm::all_of(slice.getMixedOffsets(), [](OpFoldResult offset) {
          return getConstantIntValue(offset).has_value();
        }))
      return op.emitOpError() << "expected a destination of constant offsets "
                                 "(because peers write to it), got a computed "
                                 "one";
  }
  return success();
}

/// How many dimensions a tensor or tile has.
int64_t rankOf(Value view) {
  if (auto tensor = dyn_cast<tile::TensorType>(view.getType()))
    return tensor.getRank();
  return cast<TileType>(view.getType()).getShape().size();
}

} // namespace

LogicalResult AllToAllOp::verify() {
  const int64_t rank = rankOf(getSource());
  const int64_t scatter = getScatter(), gather = getGather();
  // C7
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (!kernel || kernel.isBlockLevel())
    return emitOpError() << "expected a kernel without a grid around it";
  // C1
  if (scatter == gather || scatter < 0 || gather < 0 || scatter >= rank ||
      gather >= rank)
    return emitOpError() << "expected 'scatter' and 'gather' to be two "
                            "different dimensions from 0 to "
                         << rank - 1 << ", got " << scatter << " and "
                         << gather;
  // C2
  if (!isPermutation(getPermutation(), rank))
    return emitOpError() << "expected a permutation of " << rank
                         << " dimensions, got [" << getPermutation() << "]";
  // C3, C4, C9, C11
  if (failed(verifyOperands(*this, kernel.getNumRanks())) ||
      failed(verifyConstantOffsets(*this)))
    return failure();
  // C5
  const Type source = getSource().getType();
  const Type destination = getDestination().getType();
  if (elementTypeOf(source) != elementTypeOf(destination))
    return emitOpError() << "expected equal element types, got "
                         << elementTypeOf(source) << " and "
                         << elementTypeOf(destination);
  // C6
  if (!isSymmetric(destination))
    return emitOpError() << "expected a symmetric destination (because every "
                            "rank writes to it), got "
                         << destination << "; make it with symmetricTensor";
  // C10
  if (failed(verifyDistinct(*this, getDestination())))
    return failure();
  // C8
  Value read = tensorOf(getSource()), written = tensorOf(getDestination());
  if (mayAlias(read, written))
    return emitOpError() << "expected source and destination to be different "
                            "tensors that may not alias (because all ranks "
                            "read and write at the same time), got "
                         << (read == written ? "one tensor as both"
                                             : "two with 'tile.may_alias'");
  return success();
}
