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
// Slice and transpose
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> SliceOp::getMixedOffsets() {
  Builder builder(getContext());
  return mlir::getMixedValues(getStaticOffsets(), getOffsets(), builder);
}

SmallVector<int64_t> SliceOp::getPermutationOrIdentity() {
  if (getPermutation())
    return SmallVector<int64_t>(*getPermutation());
  return llvm::to_vector(llvm::seq<int64_t>(0, getSizes().size()));
}

void SliceOp::build(OpBuilder &builder, OperationState &state, Value tensor,
                    ArrayRef<OpFoldResult> offsets, ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> staticOffsets;
  SmallVector<Value> dynamicOffsets;
  dispatchIndexOpFoldResults(offsets, dynamicOffsets, staticOffsets);
  auto type = cast<tile::TensorType>(tensor.getType());
  build(builder, state,
        TileType::get(builder.getContext(), sizes, type.getElementType(),
                      type.getSymmetric()),
        tensor, dynamicOffsets, staticOffsets, sizes, /*permutation=*/nullptr);
}

LogicalResult SliceOp::verify() {
  auto type = cast<tile::TensorType>(getTensor().getType());
  const int64_t rank = type.getRank();
  // C1
  if (int64_t(getStaticOffsets().size()) != rank ||
      int64_t(getSizes().size()) != rank)
    return emitOpError() << "expected " << rank
                         << " offsets and sizes (because the tensor is " << type
                         << "), got " << getStaticOffsets().size() << " and "
                         << getSizes().size();
  const size_t computed =
      llvm::count_if(getStaticOffsets(), ShapedType::isDynamic);
  if (computed != getOffsets().size())
    return emitOpError() << "expected " << getOffsets().size()
                         << " offsets to be computed (because so many operands "
                            "are given), got "
                         << computed << " that are " << ShapedType::kDynamic
                         << ", which says so";
  const SmallVector<OpFoldResult> offsets = getMixedOffsets();
  for (int64_t dim = 0; dim < rank; ++dim) {
    const int64_t extent = type.getDimSize(dim), size = getSizes()[dim];
    // C2
    if (size < 0 || size > extent)
      return emitOpError() << "expected size " << dim << " from 0 to " << extent
                           << " (because the tensor is " << type << "), got "
                           << size;
    // C3
    const std::optional<int64_t> offset = getConstantIntValue(offsets[dim]);
    if (offset && (*offset < 0 || *offset > extent - size))
      return emitOpError() << "expected offset " << dim << " from 0 to "
                           << extent - size << " (because " << size
                           << " elements of " << extent << " are taken), got "
                           << *offset;
  }
  // C4
  if (getPermutation() && !isPermutation(*getPermutation(), rank))
    return emitOpError() << "expected a permutation of " << rank
                         << " dimensions, got [" << *getPermutation() << "]";
  // C5
  auto expected = TileType::get(getContext(),
                                permute(getSizes(), getPermutationOrIdentity()),
                                type.getElementType(), type.getSymmetric());
  if (getTile().getType() != expected)
    return emitOpError() << "expected result " << expected
                         << " (because of sizes, permutation and tensor), got "
                         << getTile().getType();
  // C6
  auto argument = dyn_cast<BlockArgument>(getTensor());
  if (!argument || !isa<KernelOp>(argument.getOwner()->getParentOp()))
    return emitOpError() << "expected an argument of the kernel as the tensor, "
                            "got a computed one";
  return success();
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  // Constant operands become static offsets; one that is out of range stays for
  // the verifier to refuse.
  auto type = cast<tile::TensorType>(getTensor().getType());
  SmallVector<int64_t> staticOffsets(getStaticOffsets());
  SmallVector<Value> dynamicOffsets;
  unsigned operand = 0;
  for (auto [dim, offset] : llvm::enumerate(staticOffsets)) {
    if (!ShapedType::isDynamic(offset))
      continue;
    auto constant =
        dyn_cast_or_null<IntegerAttr>(adaptor.getOffsets()[operand]);
    const int64_t last = type.getDimSize(dim) - getSizes()[dim];
    if (constant && constant.getInt() >= 0 && constant.getInt() <= last)
      offset = constant.getInt();
    else
      dynamicOffsets.push_back(getOffsets()[operand]);
    ++operand;
  }
  if (dynamicOffsets.size() == getOffsets().size())
    return {};
  getOffsetsMutable().assign(dynamicOffsets);
  setStaticOffsets(staticOffsets);
  return getResult();
}

