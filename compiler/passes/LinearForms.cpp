//===- LinearForms.cpp - indices as sums of what differs ------------------===//

#include "compiler/passes/LinearForms.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewire;

namespace {

/// The most terms of a form; a longer sum is a leaf of its own, so that a chain
/// of sums costs no more than its length.
constexpr size_t mostTerms = 16;

std::optional<Interval> rangeFrom(Value value, DataFlowSolver &solver) {
  auto *lattice = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  if (!lattice || lattice->getValue().isUninitialized())
    return std::nullopt;
  const ConstantIntRanges &range = lattice->getValue().getValue();
  if (!range.umax().isNegative())
    return Interval{range.umin().getSExtValue(), range.umax().getSExtValue()};
  return Interval{range.smin().getSExtValue(), range.smax().getSExtValue()};
}

std::optional<Interval> sumOf(std::optional<Interval> lhs,
                              std::optional<Interval> rhs) {
  Interval result;
  if (!lhs || !rhs || llvm::AddOverflow(lhs->min, rhs->min, result.min) ||
      llvm::AddOverflow(lhs->max, rhs->max, result.max))
    return std::nullopt;
  return result;
}

std::optional<Interval> product(std::optional<Interval> range, int64_t factor) {
  Interval result{0, 0};
  if (factor == 0)
    return result;
  if (!range || llvm::MulOverflow(range->min, factor, result.min) ||
      llvm::MulOverflow(range->max, factor, result.max))
    return std::nullopt;
  if (factor < 0)
    std::swap(result.min, result.max);
  return result;
}

int64_t factorOf(const LinearForm &form, Value leaf) {
  for (auto [value, factor] : form.terms)
    if (value == leaf)
      return factor;
  return 0;
}

/// `form` times `factor`; nothing when a factor overflows.
std::optional<LinearForm> times(LinearForm form, int64_t factor) {
  if (llvm::MulOverflow(form.constant, factor, form.constant))
    return std::nullopt;
  for (auto &term : form.terms)
    if (llvm::MulOverflow(term.second, factor, term.second))
      return std::nullopt;
  return form;
}

/// `lhs` plus `rhs`; nothing when a factor overflows or there are too many.
std::optional<LinearForm> plus(LinearForm lhs, const LinearForm &rhs) {
  if (llvm::AddOverflow(lhs.constant, rhs.constant, lhs.constant))
    return std::nullopt;
  for (auto [value, factor] : rhs.terms) {
    auto *found = llvm::find_if(
        lhs.terms, [leaf = value](auto &term) { return term.first == leaf; });
    if (found == lhs.terms.end())
      lhs.terms.push_back({value, factor});
    else if (llvm::AddOverflow(found->second, factor, found->second))
      return std::nullopt;
  }
  llvm::erase_if(lhs.terms, [](auto &term) { return term.second == 0; });
  if (lhs.terms.size() > mostTerms)
    return std::nullopt;
  return lhs;
}

/// One operator of unsigned numbers of 64 bits, as the text computes.
std::optional<int64_t> evaluate(Operation *op, uint64_t lhs, uint64_t rhs,
                                int64_t numRanks) {
  if (isa<tile::ShareSizeOp, tile::ShareBeginOp>(op)) {
    if (lhs > uint64_t(INT64_MAX) || rhs >= uint64_t(numRanks))
      return std::nullopt;
    const Partition partition{int64_t(lhs), int(numRanks)};
    return isa<tile::ShareSizeOp>(op) ? partition.size(int(rhs))
                                      : partition.begin(int(rhs));
  }
  if (isa<arith::AddIOp>(op))
    return lhs + rhs;
  if (isa<arith::SubIOp>(op))
    return lhs - rhs;
  if (isa<arith::MulIOp>(op))
    return lhs * rhs;
  if (isa<arith::DivUIOp>(op) && rhs != 0)
    return lhs / rhs;
  if (isa<arith::RemUIOp>(op) && rhs != 0)
    return lhs % rhs;
  if (isa<arith::MinUIOp>(op))
    return std::min(lhs, rhs);
  if (isa<arith::MaxUIOp>(op))
    return std::max(lhs, rhs);
  return std::nullopt;
}

} // namespace

