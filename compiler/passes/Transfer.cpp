//===- Transfer.cpp - a transfer as loops over memory ---------------------===//

#include "compiler/passes/Transfer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;
using namespace tilewire;
using namespace tilewire::tile;

namespace {

/// Names of a tensor's dimensions in text: the user's in lower case, or d0 ...
SmallVector<std::string> dimNames(Value tensor) {
  SmallVector<std::string> names;
  const int64_t rank = cast<tile::TensorType>(tensor.getType()).getRank();
  auto argument = dyn_cast<BlockArgument>(tensor);
  auto kernel =
      argument
          ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
          : FunctionOpInterface();
  auto given = kernel ? kernel.getArgAttrOfType<ArrayAttr>(
                            argument.getArgNumber(), dimsAttrName)
                      : ArrayAttr();
  for (int64_t dim = 0; dim < rank; ++dim) {
    auto name = given && dim < int64_t(given.size())
                    ? dyn_cast<StringAttr>(given[dim])
                    : StringAttr();
    names.push_back(name && !name.empty() ? name.getValue().lower()
                                          : "d" + std::to_string(dim));
  }
  return names;
}

/// The largest power of two, up to 2^20, that divides `number`; 0 for zero,
/// which everything divides. Vectors ask for no more, and powers of two divide
/// on even when a product wraps.
int64_t evenPart(int64_t number) {
  return number == 0 ? 0 : std::min<int64_t>(number & -number, 1 << 20);
}

/// Powers of two that divide values, whatever those are computed from. Each
/// value is looked at once, however often it is used.
class Divisors {
public:
  int64_t of(Value value) {
    if (auto found = known.find(value); found != known.end())
      return found->second;
    if (known.size() >= mostValues)
      return 1;
    known[value] = 1;
    const int64_t divisor = compute(value);
    return known[value] = divisor;
  }

private:
  int64_t compute(Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return evenPart(constant.getSExtValue());
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<arith::MulIOp>(op))
      return evenPart(of(op->getOperand(0)) * of(op->getOperand(1)));
    if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
      return std::gcd(of(op->getOperand(0)), of(op->getOperand(1)));
    return 1;
  }

  /// A long chain of sums is not followed to its end: of what is beyond,
  /// nothing is known.
  static constexpr unsigned mostValues = 512;

  DenseMap<Value, int64_t> known;
};

/// A number that divides the slice's first element's offset in its tensor.
int64_t knownStart(SliceOp slice) {
  int64_t divisor = 0;
  Divisors divisors;
  auto strides = stridesOn(cast<tile::TensorType>(slice.getTensor().getType()),
                           /*rank=*/{}, numRanksAround(slice));
  for (auto [offset, stride] :
       llvm::zip_equal(slice.getMixedOffsets(), strides)) {
    auto constant = dyn_cast<Attribute>(offset);
    const int64_t factor = constant
                               ? evenPart(cast<IntegerAttr>(constant).getInt())
                               : divisors.of(cast<Value>(offset));
    divisor = std::gcd(divisor, evenPart(factor * evenPart(stride.factor)));
  }
  return divisor;
}

/// Joins neighbours that walk the memory of both sides as one loop would.
void joinDims(SmallVectorImpl<TransferDim> &dims) {
  SmallVector<TransferDim, 4> joined;
  for (TransferDim &dim : dims) {
    if (!joined.empty()) {
      TransferDim &outer = joined.back();
      if (outer.sourceStride == dim.sourceStride * dim.size &&
          outer.destinationStride == dim.destinationStride * dim.size) {
        outer = {outer.size * dim.size, dim.sourceStride, dim.destinationStride,
                 outer.name + "_" + dim.name};
        continue;
      }
    }
    joined.push_back(dim);
  }
  dims.assign(joined.begin(), joined.end());
}

} // namespace

namespace {

/// The strides of a slice's dimensions as its tile shows them.
SmallVector<Count> shownStrides(SliceOp slice, Value rank, int64_t numRanks) {
  const SmallVector<Count> strides = stridesOn(
      cast<tile::TensorType>(slice.getTensor().getType()), rank, numRanks);
  SmallVector<Count> shown;
  for (int64_t dim : slice.getPermutationOrIdentity())
    shown.push_back(strides[dim]);
  return shown;
}

} // namespace

