//===- TileViews.cpp - slices and transposes ------------------------------===//
//
// Verifiers and folds. "C1" and so on are the numbered constraints of Tile.td.
//
//===----------------------------------------------------------------------===//

#include "dialects/Tile/Tile.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace tilewire;
using namespace tilewire::tile;

//===----------------------------------------------------------------------===//
// Questions about tensors and tiles
//===----------------------------------------------------------------------===//

Type tilewire::tile::elementTypeOf(Type view) {
  if (auto tensor = dyn_cast<tile::TensorType>(view))
    return tensor.getElementType();
  return cast<TileType>(view).getElementType();
}

bool tilewire::tile::isSymmetric(Type view) {
  if (auto tensor = dyn_cast<tile::TensorType>(view))
    return tensor.getSymmetric();
  return cast<TileType>(view).getSymmetric();
}

namespace {

std::optional<TensorExtent> extentOf(OpFoldResult size) {
  if (auto constant = getConstantIntValue(size))
    return TensorExtent{*constant};
  Operation *op = cast<Value>(size).getDefiningOp();
  if (auto parameter = dyn_cast_if_present<ParameterOp>(op))
    return TensorExtent{
        mostOfParameter(op, parameter.getNameAttr()).value_or(0),
        /*isShare=*/false, parameter.getNameAttr()};
  auto share = dyn_cast_if_present<ShareSizeOp>(op);
  if (!share || !share.getRank().getDefiningOp<RankOp>() ||
      share.getTotal().getDefiningOp<ShareSizeOp>())
    return std::nullopt;
  auto extent = extentOf(share.getTotal());
  if (extent)
    extent->isShare = true;
  return extent;
}

} // namespace

SmallVector<std::optional<TensorExtent>> tilewire::tile::extentsOf(Value view) {
  SmallVector<std::optional<TensorExtent>> extents, shown;
  if (auto tensor = dyn_cast<tile::TensorType>(view.getType()))
    return llvm::map_to_vector(tensor.getExtents(), [](TensorExtent extent) {
      return std::optional(extent);
    });
  ArrayRef<int64_t> permutation;
  SmallVector<int64_t> ofSlice;
  if (auto transpose = view.getDefiningOp<TransposeOp>()) {
    extents = extentsOf(transpose.getOperand());
    permutation = transpose.getPermutation();
  } else {
    auto slice = view.getDefiningOp<SliceOp>();
    extents = llvm::map_to_vector(slice.getMixedSizes(), extentOf);
    ofSlice = slice.getPermutationOrIdentity();
    permutation = ofSlice;
  }
  for (int64_t dim : permutation)
    shown.push_back(extents[dim]);
  return shown;
}

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> SliceOp::getMixedOffsets() {
  Builder builder(getContext());
  return mlir::getMixedValues(getStaticOffsets(), getOffsets(), builder);
}

SmallVector<OpFoldResult> SliceOp::getMixedSizes() {
  Builder builder(getContext());
  return mlir::getMixedValues(getStaticSizes(), getSizes(), builder);
}

namespace {

/// How far a slice's base extends along each dimension: a tensor as far as on
/// the rank that has most; nothing where a tile's size is computed.
SmallVector<std::optional<int64_t>> extentsOfBase(SliceOp slice) {
  SmallVector<std::optional<int64_t>> extents;
  const Type type = slice.getBase().getType();
  if (auto tensor = dyn_cast<tile::TensorType>(type)) {
    const int64_t numRanks = numRanksAround(slice);
    for (const TensorExtent &extent : tensor.getExtents())
      extents.push_back(extent.most(numRanks));
    return extents;
  }
  for (int64_t size : cast<TileType>(type).getShape())
    extents.push_back(ShapedType::isDynamic(size) ? std::nullopt
                                                  : std::optional(size));
  return extents;
}

/// The type of a slice's tile.
TileType tileOf(Type base, ArrayRef<int64_t> sizes,
                ArrayRef<int64_t> permutation) {
  return TileType::get(base.getContext(), permute(sizes, permutation),
                       elementTypeOf(base), isSymmetric(base));
}

/// "the tensor is !tile.tensor<8xf16>", for messages.
std::string describeBase(SliceOp slice) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const Type type = slice.getBase().getType();
  os << "the " << (isa<TileType>(type) ? "tile" : "tensor") << " is '" << type
     << "'";
  return text;
}

} // namespace