std::optional<Interval> tilewire::constantTurns(scf::ForOp loop) {
  auto first = getConstantIntValue(loop.getLowerBound());
  auto end = getConstantIntValue(loop.getUpperBound());
  auto step = getConstantIntValue(loop.getStep());
  if (!first || !end || !step || *first < 0 || *first >= *end || *step < 1)
    return std::nullopt;
  return Interval{*first, *first + (*end - 1 - *first) / *step * *step};
}

FailureOr<LinearForms> LinearForms::of(tile::KernelOp kernel) {
  DataFlowSolver solver;
  dataflow::loadBaselineAnalyses(solver);
  solver.load<dataflow::IntegerRangeAnalysis>();
  if (failed(solver.initializeAndRun(kernel)))
    return failure();
  LinearForms forms;
  forms.numRanks = kernel.getNumRanks();
  // In the order of the text: what a sum adds comes before it.
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      forms.addCounter(loop, solver);
    else if (auto put = dyn_cast<tile::PutGridOp>(op))
      forms.addLeaf(put.getPeer(),
                    {rangeFrom(put.getPeer(), solver), /*reachesEnds=*/true});
    else if (op->getNumResults() == 1 && isPure(op) &&
             op->getResult(0).getType().isIndex())
      forms.addOp(op, solver);
    // Nothing is known of what else computes an index.
    for (Value result : op->getResults())
      if (!forms.forms.contains(result) && result.getType().isIndex())
        forms.addLeaf(result, {rangeFrom(result, solver), false, false,
                               op->getParentOfType<scf::ForOp>()});
  });
  return forms;
}

void LinearForms::addLeaf(Value value, Leaf leaf) {
  leaves[value] = leaf;
  loops[value] = leaf.loop;
  forms[value] = {0, {{value, 1}}};
}

void LinearForms::addCounter(scf::ForOp loop, DataFlowSolver &solver) {
  for (Value carried : loop.getRegionIterArgs())
    if (carried.getType().isIndex())
      addLeaf(carried, {rangeFrom(carried, solver), false, false, loop});
  const std::optional<Interval> turns = constantTurns(loop);
  Value counter = loop.getInductionVar();
  if (counter.getType().isIndex())
    addLeaf(counter, {turns ? turns : rangeFrom(counter, solver),
                      turns.has_value(), false, loop});
}

/// The innermost loop whose turn the operands of `op` depend on: all that do
/// are around `op`, so the innermost has the longest way out.
scf::ForOp LinearForms::innermostLoop(Operation *op) const {
  scf::ForOp innermost;
  for (Value operand : op->getOperands())
    if (scf::ForOp loop = loops.lookup(operand))
      if (!innermost || innermost->isProperAncestor(loop))
        innermost = loop;
  return innermost;
}

void LinearForms::addOp(Operation *op, DataFlowSolver &solver) {
  Value value = op->getResult(0);
  const std::optional<Interval> range = rangeFrom(value, solver);
  if (isa<tile::RankOp>(op)) {
    if (!rank) {
      addLeaf(rank = value, {range, /*reachesEnds=*/true, /*isOfRank=*/true});
      for (int64_t number = 0; number < numRanks; ++number)
        rankTables[rank].push_back(number);
    }
    forms[value] = forms[rank];
    rankTables[value] = SmallVector<int64_t>(rankTables[rank]);
    return;
  }
  if (auto parameter = dyn_cast<tile::ParameterOp>(op)) {
    Value &known = parameters[parameter.getNameAttr()];
    if (!known)
      addLeaf(known = value, {range, /*reachesEnds=*/true});
    forms[value] = LinearForm(forms[known]);
    return;
  }
  if (auto index = dyn_cast<tile::BlockIndexOp>(op)) {
    Value &axis = axes[index.getAxis()];
    if (!axis)
      addLeaf(axis = value, {range, /*reachesEnds=*/true});
    forms[value] = LinearForm(forms[axis]);
    return;
  }
  evaluateOnRanks(op);
  loops[value] = innermostLoop(op);
  if (auto constant = getConstantIntValue(value)) {
    forms[value] = {*constant, {}};
    return;
  }
  if (std::optional<LinearForm> form = combine(op)) {
    forms[value] = *form;
    return;
  }
  Leaf leaf{range, false, false, loops[value]};
  if (auto table = rankTables.find(value); table != rankTables.end())
    leaf = {Interval{*llvm::min_element(table->second),
                     *llvm::max_element(table->second)},
            /*reachesEnds=*/true, /*isOfRank=*/true};
  if (isa<tile::ShareSizeOp, tile::ShareBeginOp>(op))
    return addShare(op, leaf, solver);
  addLeaf(value, leaf);
}