FailureOr<Transfer> tilewire::describeTransfer(Operation *op, Value from,
                                               Value to, Order order,
                                               Value peer) {
  auto source = from.getDefiningOp<SliceOp>();
  auto destination = to.getDefiningOp<SliceOp>();
  if (!source || !destination)
    return op->emitOpError()
           << "expected tiles that are slices of tensors; fold views first";
  const int64_t numRanks = numRanksAround(op);
  const auto sourceStrides = shownStrides(source, /*rank=*/{}, numRanks);
  const auto destinationStrides = shownStrides(destination, peer, numRanks);
  const auto names = dimNames(destination.getTensor());
  const auto sizes = sizesOf(destination);

  Transfer transfer{source,
                    destination,
                    {},
                    cast<tile::TensorType>(destination.getTensor().getType())
                        .getElementTypeBitWidth(),
                    numRanks};
  for (auto [dim, shown] :
       llvm::enumerate(destination.getPermutationOrIdentity()))
    if (!sizes[shown].isConstant(1))
      transfer.dims.push_back({sizes[shown], sourceStrides[dim],
                               destinationStrides[dim], names[shown]});
  llvm::stable_sort(transfer.dims, [&](const auto &a, const auto &b) {
    return order == Order::Source
               ? a.sourceStride.most > b.sourceStride.most
               : a.destinationStride.most > b.destinationStride.most;
  });
  joinDims(transfer.dims);
  return transfer;
}

namespace {

/// Neighbours that the memory of one side alone would join are one.
Walk walkOf(const Transfer &transfer, Count TransferDim::*stride) {
  Walk walk;
  for (const TransferDim &dim : transfer.dims) {
    if (!walk.empty() && walk.back().second == dim.*stride * dim.size)
      walk.back() = {walk.back().first * dim.size, dim.*stride};
    else
      walk.push_back({dim.size, dim.*stride});
  }
  return walk;
}

} // namespace

Walk tilewire::sourceWalk(const Transfer &transfer) {
  return walkOf(transfer, &TransferDim::sourceStride);
}

Walk tilewire::destinationWalk(const Transfer &transfer) {
  return walkOf(transfer, &TransferDim::destinationStride);
}

LogicalResult tilewire::checkPlan(Operation *op, const Transfer &transfer,
                                  PlanAttr plan) {
  const int64_t widest = transfer.widestVector();
  if (widest % plan.getVector() != 0)
    return op->emitOpError()
           << "expected a plan with a vector of at most " << widest
           << " elements (because of extents, strides and offsets), got "
           << plan.getVector();
  return success();
}

Count Transfer::walked(size_t number) const {
  const Count &size = dims[number].size;
  return isPadded(number) ? size.largest(numRanks) : size;
}

bool Transfer::isPadded(size_t number) const {
  const Count &size = dims[number].size;
  return number != 0 && size.isOfShares();
}

Count Transfer::numElements() const {
  Count count(1);
  for (size_t number = 0; number < dims.size(); ++number)
    count = count * walked(number);
  return count;
}

Count Transfer::mostElements() const {
  Count count(1);
  for (const TransferDim &dim : dims)
    count =
        count * (dim.size.isOfShares() ? dim.size.largest(numRanks) : dim.size);
  return count;
}

bool Transfer::hasConstantDivisors() const {
  for (size_t number = 1; number < dims.size(); ++number)
    if (!walked(number).isConstant())
      return false;
  return true;
}

bool Transfer::isConstant() const {
  return llvm::all_of(dims, [](const TransferDim &dim) {
    return dim.size.isConstant() && dim.sourceStride.isConstant() &&
           dim.destinationStride.isConstant();
  });
}

int64_t Transfer::widestVector() const {
  if (dims.empty() || !dims.back().sourceStride.isConstant(1) ||
      !dims.back().destinationStride.isConstant(1))
    return 1;
  int64_t divisor =
      std::gcd(dims.back().size.factor, 128 / int64_t(elementBits));
  for (const TransferDim &dim : ArrayRef(dims).drop_back())
    divisor = std::gcd(std::gcd(divisor, dim.sourceStride.factor),
                       dim.destinationStride.factor);
  return std::gcd(std::gcd(divisor, knownStart(source)),
                  knownStart(destination));
}