SmallVector<int64_t> SliceOp::getMostSizes() {
  if (getMost())
    return SmallVector<int64_t>(*getMost());
  SmallVector<int64_t> most;
  for (auto [size, extent] :
       llvm::zip_equal(getMixedSizes(), extentsOfBase(*this)))
    most.push_back(getConstantIntValue(size).value_or(
        extent.value_or(std::numeric_limits<int64_t>::max())));
  return most;
}

SmallVector<int64_t> SliceOp::getPermutationOrIdentity() {
  if (getPermutation())
    return SmallVector<int64_t>(*getPermutation());
  return llvm::to_vector(llvm::seq<int64_t>(0, getStaticSizes().size()));
}

void SliceOp::build(OpBuilder &builder, OperationState &state, Value base,
                    ArrayRef<OpFoldResult> offsets,
                    ArrayRef<OpFoldResult> sizes,
                    std::optional<ArrayRef<int64_t>> permutation,
                    std::optional<ArrayRef<int64_t>> most) {
  SmallVector<int64_t> staticOffsets, staticSizes;
  SmallVector<Value> dynamicOffsets, dynamicSizes;
  dispatchIndexOpFoldResults(offsets, dynamicOffsets, staticOffsets);
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  const auto identity =
      llvm::to_vector(llvm::seq<int64_t>(0, staticSizes.size()));
  const bool isIdentity = !permutation || *permutation == ArrayRef(identity);
  const ArrayRef<int64_t> shown = isIdentity ? identity : *permutation;
  build(builder, state, tileOf(base.getType(), staticSizes, shown), base,
        dynamicOffsets, dynamicSizes, staticOffsets, staticSizes,
        isIdentity ? nullptr : builder.getDenseI64ArrayAttr(shown),
        most ? builder.getDenseI64ArrayAttr(*most) : nullptr);
}

namespace {

/// One of a slice's two lists: as many entries as dimensions, as many operands
/// as entries that say so.
LogicalResult verifyList(SliceOp slice, StringRef what,
                         ArrayRef<int64_t> entries, size_t numOperands) {
  const size_t rank = extentsOfBase(slice).size();
  if (entries.size() != rank)
    return slice.emitOpError()
           << "expected " << rank << " " << what << " (because "
           << describeBase(slice) << "), got " << entries.size();
  const size_t computed = llvm::count_if(entries, ShapedType::isDynamic);
  if (computed != numOperands)
    return slice.emitOpError()
           << "expected " << numOperands << " " << what
           << " to be computed (because so many operands are given), got "
           << computed << " that are " << ShapedType::kDynamic
           << ", which says so";
  return success();
}

/// What is constant of one dimension, of which the base has `extent`.
LogicalResult verifyRange(SliceOp slice, int64_t dim, OpFoldResult mixedOffset,
                          OpFoldResult mixedSize,
                          std::optional<int64_t> extent) {
  const std::optional<int64_t> offset = getConstantIntValue(mixedOffset);
  const std::optional<int64_t> size = getConstantIntValue(mixedSize);
  const int64_t most = extent.value_or(std::numeric_limits<int64_t>::max());
  if (size && (*size < 0 || *size > most))
    return slice.emitOpError()
           << "expected size " << dim << " from 0 to " << most << " (because "
           << describeBase(slice) << "), got " << *size;
  const int64_t last = most - size.value_or(0);
  if (!offset || (*offset >= 0 && *offset <= last))
    return success();
  InFlightDiagnostic error = slice.emitOpError();
  error << "expected offset " << dim << " from 0 to " << last << " (because ";
  if (size && extent)
    error << *size << " elements of " << most << " are taken";
  else
    error << describeBase(slice);
  return error << "), got " << *offset;
}

/// The dimensions shown, each once; what is left out has one element.
LogicalResult verifyPermutation(SliceOp slice, ArrayRef<int64_t> permutation) {
  const ArrayRef<int64_t> sizes = slice.getStaticSizes();
  const int64_t rank = sizes.size();
  llvm::SmallBitVector isShown(rank);
  for (int64_t dim : permutation) {
    if (dim < 0 || dim >= rank || isShown[dim])
      return slice.emitOpError()
             << "expected a permutation of " << rank
             << " dimensions, or of some of them, got [" << permutation << "]";
    isShown.set(dim);
  }
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!isShown[dim] && sizes[dim] != 1) {
      InFlightDiagnostic error = slice.emitOpError();
      error << "expected a permutation that leaves out dimensions of size 1 "
               "only, got ["
            << permutation << "] without dimension " << dim << " of ";
      if (ShapedType::isDynamic(sizes[dim]))
        return error << "a size that is computed";
      return error << "size " << sizes[dim];
    }
  return success();
}

} // namespace

