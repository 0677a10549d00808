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

LogicalResult tile::verifyDistinct(Operation *op, Value written) {
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