namespace {

bool areEqual(const LinearForm &lhs, const LinearForm &rhs) {
  const std::optional<LinearForm> apart = LinearForms::sum(lhs, rhs, -1);
  return apart && apart->constant == 0 && apart->terms.empty();
}

} // namespace

/// The same share of the same total is one leaf.
void LinearForms::addShare(Operation *op, Leaf leaf, DataFlowSolver &solver) {
  const LinearForm total = of(op->getOperand(0)), rank = of(op->getOperand(1));
  auto share = llvm::find_if(shares, [&](const Share &share) {
    return areEqual(share.total, total) && areEqual(share.rank, rank);
  });
  if (share == shares.end()) {
    const std::optional<Interval> totals = rangeFrom(op->getOperand(0), solver);
    shares.push_back({total,
                      rank,
                      totals && totals->min >= 0
                          ? std::optional<Interval>({0, totals->max})
                          : std::nullopt,
                      {},
                      {}});
    share = std::prev(shares.end());
  }
  Value value = op->getResult(0);
  Value &known = isa<tile::ShareSizeOp>(op) ? share->size : share->begin;
  if (known) {
    forms[value] = LinearForm(forms[known]);
    return;
  }
  known = value;
  addLeaf(value, leaf);
}

/// The form of a sum or a multiple; nothing for what is neither.
std::optional<LinearForm> LinearForms::combine(Operation *op) const {
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  const LinearForm lhs = of(op->getOperand(0)), rhs = of(op->getOperand(1));
  if (isa<arith::AddIOp>(op))
    return plus(lhs, rhs);
  if (isa<arith::SubIOp>(op)) {
    const std::optional<LinearForm> negative = times(rhs, -1);
    return negative ? plus(lhs, *negative) : std::nullopt;
  }
  if (rhs.terms.empty())
    return times(lhs, rhs.constant);
  return lhs.terms.empty() ? times(rhs, lhs.constant) : std::nullopt;
}

void LinearForms::evaluateOnRanks(Operation *op) {
  SmallVector<int64_t> table;
  if (auto constant = getConstantIntValue(op->getResult(0))) {
    table.assign(numRanks, *constant);
  } else if (op->getNumOperands() == 2) {
    auto lhs = rankTables.find(op->getOperand(0));
    auto rhs = rankTables.find(op->getOperand(1));
    if (lhs == rankTables.end() || rhs == rankTables.end())
      return;
    for (auto [left, right] : llvm::zip_equal(lhs->second, rhs->second)) {
      const std::optional<int64_t> result = evaluate(op, left, right, numRanks);
      if (!result)
        return;
      table.push_back(*result);
    }
  }
  if (!table.empty())
    rankTables[op->getResult(0)] = std::move(table);
}

LinearForm LinearForms::of(OpFoldResult index) const {
  if (auto constant = dyn_cast<Attribute>(index))
    return {cast<IntegerAttr>(constant).getInt(), {}};
  const Value value = cast<Value>(index);
  auto found = forms.find(value);
  return found == forms.end() ? LinearForm{0, {{value, 1}}} : found->second;
}

ArrayRef<int64_t> LinearForms::onEachRank(OpFoldResult index) const {
  auto found = rankTables.find(dyn_cast_if_present<Value>(index));
  return found == rankTables.end() ? ArrayRef<int64_t>()
                                   : ArrayRef<int64_t>(found->second);
}

std::optional<LinearForm>
LinearForms::sum(const LinearForm &lhs, const LinearForm &rhs, int64_t factor) {
  const std::optional<LinearForm> scaled = times(rhs, factor);
  return scaled ? plus(lhs, *scaled) : std::nullopt;
}

namespace {

/// How often all of `factors`, which are not 0 and have one sign, can be taken.
int64_t takenTogether(ArrayRef<int64_t> factors) {
  int64_t taken = factors.front();
  for (int64_t factor : factors)
    if ((factor < 0) != (taken < 0))
      return 0;
    else if (std::abs(factor) < std::abs(taken))
      taken = factor;
  return taken;
}

} // namespace

