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

/// The tensor's name in messages, as the text calls it where it can.
std::string nameOf(Value tensor) {
  auto argument = cast<BlockArgument>(tensor);
  auto kernel = cast<tile::KernelOp>(argument.getOwner()->getParentOp());
  auto name = kernel.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                  tile::nameAttrName);
  return "'" + (name ? name.getValue().str() : "tensor") + "'";
}

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

/// Checks the tiles of one move.
class MoveCheck {
public:
  MoveCheck(Operation *move, const LinearForms &forms)
      : move(move), forms(forms), accesses(accessesOf(move)),
        builder(insertionPoint(move)) {}

  LogicalResult run() {
    if (accesses.empty() || neverRuns(move, forms))
      return success();
    for (Access &access : accesses)
      for (size_t dim = 0; dim < access.slice.getSizes().size(); ++dim)
        if (failed(checkOffset(access.slice, dim)))
          return failure();
    // A grid-wide move's peers are the ranks, one after another.
    if (isa<tile::PutGridOp>(move))
      return success();
    if (Value peer = accesses[1].peer; peer && failed(checkPeer(peer)))
      return failure();
    return checkApart();
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
      OpFoldResult from;
      int64_t fromSize;
      OpFoldResult to;
      int64_t toSize;
    };
    SmallVector<Dim> undecided; ///< the dimensions not proved to overlap
    bool mayBeIdentical;
    bool isIdentical;
  };

  LogicalResult checkOffset(tile::SliceOp slice, size_t dim);
  LogicalResult checkPeer(Value peer);
  /// That `index`, of `op`, is from 0 to `last`.
  LogicalResult checkRange(Operation *op, OpFoldResult index, int64_t last,
                           const Twine &what, const Twine &reason);
  Overlap compareTiles();
  LogicalResult checkApart();
  void emitApartCheck(const Overlap &overlap);

  Operation *move;
  const LinearForms &forms;
  SmallVector<Access, 2> accesses;
  OpBuilder builder;
};

LogicalResult MoveCheck::checkOffset(tile::SliceOp slice, size_t dim) {
  const int64_t extent =
      cast<tile::TensorType>(slice.getTensor().getType()).getDimSize(dim);
  const int64_t size = slice.getSizes()[dim];
  return checkRange(slice, slice.getMixedOffsets()[dim], extent - size,
                    "offset " + Twine(dim) + " of a tile of " +
                        nameOf(slice.getTensor()),
                    " (because " + Twine(size) + " elements of " +
                        Twine(extent) + " are taken)");
}

LogicalResult MoveCheck::checkPeer(Value peer) {
  const int64_t numRanks =
      move->getParentOfType<tile::KernelOp>().getNumRanks();
  return checkRange(move, peer, numRanks - 1, "a peer",
                    " (because the kernel has " + Twine(numRanks) + " ranks)");
}

LogicalResult MoveCheck::checkRange(Operation *op, OpFoldResult index,
                                    int64_t last, const Twine &what,
                                    const Twine &reason) {
  const LinearForm form = forms.of(index);
  const std::optional<Interval> range = forms.rangeOf(form);
  if (range && range->min >= 0 && range->max <= last)
    return success();
  const bool isRefused =
      range && (range->min > last || range->max < 0 ||
                (forms.reachesEnds(form) && isAlwaysRun(move, forms)));
  if (isRefused) {
    InFlightDiagnostic error = op->emitOpError()
                               << "expected " << what << " from 0 to " << last
                               << reason << ", got ";
    if (range->min == range->max)
      return error << range->min;
    return error << range->min << " to " << range->max;
  }
  Value value = valueOf(index);
  check(op->getLoc(),
        compare(arith::CmpIPredicate::ule, value,
                valueOf(builder.getIndexAttr(last))),
        value, what + " from 0 to " + Twine(last));
  return success();
}

/// The dimensions of more than one element, as the slice shows them.
SmallVector<int64_t> shownDims(tile::SliceOp slice) {
  SmallVector<int64_t> dims = slice.getPermutationOrIdentity();
  llvm::erase_if(dims, [&](int64_t dim) { return slice.getSizes()[dim] == 1; });
  return dims;
}