LogicalResult SliceOp::verify() {
  // C1
  if (failed(verifyList(*this, "offsets", getStaticOffsets(),
                        getOffsets().size())) ||
      failed(verifyList(*this, "sizes", getStaticSizes(), getSizes().size())))
    return failure();
  // C6
  if (!getTensor())
    return emitOpError() << "expected an argument of the kernel, or one seen "
                            "through at most "
                         << maxViews - 1
                         << " slices and transposes, to be sliced, got neither";
  // C2, C3
  const SmallVector<OpFoldResult> offsets = getMixedOffsets();
  const SmallVector<OpFoldResult> sizes = getMixedSizes();
  const SmallVector<std::optional<int64_t>> extents = extentsOfBase(*this);
  const size_t rank = extents.size();
  for (size_t dim = 0; dim < rank; ++dim)
    if (failed(verifyRange(*this, dim, offsets[dim], sizes[dim], extents[dim])))
      return failure();
  // C4
  if (getPermutation() && failed(verifyPermutation(*this, *getPermutation())))
    return failure();
  // C5
  const TileType expected =
      tileOf(getBase().getType(), getStaticSizes(), getPermutationOrIdentity());
  if (getTile().getType() != expected)
    return emitOpError() << "expected result " << expected
                         << " (because of sizes, permutation and base), got "
                         << getTile().getType();
  // C7
  if (!getMost())
    return success();
  if (getMost()->size() != rank)
    return emitOpError() << "expected a 'most' for each of " << rank
                         << " dimensions, got " << getMost()->size();
  for (size_t dim = 0; dim < rank; ++dim) {
    const int64_t most = (*getMost())[dim];
    if (most < 0 || most > extents[dim].value_or(most) ||
        getConstantIntValue(sizes[dim]).value_or(most) != most)
      return emitOpError() << "expected a 'most' that bounds size " << dim
                           << ", got " << most;
  }
  return success();
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  // Constant operands become static offsets; one that is out of range stays for
  // the verifier to refuse.
  const SmallVector<OpFoldResult> sizes = getMixedSizes();
  if (!(*this)->getParentOfType<KernelOp>())
    return {};
  const SmallVector<std::optional<int64_t>> extents = extentsOfBase(*this);
  SmallVector<int64_t> staticOffsets(getStaticOffsets());
  SmallVector<Value> dynamicOffsets;
  unsigned operand = 0;
  for (auto [dim, offset] : llvm::enumerate(staticOffsets)) {
    if (!ShapedType::isDynamic(offset))
      continue;
    auto constant =
        dyn_cast_or_null<IntegerAttr>(adaptor.getOffsets()[operand]);
    const int64_t last =
        extents[dim].value_or(std::numeric_limits<int64_t>::max()) -
        getConstantIntValue(sizes[dim]).value_or(0);
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

//===----------------------------------------------------------------------===//
// Transpose
//===----------------------------------------------------------------------===//

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
  // C2
  if (!tensorOf(getResult()))
    return emitOpError() << "expected a tile of an argument of the kernel, "
                            "made by at most "
                         << maxViews - 1
                         << " slices and transposes, got another";
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