/// Takes out of `terms` what is known of a share's parts together: begin and
/// size are an end, and a total less either or both is what is left of it.
std::optional<Interval> LinearForms::takeShare(const Share &share,
                                               LinearForm &form) const {
  std::optional<Interval> range = Interval{0, 0};
  auto of = [&](Value leaf) -> int64_t * {
    auto *found = llvm::find_if(form.terms,
                                [&](auto &term) { return term.first == leaf; });
    return found == form.terms.end() || found->second == 0 ? nullptr
                                                           : &found->second;
  };
  int64_t *begin = of(share.begin), *size = of(share.size);
  const bool isLeaf = share.total.constant == 0 &&
                      share.total.terms.size() == 1 &&
                      share.total.terms.front().second == 1;
  int64_t *total = isLeaf ? of(share.total.terms.front().first) : nullptr;
  if (total && *total != INT64_MIN) {
    SmallVector<int64_t> factors{-*total};
    for (int64_t *part : {begin, size})
      if (part)
        factors.push_back(*part);
    const int64_t taken = factors.size() > 1 ? takenTogether(factors) : 0;
    *total += taken;
    for (int64_t *part : {begin, size})
      if (part)
        *part -= taken;
    range = sumOf(range, product(share.end, -taken));
  }
  if (begin && size && *begin != 0 && *size != 0) {
    const int64_t taken = takenTogether({*begin, *size});
    *begin -= taken;
    *size -= taken;
    range = sumOf(range, product(share.end, taken));
  }
  return range;
}

std::optional<Interval> LinearForms::rangeOf(const LinearForm &form) const {
  std::optional<Interval> range = Interval{form.constant, form.constant};
  LinearForm rest = form;
  for (const Share &share : shares)
    range = sumOf(range, takeShare(share, rest));
  for (auto [leaf, factor] : rest.terms)
    range = sumOf(range, product(leaves.lookup(leaf).range, factor));
  return range;
}

bool LinearForms::reachesEnds(const LinearForm &form) const {
  unsigned ofRank = 0;
  for (auto [value, factor] : form.terms) {
    const Leaf leaf = leaves.lookup(value);
    ofRank += leaf.isOfRank;
    if (!leaf.reachesEnds)
      return false;
  }
  return ofRank <= 1;
}

LinearForms::Likeness LinearForms::compare(Value leaf,
                                           const Executions &executions) const {
  if (executions.byAnyone)
    return Likeness::Unlike;
  scf::ForOp loop = leaves.lookup(leaf).loop;
  if (!loop)
    return Likeness::Same;
  if (!loop->isProperAncestor(executions.first) ||
      !loop->isProperAncestor(executions.second))
    return Likeness::Unlike;
  scf::ForOp crossed = executions.crossed;
  if (!crossed || loop->isProperAncestor(crossed))
    return Likeness::Same;
  return loop == crossed && leaf == loop.getInductionVar() ? Likeness::Later
                                                           : Likeness::Unlike;
}

std::optional<Interval>
LinearForms::difference(const LinearForm &first, const LinearForm &second,
                        const Executions &executions) const {
  // What is alike both times changes by the difference of its factors.
  LinearForm alike;
  if (llvm::SubOverflow(second.constant, first.constant, alike.constant))
    return std::nullopt;
  std::optional<Interval> result = Interval{0, 0};
  SmallVector<Value> values;
  for (const LinearForm *form : {&first, &second})
    for (auto [leaf, factor] : form->terms)
      if (!llvm::is_contained(values, leaf))
        values.push_back(leaf);
  for (Value leaf : values) {
    const int64_t before = factorOf(first, leaf);
    const int64_t after = factorOf(second, leaf);
    int64_t change;
    const std::optional<Interval> range = leaves.lookup(leaf).range;
    const Likeness likeness = compare(leaf, executions);
    if (likeness == Likeness::Unlike) {
      if (before == INT64_MIN)
        return std::nullopt;
      result =
          sumOf(result, sumOf(product(range, after), product(range, -before)));
      continue;
    }
    if (llvm::SubOverflow(after, before, change))
      return std::nullopt;
    if (change != 0)
      alike.terms.push_back({leaf, change});
    if (likeness == Likeness::Same)
      continue;
    // At least one step further on, and at most from end to end.
    scf::ForOp loop = executions.crossed;
    const int64_t step = getConstantIntValue(loop.getStep()).value_or(1);
    int64_t span;
    if (!range || llvm::SubOverflow(range->max, range->min, span))
      return std::nullopt;
    result =
        sumOf(result, product(Interval{step, std::max(step, span)}, after));
  }
  return sumOf(result, rangeOf(alike));
}
