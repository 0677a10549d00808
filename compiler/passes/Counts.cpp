//===- Counts.cpp - sizes and strides that ranks may differ in ------------===//

#include "compiler/passes/Counts.h"

#include "compiler/Locations.h"
#include "dialects/Cuda/Cuda.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tilewire;

Count::Count(CountTerm term, int64_t most) : terms{term}, most(most) {}

bool Count::isOfShares() const {
  return llvm::all_of(
             terms, [](const CountTerm &term) { return bool(term.extent); }) &&
         llvm::any_of(terms,
                      [](const CountTerm &term) { return term.isShare(); });
}

bool Count::isInvariant() const {
  return !isConstant() && llvm::all_of(terms, [](const CountTerm &term) {
    return term.extent && (!term.isShare() || term.isLargest);
  });
}

Count Count::largest(int64_t numRanks) const {
  Count product(factor);
  for (const CountTerm &term : terms) {
    if (term.isShare() && !term.extent->parameter) {
      product = product * Count(term.extent->most(numRanks));
      continue;
    }
    CountTerm first = term;
    if (term.isShare())
      first = {term.extent, Value(), /*isLargest=*/true};
    product = product * Count(first, first.extent->most(numRanks));
  }
  return product;
}

bool Count::operator==(const Count &other) const {
  if (factor != other.factor || terms.size() != other.terms.size())
    return false;
  // In any order.
  SmallVector<CountTerm, 1> unmatched(other.terms);
  for (const CountTerm &term : terms) {
    auto *found = llvm::find(unmatched, term);
    if (found == unmatched.end())
      return false;
    unmatched.erase(found);
  }
  return true;
}

Count tilewire::operator*(const Count &lhs, const Count &rhs) {
  Count product(lhs.factor * rhs.factor);
  product.most = lhs.most * rhs.most;
  if (product.factor == 0)
    return product;
  product.terms = lhs.terms;
  product.terms.append(rhs.terms);
  return product;
}

Count tilewire::countOf(const tile::TensorExtent &extent, Value rank,
                        int64_t numRanks) {
  if (auto constant = extent.onEvery(numRanks))
    return *constant;
  const bool isThis =
      !extent.isShare || !rank ||
      isa_and_nonnull<tile::RankOp, cuda::RankOp>(rank.getDefiningOp());
  return {CountTerm{extent, isThis ? Value() : rank}, extent.most(numRanks)};
}

SmallVector<Count> tilewire::extentsOn(tile::TensorType tensor, Value rank,
                                       int64_t numRanks) {
  SmallVector<Count> extents;
  for (const tile::TensorExtent &extent : tensor.getExtents())
    extents.push_back(countOf(extent, rank, numRanks));
  return extents;
}

SmallVector<Count> tilewire::stridesOn(tile::TensorType tensor, Value rank,
                                       int64_t numRanks) {
  if (tensor.hasStrides())
    return llvm::to_vector_of<Count>(tensor.getStrides());
  const SmallVector<Count> extents = extentsOn(tensor, rank, numRanks);
  SmallVector<Count> strides(extents.size(), Count(1));
  for (size_t dim = extents.size() - 1; dim > 0; --dim)
    strides[dim - 1] = strides[dim] * extents[dim];
  return strides;
}

namespace {

/// The extent that `value` is, if it is one: a number or a parameter.
std::optional<tile::TensorExtent> extentThatIs(Value value) {
  if (auto constant = getConstantIntValue(value))
    return tile::TensorExtent{*constant};
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<tile::ParameterOp, cuda::ParameterOp>(op))
    return std::nullopt;
  auto name = op->getAttrOfType<StringAttr>("name");
  return tile::TensorExtent{*tile::mostOfParameter(op, name), /*isShare=*/false,
                            name};
}

} // namespace

SmallVector<Count> tilewire::sizesOf(tile::SliceOp slice) {
  const int64_t numRanks = tile::numRanksAround(slice);
  SmallVector<Count> sizes;
  for (auto [size, most] :
       llvm::zip_equal(slice.getMixedSizes(), slice.getMostSizes())) {
    if (auto constant = getConstantIntValue(size)) {
      sizes.push_back(*constant);
      continue;
    }
    Value value = cast<Value>(size);
    auto share = value.getDefiningOp<tile::ShareSizeOp>();
    std::optional<tile::TensorExtent> extent =
        extentThatIs(share ? share.getTotal() : value);
    if (!extent) {
      sizes.push_back({CountTerm{std::nullopt, value}, most});
      continue;
    }
    extent->isShare = bool(share);
    sizes.push_back(
        countOf(*extent, share ? share.getRank() : Value(), numRanks));
  }
  return sizes;
}

namespace {

/// Quotient and remainder of a total by the ranks.
struct Parts {
  Value quotient, remainder;
};

Parts partsOf(OpBuilder &builder, Location loc, Value total, int64_t numRanks) {
  Value ranks = arith::ConstantIndexOp::create(builder, loc, numRanks);
  auto parameter = total.getDefiningOp<cuda::ParameterOp>();
  auto named = [&](StringRef what) {
    return parameter
               ? generatedName(
                     builder.getStringAttr(parameter.getName() + what), loc)
               : loc;
  };
  return {builder.createOrFold<arith::DivUIOp>(named("PerRank"), total, ranks),
          builder.createOrFold<arith::RemUIOp>(named("Left"), total, ranks)};
}

} // namespace

Value tilewire::shareSize(OpBuilder &builder, Location loc, Value total,
                          Value rank, int64_t numRanks) {
  const Location unnamed = withoutName(loc);
  const Parts parts = partsOf(builder, unnamed, total, numRanks);
  Value one = arith::ConstantIndexOp::create(builder, unnamed, 1);
  Value more = arith::CmpIOp::create(
      builder, unnamed, arith::CmpIPredicate::ult, rank, parts.remainder);
  return arith::SelectOp::create(
      builder, loc, more,
      builder.createOrFold<arith::AddIOp>(unnamed, parts.quotient, one),
      parts.quotient);
}

Value tilewire::shareBegin(OpBuilder &builder, Location loc, Value total,
                           Value rank, int64_t numRanks) {
  const Location unnamed = withoutName(loc);
  const Parts parts = partsOf(builder, unnamed, total, numRanks);
  Value before =
      builder.createOrFold<arith::MulIOp>(unnamed, rank, parts.quotient);
  Value more =
      builder.createOrFold<arith::MinUIOp>(unnamed, rank, parts.remainder);
  return builder.createOrFold<arith::AddIOp>(loc, before, more);
}
