//===- CheckTiles.cpp - tiles within tensors, and apart -------------------===//
//
// What can be proved wrong is refused at the user's line, what can be proved
// right costs nothing, and what is left becomes a check in the text.
//
//===----------------------------------------------------------------------===//

#include "compiler/passes/Accesses.h"
#include "compiler/passes/Passes.h"

namespace tilewire {
#define GEN_PASS_DEF_CHECKTILES
#include "compiler/passes/Passes.h.inc"
} // namespace tilewire

using namespace mlir;
using namespace tilewire;

namespace {

/// Whether `op` runs in every block of every rank.
bool isAlwaysRun(Operation *op, const LinearForms &forms) {
  for (op = op->getParentOp(); !isa<tile::KernelOp>(op);
       op = op->getParentOp()) {
    if (isa<tile::PutGridOp>(op))
      continue;
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || !forms.reachesEnds(forms.of(loop.getInductionVar())))
      return false;
  }
  return true;
}

/// Whether `op` is proved to run in no block: nothing is known of what loops
/// around it count then.
bool neverRuns(Operation *op, const LinearForms &forms) {
  for (; op && !isa<tile::KernelOp>(op); op = op->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      const auto first = forms.rangeOf(forms.of(loop.getLowerBound()));
      const auto end = forms.rangeOf(forms.of(loop.getUpperBound()));
      if (first && end && first->min >= end->max)
        return true;
    }
  auto kernel = dyn_cast_if_present<tile::KernelOp>(op);
  return kernel && kernel.numLogicalBlocks() == 0;
}

/// Whether `peer` is this rank on every rank.
bool isThisRank(const LinearForms &forms, Value peer) {
  const ArrayRef<int64_t> onRanks = forms.onEachRank(peer);
  return !onRanks.empty() &&
         llvm::equal(onRanks, llvm::seq<int64_t>(0, onRanks.size()));
}

/// What is known of an index that must be from 0 to a bound.
enum class Verdict { Holds, Fails, Open };

/// `rest` is what the bound leaves; `op` is where the index is used.
Verdict judge(Operation *op, const LinearForms &forms, const LinearForm &index,
              const std::optional<LinearForm> &rest) {
  const std::optional<Interval> range = forms.rangeOf(index);
  const auto left = rest ? forms.rangeOf(*rest) : std::nullopt;
  if (!range || !left)
    return Verdict::Open;
  if (range->min >= 0 && left->min >= 0)
    return Verdict::Holds;
  const bool reachesEnds = forms.reachesEnds(index) &&
                           forms.reachesEnds(*rest) && isAlwaysRun(op, forms);
  return left->max < 0 || range->max < 0 || reachesEnds ? Verdict::Fails
                                                        : Verdict::Open;
}

/// "7", or "0 to 7".
std::string describe(const Interval &range) {
  const std::string first = std::to_string(range.min);
  return range.min == range.max ? first
                                : first + " to " + std::to_string(range.max);
}

/// One side of a move, and how far its tensor extends on the rank whose copy it
/// is.
struct Side {
  Access access;
  SmallVector<OpFoldResult> extents;
};

bool isShare(Operation *op) {
  return isa<tile::ShareSizeOp, tile::ShareBeginOp>(op);
}

/// Checks the tiles of one move, or the rank of one share, of which bounds of
/// tiles are proved.
class MoveCheck {
public:
  /// Makes the extents that ranks differ in, before the indices are analysed.
  explicit MoveCheck(Operation *move);

  LogicalResult run(const LinearForms &forms);

  /// Takes away the extents that no check needed.
  void eraseUnused() {
    for (Operation *op : llvm::reverse(made))
      if (op->use_empty())
        op->erase();
  }

private:
  /// Before the move; within it where it has the tiles itself.
  static OpBuilder insertionPoint(Operation *move) {
    auto put = dyn_cast<tile::PutGridOp>(move);
    return OpBuilder(put ? put.getYield().getOperation() : move);
  }

  Value valueOf(OpFoldResult index) {
    auto constant = getConstantIntValue(index);
    return constant ? arith::ConstantIndexOp::create(builder, move->getLoc(),
                                                     *constant)
                          .getResult()
                    : cast<Value>(index);
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(builder, move->getLoc(), predicate, lhs, rhs);
  }
  void check(Location loc, Value condition, Value value, const Twine &what) {
    tile::CheckOp::create(builder, loc, condition, value,
                          builder.getStringAttr(what));
  }

  /// How source and destination lie to each other within one tensor.
  struct Overlap {
    struct Dim {
      Span from, to;
    };
    SmallVector<Dim> undecided; ///< the dimensions not proved to overlap
    bool mayBeIdentical;
    bool isIdentical;
  };

