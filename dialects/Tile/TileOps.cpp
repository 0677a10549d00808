//===- TileOps.cpp - the ops within a kernel ------------------------------===//
//
// Verifiers and folds. "C1" and so on are the numbered constraints of Tile.td.
//
//===----------------------------------------------------------------------===//

#include "dialects/KernelSyntax.h"
#include "dialects/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewire;
using namespace tilewire::tile;

#define GET_OP_CLASSES
#include "dialects/Tile/TileOps.cpp.inc"

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// Who am I, and meeting
//===----------------------------------------------------------------------===//

namespace {

LogicalResult verifyBlockLevel(Operation *op) {
  auto kernel = op->getParentOfType<KernelOp>();
  if (!kernel || !kernel.isBlockLevel())
    return op->emitOpError() << "expected a kernel with a grid around it";
  return success();
}

} // namespace

OpFoldResult NumRanksOp::fold(FoldAdaptor) {
  if (auto kernel = (*this)->getParentOfType<KernelOp>())
    return IntegerAttr::get(getType(), kernel.getNumRanks());
  return {};
}

LogicalResult ParameterOp::verify() {
  // C1
  if (mostOfParameter(*this, getNameAttr()))
    return success();
  return emitOpError() << "expected a parameter that the kernel declares, got "
                       << getNameAttr();
}

LogicalResult BlockIndexOp::verify() {
  // C1
  if (failed(verifyBlockLevel(*this)))
    return failure();
  const int64_t axes = (*this)->getParentOfType<KernelOp>().getGrid()->size();
  const int64_t axis = getAxis();
  if (axis < 0 || axis >= axes)
    return emitOpError() << "expected an axis from 0 to " << axes - 1
                         << " (because the grid has " << axes << "), got "
                         << axis;
  return success();
}

LogicalResult ThreadIndexOp::verify() {
  // C1
  return verifyBlockLevel(*this);
}

LogicalResult SyncOp::verify() {
  // C1
  return verifyBlockLevel(*this);
}

//===----------------------------------------------------------------------===//
// Shares
//===----------------------------------------------------------------------===//

namespace {

/// The partition of a constant total; nothing for any other. It may make no
/// sense yet: verifiers come later.
std::optional<Partition> constantPartition(Operation *op, Attribute total) {
  auto count = dyn_cast_or_null<IntegerAttr>(total);
  auto kernel = op->getParentOfType<KernelOp>();
  if (!count || !kernel || count.getInt() < 0 || kernel.getNumRanks() < 1 ||
      kernel.getNumRanks() > maxRanks)
    return std::nullopt;
  return Partition{count.getInt(), int(kernel.getNumRanks())};
}

/// A constant rank of the partition's.
std::optional<int> constantRank(const Partition &partition, Attribute rank) {
  auto number = dyn_cast_or_null<IntegerAttr>(rank);
  if (!number || number.getInt() < 0 || number.getInt() >= partition.numRanks)
    return std::nullopt;
  return int(number.getInt());
}

} // namespace

namespace {

LogicalResult verifyShare(Operation *op, Value total, Value rank) {
  // C1
  if (auto count = getConstantIntValue(total); count && *count < 0)
    return op->emitOpError()
           << "expected a total of at least 0, got " << *count;
  // C2
  const int64_t numRanks = numRanksAround(op);
  if (auto number = getConstantIntValue(rank);
      number && (*number < 0 || *number >= numRanks))
    return op->emitOpError() << "expected a rank from 0 to " << numRanks - 1
                             << " (because the kernel has " << numRanks
                             << " ranks), got " << *number;
  return success();
}

} // namespace

LogicalResult ShareSizeOp::verify() {
  return verifyShare(*this, getTotal(), getRank());
}

LogicalResult ShareBeginOp::verify() {
  return verifyShare(*this, getTotal(), getRank());
}

OpFoldResult ShareSizeOp::fold(FoldAdaptor adaptor) {
  const auto partition = constantPartition(*this, adaptor.getTotal());
  if (!partition)
    return {};
  const auto rank = constantRank(*partition, adaptor.getRank());
  if (!rank && !partition->isEven())
    return {};
  return IntegerAttr::get(getType(), partition->size(rank.value_or(0)));
}

OpFoldResult ShareBeginOp::fold(FoldAdaptor adaptor) {
  const auto partition = constantPartition(*this, adaptor.getTotal());
  if (!partition)
    return {};
  const auto rank = constantRank(*partition, adaptor.getRank());
  if (!rank && partition->total != 0)
    return {};
  return IntegerAttr::get(getType(), partition->begin(rank.value_or(0)));
}