MoveCheck::Overlap MoveCheck::compareTiles() {
  tile::SliceOp source = accesses[0].slice, destination = accesses[1].slice;
  const Executions now{move, move, {}};
  Overlap overlap;
  overlap.mayBeIdentical = source.getSizes() == destination.getSizes() &&
                           shownDims(source) == shownDims(destination);
  overlap.isIdentical = overlap.mayBeIdentical;
  for (auto [from, fromSize, to, toSize] :
       llvm::zip_equal(source.getMixedOffsets(), source.getSizes(),
                       destination.getMixedOffsets(), destination.getSizes())) {
    const auto shift = forms.difference(forms.of(from), forms.of(to), now);
    overlap.mayBeIdentical &= !shift || (shift->min <= 0 && shift->max >= 0);
    overlap.isIdentical &= shift && shift->min == 0 && shift->max == 0;
    if (!shift || shift->min <= -toSize || shift->max >= fromSize)
      overlap.undecided.push_back({from, fromSize, to, toSize});
  }
  return overlap;
}

LogicalResult MoveCheck::checkApart() {
  Value tensor = accesses[0].slice.getTensor();
  const Executions now{move, move, {}};
  if (tensor != accesses[1].slice.getTensor() ||
      !mayOverlap(forms, accesses[0], accesses[1], now))
    return success();
  const Overlap overlap = compareTiles();
  const bool isHere = !accesses[1].peer || isThisRank(forms, accesses[1].peer);
  if (overlap.isIdentical)
    return success();
  if (isHere && overlap.undecided.empty() && !overlap.mayBeIdentical)
    return move->emitOpError()
           << "expected source and destination that are identical or do not "
              "overlap (because threads read and write in any order), got "
              "parts of "
           << nameOf(tensor) << " that do; move by way of another tensor";
  emitApartCheck(overlap);
  return success();
}

/// One of the dimensions keeps the tiles apart, or all are the same, or the
/// peer is another rank.
void MoveCheck::emitApartCheck(const Overlap &overlap) {
  Location loc = move->getLoc();
  SmallVector<Value> alternatives;
  auto add = [&](Value offset, int64_t size) -> Value {
    return arith::AddIOp::create(builder, loc, offset,
                                 valueOf(builder.getIndexAttr(size)));
  };
  for (const auto &dim : overlap.undecided) {
    Value from = valueOf(dim.from), to = valueOf(dim.to);
    alternatives.push_back(
        compare(arith::CmpIPredicate::ule, add(from, dim.fromSize), to));
    alternatives.push_back(
        compare(arith::CmpIPredicate::ule, add(to, dim.toSize), from));
  }
  if (overlap.mayBeIdentical) {
    Value same;
    for (auto [from, to] :
         llvm::zip_equal(accesses[0].slice.getMixedOffsets(),
                         accesses[1].slice.getMixedOffsets())) {
      Value equal =
          compare(arith::CmpIPredicate::eq, valueOf(from), valueOf(to));
      same = same ? arith::AndIOp::create(builder, loc, same, equal) : equal;
    }
    alternatives.push_back(same);
  }
  if (Value peer = accesses[1].peer)
    alternatives.push_back(compare(arith::CmpIPredicate::ne, peer,
                                   tile::RankOp::create(builder, loc)));
  Value condition = alternatives.front();
  for (Value other : llvm::drop_begin(alternatives))
    condition = arith::OrIOp::create(builder, loc, condition, other);
  const OpFoldResult shown = accesses[1].slice.getMixedOffsets().front();
  check(loc, condition, valueOf(shown),
        "source and destination of a move within " +
            nameOf(accesses[0].slice.getTensor()) +
            " that are identical or do not overlap, by the destination's "
            "offset 0");
}

struct CheckTilesPass : tilewire::impl::CheckTilesBase<CheckTilesPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<tile::KernelOp>()) {
      FailureOr<LinearForms> forms = LinearForms::of(kernel);
      if (failed(forms))
        return signalPassFailure();
      auto result = kernel.walk([&](Operation *op) -> WalkResult {
        return MoveCheck(op, *forms).run();
      });
      if (result.wasInterrupted())
        return signalPassFailure();
    }
  }
};

} // namespace