  LogicalResult checkSide(const Side &side);
  LogicalResult checkRank(Value rank, StringRef what);
  LogicalResult checkEqualSizes();
  /// That `index`, of `op`, is from 0 to `end` less `size`, which is `last` in
  /// messages.
  LogicalResult checkRange(Operation *op, OpFoldResult index, OpFoldResult end,
                           OpFoldResult size, const Twine &what,
                           const Twine &last, const Twine &reason);
  Overlap compareTiles();
  LogicalResult checkApart();
  void emitApartCheck(const Overlap &overlap);

  Operation *move;
  const LinearForms *forms = nullptr;
  SmallVector<Side, 2> sides;
  SmallVector<Operation *> made;
  OpBuilder builder;
};

MoveCheck::MoveCheck(Operation *move)
    : move(move), builder(insertionPoint(move)) {
  const int64_t numRanks = tile::numRanksAround(move);
  for (const Access &access : accessesOf(move)) {
    Side &side = sides.emplace_back(Side{access, {}});
    Value rank = access.peer;
    auto make = [&](auto op) {
      made.push_back(op);
      return op.getResult();
    };
    for (const tile::TensorExtent &extent :
         cast<tile::TensorType>(side.access.slice.getTensor().getType())
             .getExtents()) {
      if (auto constant = extent.onEvery(numRanks)) {
        side.extents.push_back(builder.getIndexAttr(*constant));
        continue;
      }
      Location loc = move->getLoc();
      Value total =
          extent.parameter
              ? make(tile::ParameterOp::create(builder, loc, extent.parameter))
              : make(
                    arith::ConstantIndexOp::create(builder, loc, extent.count));
      if (!extent.isShare) {
        side.extents.push_back(total);
        continue;
      }
      if (!rank)
        rank = make(tile::RankOp::create(builder, loc));
      side.extents.push_back(
          make(tile::ShareSizeOp::create(builder, loc, total, rank)));
    }
  }
}

LogicalResult MoveCheck::run(const LinearForms &known) {
  forms = &known;
  if (neverRuns(move, *forms))
    return success();
  if (isShare(move))
    return checkRank(move->getOperand(1), "a rank");
  for (const Side &side : sides)
    if (failed(checkSide(side)))
      return failure();
  if (failed(checkEqualSizes()))
    return failure();
  // A grid-wide move's peers are the ranks, one after another.
  if (isa<tile::PutGridOp>(move))
    return success();
  if (Value peer = sides[1].access.peer;
      peer && failed(checkRank(peer, "a peer")))
    return failure();
  return checkApart();
}

/// Offsets and sizes along each dimension; and bounds of sizes for what
/// follows.
LogicalResult MoveCheck::checkSide(const Side &side) {
  tile::SliceOp slice = side.access.slice;
  const auto offsets = slice.getMixedOffsets(), sizes = slice.getMixedSizes();
  SmallVector<int64_t> most = slice.getMostSizes();
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    const std::string ofTile = " " + std::to_string(dim) + " of a tile of " +
                               nameInMessages(slice.getTensor());
    const auto extent = getConstantIntValue(side.extents[dim]);
    const auto size = getConstantIntValue(sizes[dim]);
    const std::string onRank =
        extent ? std::to_string(*extent) : "the rank's extent";
    // A constant size of a constant extent is checked by the slice itself.
    const OpFoldResult none = builder.getIndexAttr(0);
    if (!(size && extent) &&
        failed(checkRange(slice, sizes[dim], side.extents[dim], none,
                          "size" + ofTile, onRank, "")))
      return failure();
    const std::string last = size && extent ? std::to_string(*extent - *size)
                                            : onRank + " less its size";
    const std::string reason = size && extent
                                   ? " (because " + std::to_string(*size) +
                                         " elements of " +
                                         std::to_string(*extent) + " are taken)"
                                   : "";
    if (failed(checkRange(slice, offsets[dim], side.extents[dim], sizes[dim],
                          "offset" + ofTile, last, reason)))
      return failure();
    const auto range = forms->rangeOf(forms->of(sizes[dim]));
    if (range && range->max >= 0)
      most[dim] = std::min(most[dim], range->max);
  }
  if (!slice.getSizes().empty())
    slice.setMost(most);
  return success();
}

LogicalResult MoveCheck::checkRank(Value rank, StringRef what) {
  const int64_t numRanks = tile::numRanksAround(move);
  return checkRange(move, rank, builder.getIndexAttr(numRanks - 1),
                    builder.getIndexAttr(0), what, Twine(numRanks - 1),
                    " (because the kernel has " + Twine(numRanks) + " ranks)");
}