/// Of an even partition it is a multiple of the rank.
LogicalResult ShareBeginOp::canonicalize(ShareBeginOp op,
                                         PatternRewriter &rewriter) {
  IntegerAttr total;
  if (!matchPattern(op.getTotal(), m_Constant(&total)))
    return failure();
  const auto partition = constantPartition(op, total);
  if (!partition || !partition->isEven())
    return failure();
  Value size = arith::ConstantIndexOp::create(rewriter, op.getLoc(),
                                              partition->maxSize());
  rewriter.replaceOpWithNewOp<arith::MulIOp>(op, op.getRank(), size);
  return success();
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

namespace {

/// Sizes that are computed are compared where more is known of them.
LogicalResult verifyEqualTiles(Operation *op, TileType source,
                               TileType destination) {
  const bool mayBeEqual =
      source.getShape().size() == destination.getShape().size() &&
      llvm::all_of_zip(source.getShape(), destination.getShape(),
                       [](int64_t lhs, int64_t rhs) {
                         return lhs == rhs || ShapedType::isDynamic(lhs) ||
                                ShapedType::isDynamic(rhs);
                       });
  if (!mayBeEqual || source.getElementType() != destination.getElementType())
    return op->emitOpError()
           << "expected source and destination of equal shape and element "
              "type, got "
           << source << " and " << destination;
  return success();
}

LogicalResult verifySymmetric(Operation *op, TileType destination) {
  if (!destination.getSymmetric())
    return op->emitOpError()
           << "expected a symmetric destination (because a peer is written "
              "to), got "
           << destination << "; make its tensor with symmetricTensor";
  return success();
}

} // namespace

namespace {

/// Threads, blocks and ranks write in any order: never two values to one place.
LogicalResult verifyDistinct(Operation *op, Value written) {
  auto tensor = dyn_cast_if_present<BlockArgument>(tensorOf(written));
  auto type = tensor ? dyn_cast<tile::TensorType>(tensor.getType())
                     : tile::TensorType();
  if (!type || type.hasDistinctElements(numRanksAround(op)))
    return success();
  return op->emitOpError()
         << "expected a destination whose strides put no two indices at one "
            "place (because it is written), got "
         << type;
}

} // namespace

LogicalResult PutBlockOp::verify() {
  // C7
  if (failed(verifyDistinct(*this, getDestination())))
    return failure();
  // C1, C2, C4; the kernel checks C5
  if (failed(verifyEqualTiles(*this, getSource().getType(),
                              getDestination().getType())) ||
      failed(verifySymmetric(*this, getDestination().getType())) ||
      failed(verifyBlockLevel(*this)))
    return failure();
  // C3
  APInt peer;
  const int64_t numRanks = (*this)->getParentOfType<KernelOp>().getNumRanks();
  if (matchPattern(getPeer(), m_ConstantInt(&peer)) &&
      (peer.isNegative() || peer.sge(numRanks)))
    return emitOpError() << "expected a peer from 0 to " << numRanks - 1
                         << " (because the kernel has " << numRanks
                         << " ranks), got " << peer.getSExtValue();
  return success();
}

LogicalResult CopyOp::verify() {
  // C1, C2, C5; the kernel checks C3
  return failure(failed(verifyDistinct(*this, getDestination())) ||
                 failed(verifyEqualTiles(*this, getSource().getType(),
                                         getDestination().getType())) ||
                 failed(verifyBlockLevel(*this)));
}

YieldOp PutGridOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

LogicalResult PutGridOp::verifyRegions() {
  // C3
  auto kernel = dyn_cast<KernelOp>((*this)->getParentOp());
  if (!kernel || kernel.isBlockLevel())
    return emitOpError() << "expected to stand directly in the body of a "
                            "kernel without a grid";
  // C4
  if (getBody().getNumArguments() != 1 ||
      !getBody().getArgument(0).getType().isIndex())
    return emitOpError() << "expected a region of one index argument, the "
                            "peer, got ("
                         << getBody().getArgumentTypes() << ")";
  for (Operation &op : getBody().front())
    if (!isPure(&op) && !isa<CheckOp>(op))
      return op.emitOpError() << "expected only ops without effects "
                                 "(because this is the region of a "
                                 "tile.put_grid)";
  // C1, C2
  YieldOp yield = getYield();
  // C6 too
  return failure(
      failed(verifyDistinct(*this, yield.getDestination())) ||
      failed(verifyEqualTiles(*this, yield.getSource().getType(),
                              yield.getDestination().getType())) ||
      failed(verifySymmetric(*this, yield.getDestination().getType())));
}

ParseResult PutGridOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::Argument peer;
  peer.type = parser.getBuilder().getIndexType();
  if (parser.parseArgument(peer))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("plan"))) {
    PlanAttr plan;
    if (parser.parseCustomAttributeWithFallback(plan, Type(), "plan",
                                                result.attributes))
      return failure();
  }
  return failure(parser.parseRegion(*result.addRegion(), {peer}) ||
                 parser.parseOptionalAttrDict(result.attributes) ||
                 tilewire::checkOwnAttributes(parser, result));
}

void PutGridOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printRegionArgument(getBody().getArgument(0), {}, /*omitType=*/true);
  if (getPlan()) {
    printer << " plan ";
    printer.printStrippedAttrOrType(*getPlan());
  }
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs(), {"plan"});
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

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