LogicalResult
TransposeOp::inferReturnTypes(MLIRContext *context, std::optional<Location>,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange,
                              SmallVectorImpl<Type> &inferred) {
  auto tile = cast<TileType>(operands.front().getType());
  auto permutation = properties.as<Properties *>()->permutation;
  // An invalid permutation is left to the verifier, which explains it.
  auto shape = isPermutation(permutation, tile.getShape().size())
                   ? permute(tile.getShape(), permutation)
                   : SmallVector<int64_t>(tile.getShape());
  inferred.push_back(TileType::get(context, shape, tile.getElementType(),
                                   tile.getSymmetric()));
  return success();
}

LogicalResult TransposeOp::verify() {
  // C1
  const int64_t rank = getOperand().getType().getShape().size();
  if (!isPermutation(getPermutation(), rank))
    return emitOpError() << "expected a permutation of " << rank
                         << " dimensions (because the tile is "
                         << getOperand().getType() << "), got ["
                         << getPermutation() << "]";
  return success();
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (llvm::equal(getPermutation(),
                  llvm::seq<int64_t>(0, getPermutation().size())))
    return getOperand();
  auto inner = getOperand().getDefiningOp<TransposeOp>();
  if (!inner)
    return {};
  // Two in a row are one.
  setPermutation(permute(inner.getPermutation(), getPermutation()));
  getOperandMutable().assign(inner.getOperand());
  return getResult();
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

namespace {

LogicalResult verifyEqualTiles(Operation *op, TileType source,
                               TileType destination) {
  if (source.getShape() != destination.getShape() ||
      source.getElementType() != destination.getElementType())
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

LogicalResult PutBlockOp::verify() {
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
  // C1, C2; the kernel checks C3
  return failure(failed(verifyEqualTiles(*this, getSource().getType(),
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
  return failure(
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

LogicalResult AllToAllOp::verify() {
  auto source = cast<tile::TensorType>(getSource().getType());
  auto destination = cast<tile::TensorType>(getDestination().getType());
  const int64_t rank = source.getRank();
  const int64_t scatter = getScatter(), gather = getGather();
  // C7
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (!kernel || kernel.isBlockLevel())
    return emitOpError() << "expected a kernel without a grid around it";
  const int64_t numRanks = kernel.getNumRanks();
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
  // C3
  if (source.getDimSize(scatter) % numRanks != 0)
    return emitOpError() << "expected the extent along 'scatter' to be a "
                            "multiple of the "
                         << numRanks << " ranks, got "
                         << source.getDimSize(scatter)
                         << "; change the extent or the number of ranks";
  // C4
  SmallVector<int64_t> expected(source.getShape());
  expected[scatter] /= numRanks;
  if (llvm::MulOverflow(expected[gather], numRanks, expected[gather]))
    return emitOpError() << "expected an extent along 'gather' below 2^63 / "
                         << numRanks << " ranks, got "
                         << source.getDimSize(gather);
  expected = permute(expected, getPermutation());
  if (destination.getShape() != ArrayRef(expected))
    return emitOpError() << "expected a destination of shape [" << expected
                         << "] (based on source " << source << " and "
                         << numRanks << " ranks), got " << destination;
  // C5
  if (source.getElementType() != destination.getElementType())
    return emitOpError() << "expected equal element types, got "
                         << source.getElementType() << " and "
                         << destination.getElementType();
  // C6
  if (!destination.getSymmetric())
    return emitOpError() << "expected a symmetric destination (because every "
                            "rank writes to it), got "
                         << destination << "; make it with symmetricTensor";
  // C8
  if (mayAlias(getSource(), getDestination()))
    return emitOpError() << "expected source and destination to be different "
                            "tensors that may not alias (because all ranks "
                            "read and write at the same time), got "
                         << (getSource() == getDestination()
                                 ? "one tensor as both"
                                 : "two with 'tile.may_alias'");
  return success();
}