LogicalResult MoveCheck::checkRange(Operation *op, OpFoldResult index,
                                    OpFoldResult end, OpFoldResult size,
                                    const Twine &what, const Twine &last,
                                    const Twine &reason) {
  const LinearForm form = forms->of(index);
  const auto taken = LinearForms::sum(form, forms->of(size));
  const auto rest = taken ? LinearForms::sum(forms->of(end), *taken, -1)
                          : std::optional<LinearForm>();
  const Verdict verdict = judge(move, *forms, form, rest);
  if (verdict == Verdict::Holds)
    return success();
  if (verdict == Verdict::Fails)
    return op->emitOpError()
           << "expected " << what << " from 0 to " << last << reason << ", got "
           << describe(*forms->rangeOf(form));
  Value value = valueOf(index);
  Value most = valueOf(end);
  if (getConstantIntValue(size) && getConstantIntValue(end))
    most = valueOf(builder.getIndexAttr(*getConstantIntValue(end) -
                                        *getConstantIntValue(size)));
  else if (getConstantIntValue(size) != 0)
    most = arith::SubIOp::create(builder, move->getLoc(), most, valueOf(size));
  check(op->getLoc(), compare(arith::CmpIPredicate::ule, value, most), value,
        what + " from 0 to " + last);
  return success();
}

/// What the verifier of the op could not tell of sizes that are computed.
LogicalResult MoveCheck::checkEqualSizes() {
  tile::SliceOp source = sides[0].access.slice,
                destination = sides[1].access.slice;
  const auto from = source.getMixedSizes(), to = destination.getMixedSizes();
  for (auto [dim, fromDim, toDim] :
       llvm::enumerate(source.getPermutationOrIdentity(),
                       destination.getPermutationOrIdentity())) {
    const auto apart = forms->difference(
        forms->of(from[fromDim]), forms->of(to[toDim]), {move, move, {}});
    if (apart && apart->min == 0 && apart->max == 0)
      continue;
    if (apart && (apart->min > 0 || apart->max < 0))
      return move->emitOpError()
             << "expected source and destination of equal sizes, got "
                "different ones along dimension "
             << dim;
    Value value = valueOf(from[fromDim]);
    check(move->getLoc(),
          compare(arith::CmpIPredicate::eq, value, valueOf(to[toDim])), value,
          "source and destination of equal sizes along dimension " +
              Twine(dim) + ", by the source's");
  }
  return success();
}

/// The dimensions that are not of one element, as the slice shows them.
SmallVector<int64_t> shownDims(tile::SliceOp slice) {
  SmallVector<int64_t> dims = slice.getPermutationOrIdentity();
  llvm::erase_if(dims,
                 [&](int64_t dim) { return slice.getStaticSizes()[dim] == 1; });
  return dims;
}

MoveCheck::Overlap MoveCheck::compareTiles() {
  tile::SliceOp source = sides[0].access.slice,
                destination = sides[1].access.slice;
  const Executions now{move, move, {}};
  const auto shiftOf = [&](OpFoldResult from, OpFoldResult to) {
    return forms->difference(forms->of(from), forms->of(to), now);
  };
  Overlap overlap;
  overlap.mayBeIdentical = shownDims(source) == shownDims(destination);
  overlap.isIdentical = overlap.mayBeIdentical;
  for (auto [from, fromSize, to, toSize] : llvm::zip_equal(
           source.getMixedOffsets(), source.getMixedSizes(),
           destination.getMixedOffsets(), destination.getMixedSizes())) {
    const auto shift = shiftOf(from, to), growth = shiftOf(fromSize, toSize);
    for (const auto &change : {shift, growth}) {
      overlap.mayBeIdentical &=
          !change || (change->min <= 0 && change->max >= 0);
      overlap.isIdentical &= change && change->min == 0 && change->max == 0;
    }
    const auto fromCount = getConstantIntValue(fromSize);
    const auto toCount = getConstantIntValue(toSize);
    if (!shift || !fromCount || !toCount || shift->min <= -*toCount ||
        shift->max >= *fromCount)
      overlap.undecided.push_back({{from, fromSize}, {to, toSize}});
  }
  return overlap;
}

LogicalResult MoveCheck::checkApart() {
  Access source = sides[0].access, destination = sides[1].access;
  Value tensor = source.slice.getTensor();
  if (tensor != destination.slice.getTensor() ||
      !mayOverlap(*forms, source, destination, {move, move, {}}))
    return success();
  const Overlap overlap = compareTiles();
  const bool isHere = !destination.peer || isThisRank(*forms, destination.peer);
  if (overlap.isIdentical)
    return success();
  if (isHere && overlap.undecided.empty() && !overlap.mayBeIdentical)
    return move->emitOpError()
           << "expected source and destination that are identical or do not "
              "overlap (because threads read and write in any order), got "
              "parts of "
           << nameInMessages(tensor)
           << " that do; move by way of another tensor";
  emitApartCheck(overlap);
  return success();
}

