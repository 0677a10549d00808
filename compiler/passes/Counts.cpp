//===- Counts.cpp - sizes and strides that ranks may differ in ------------===//

#include "compiler/passes/Counts.h"

#include "compiler/Locations.h"
#include "dialects/Cuda/Cuda.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tilewire;

Count::Count(CountTerm term, int64_t most) : terms{term}, most(most) {}

bool Count::isNearMost() const {
  return llvm::all_of(terms, [](const CountTerm &term) { return term.total; });
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

namespace {

/// The term of a share: this rank has no value.
CountTerm shareOf(int64_t total, Value rank) {
  const bool isThis = !rank || isa_and_nonnull<tile::RankOp, cuda::RankOp>(
                                   rank.getDefiningOp());
  return {total, isThis ? Value() : rank};
}

} // namespace

SmallVector<Count> tilewire::extentsOn(tile::TensorType tensor, Value rank,
                                       int64_t numRanks) {
  SmallVector<Count> extents;
  for (const tile::TensorExtent &extent : tensor.getExtents()) {
    if (auto constant = extent.onEvery(numRanks))
      extents.push_back(*constant);
    else
      extents.push_back({shareOf(extent.count, rank), extent.most(numRanks)});
  }
  return extents;
}

SmallVector<Count> tilewire::stridesOf(ArrayRef<Count> extents) {
  SmallVector<Count> strides(extents.size(), Count(1));
  for (size_t dim = extents.size() - 1; dim > 0; --dim)
    strides[dim - 1] = strides[dim] * extents[dim];
  return strides;
}

SmallVector<Count> tilewire::sizesOf(tile::SliceOp slice) {
  SmallVector<Count> sizes;
  for (auto [size, most] :
       llvm::zip_equal(slice.getMixedSizes(), slice.getMostSizes())) {
    if (auto constant = getConstantIntValue(size)) {
      sizes.push_back(*constant);
      continue;
    }
    CountTerm term{std::nullopt, cast<Value>(size)};
    if (auto share = term.value.getDefiningOp<tile::ShareSizeOp>())
      if (auto total = getConstantIntValue(share.getTotal()))
        term = shareOf(*total, share.getRank());
    sizes.push_back({term, most});
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
  return {builder.createOrFold<arith::DivUIOp>(loc, total, ranks),
          builder.createOrFold<arith::RemUIOp>(loc, total, ranks)};
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