/// One of the dimensions keeps the tiles apart, or all are the same, or the
/// peer is another rank.
void MoveCheck::emitApartCheck(const Overlap &overlap) {
  Location loc = move->getLoc();
  SmallVector<Value> alternatives;
  auto endOf = [&](const Span &span) -> Value {
    return arith::AddIOp::create(builder, loc, valueOf(span.offset),
                                 valueOf(span.size));
  };
  for (const auto &[from, to] : overlap.undecided) {
    alternatives.push_back(
        compare(arith::CmpIPredicate::ule, endOf(from), valueOf(to.offset)));
    alternatives.push_back(
        compare(arith::CmpIPredicate::ule, endOf(to), valueOf(from.offset)));
  }
  tile::SliceOp source = sides[0].access.slice,
                destination = sides[1].access.slice;
  if (overlap.mayBeIdentical) {
    Value same;
    auto require = [&](OpFoldResult lhs, OpFoldResult rhs) {
      if (getConstantIntValue(lhs) && lhs == rhs)
        return;
      Value equal =
          compare(arith::CmpIPredicate::eq, valueOf(lhs), valueOf(rhs));
      same = same ? arith::AndIOp::create(builder, loc, same, equal) : equal;
    };
    for (auto [from, to] : llvm::zip_equal(source.getMixedOffsets(),
                                           destination.getMixedOffsets()))
      require(from, to);
    for (auto [from, to] :
         llvm::zip_equal(source.getMixedSizes(), destination.getMixedSizes()))
      require(from, to);
    if (same)
      alternatives.push_back(same);
  }
  if (Value peer = sides[1].access.peer)
    alternatives.push_back(compare(arith::CmpIPredicate::ne, peer,
                                   tile::RankOp::create(builder, loc)));
  Value condition = alternatives.front();
  for (Value other : llvm::drop_begin(alternatives))
    condition = arith::OrIOp::create(builder, loc, condition, other);
  const OpFoldResult shown = destination.getMixedOffsets().front();
  check(loc, condition, valueOf(shown),
        "source and destination of a move within " +
            nameInMessages(source.getTensor()) +
            " that are identical or do not overlap, by the destination's "
            "offset 0");
}

/// Takes away a check, and what only it computed.
void erase(tile::CheckOp check) {
  SmallVector<Operation *> unused{check};
  while (!unused.empty()) {
    Operation *op = unused.pop_back_val();
    SmallVector<Value> operands(op->getOperands());
    op->erase();
    for (Value operand : operands)
      if (Operation *from = operand.getDefiningOp();
          from && from->use_empty() && isPure(from) &&
          !llvm::is_contained(unused, from))
        unused.push_back(from);
  }
}

/// A check that the program came with, as folding made it: that one number is
/// at most another.
FailureOr<Verdict> decide(tile::CheckOp check, const LinearForms &forms) {
  auto condition = check.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!condition || condition.getPredicate() != arith::CmpIPredicate::ule ||
      neverRuns(check, forms))
    return Verdict::Open;
  const LinearForm value = forms.of(condition.getLhs());
  const LinearForm bound = forms.of(condition.getRhs());
  const Verdict verdict =
      judge(check, forms, value, LinearForms::sum(bound, value, -1));
  if (verdict != Verdict::Fails)
    return verdict;
  // Below 0 it is a large number, and the check holds.
  const std::optional<Interval> bounds = forms.rangeOf(bound);
  if (!bounds || bounds->min < 0)
    return Verdict::Open;
  return emitError(check.getLoc())
         << "expected " << check.getExpected() << ", got "
         << describe(*forms.rangeOf(value));
}

LogicalResult checkKernel(tile::KernelOp kernel) {
  std::vector<MoveCheck> checks;
  SmallVector<tile::CheckOp> given;
  SmallVector<Operation *> moves;
  kernel.walk([&](Operation *op) {
    if (auto check = dyn_cast<tile::CheckOp>(op))
      given.push_back(check);
    if (!accessesOf(op).empty() || isShare(op))
      moves.push_back(op);
  });
  for (Operation *move : moves)
    checks.emplace_back(move);
  FailureOr<LinearForms> forms = LinearForms::of(kernel);
  if (failed(forms))
    return failure();
  SmallVector<tile::CheckOp> held;
  for (tile::CheckOp check : given) {
    const FailureOr<Verdict> verdict = decide(check, *forms);
    if (failed(verdict))
      return failure();
    if (*verdict == Verdict::Holds)
      held.push_back(check);
  }
  for (MoveCheck &check : checks)
    if (failed(check.run(*forms)))
      return failure();
  // Last: the forms know ops by their addresses.
  for (tile::CheckOp check : held)
    erase(check);
  for (MoveCheck &check : checks)
    check.eraseUnused();
  return success();
}

struct CheckTilesPass : tilewire::impl::CheckTilesBase<CheckTilesPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<tile::KernelOp>())
      if (failed(checkKernel(kernel)))
        return signalPassFailure();
  }
};

} // namespace
