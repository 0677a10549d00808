//===- Accesses.cpp - what moves touch ------------------------------------===//

#include "compiler/passes/Accesses.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewire;
using namespace tilewire::tile;

std::string tilewire::nameInMessages(Value tensor) {
  auto argument = cast<BlockArgument>(tensor);
  auto kernel = cast<KernelOp>(argument.getOwner()->getParentOp());
  auto name = kernel.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                  nameAttrName);
  return "'" + (name ? name.getValue().str() : "tensor") + "'";
}

SmallVector<Access, 2> tilewire::accessesOf(Operation *op) {
  SmallVector<Access, 2> accesses;
  auto add = [&](Value from, Value to, Value peer) {
    auto source = from.getDefiningOp<SliceOp>();
    auto destination = to.getDefiningOp<SliceOp>();
    if (source && destination)
      accesses = {{op, source, Value(), /*isWrite=*/false},
                  {op, destination, peer, /*isWrite=*/true}};
  };
  TypeSwitch<Operation *>(op)
      .Case([&](PutBlockOp put) {
        add(put.getSource(), put.getDestination(), put.getPeer());
      })
      .Case([&](CopyOp copy) {
        add(copy.getSource(), copy.getDestination(), Value());
      })
      .Case([&](PutGridOp put) {
        add(put.getYield().getSource(), put.getYield().getDestination(),
            put.getPeer());
      });
  return accesses;
}

bool tilewire::mayBeOfOneRank(const LinearForms &forms, const Access &first,
                              const Access &second,
                              const Executions &executions) {
  if (first.peer == second.peer || executions.byAnyone)
    return true;
  // By rank: this rank's own copy is that of its number.
  const ArrayRef<int64_t> before = forms.onEachRank(first.peer);
  const ArrayRef<int64_t> after = forms.onEachRank(second.peer);
  const size_t numRanks = std::max(before.size(), after.size());
  if ((!first.peer || !before.empty()) && (!second.peer || !after.empty()))
    return llvm::any_of(llvm::seq<size_t>(0, numRanks), [&](size_t rank) {
      return (first.peer ? before[rank] : int64_t(rank)) ==
             (second.peer ? after[rank] : int64_t(rank));
    });
  if (!first.peer || !second.peer)
    return true;
  const auto apart =
      forms.difference(forms.of(first.peer), forms.of(second.peer), executions);
  return !apart || (apart->min <= 0 && apart->max >= 0);
}

bool tilewire::areApart(const LinearForms &forms, const Span &first,
                        const Span &second, const Executions &executions) {
  const LinearForm from = forms.of(first.offset), to = forms.of(second.offset);
  const auto fromEnd = LinearForms::sum(from, forms.of(first.size));
  const auto toEnd = LinearForms::sum(to, forms.of(second.size));
  const auto after = fromEnd ? forms.difference(*fromEnd, to, executions)
                             : std::optional<Interval>();
  const auto before = toEnd ? forms.difference(from, *toEnd, executions)
                            : std::optional<Interval>();
  return (after && after->min >= 0) || (before && before->max <= 0);
}

bool tilewire::mayOverlap(const LinearForms &forms, const Access &first,
                          const Access &second, const Executions &executions) {
  SliceOp before = first.slice, after = second.slice;
  auto isEmpty = [](SliceOp slice) {
    return llvm::is_contained(slice.getMostSizes(), 0);
  };
  if (!mayAlias(before.getTensor(), after.getTensor()) || isEmpty(before) ||
      isEmpty(after) || !mayBeOfOneRank(forms, first, second, executions))
    return false;
  // Nothing is known of where two tensors that may alias lie.
  if (before.getTensor() != after.getTensor())
    return true;
  for (auto [from, fromSize, to, toSize] :
       llvm::zip_equal(before.getMixedOffsets(), before.getMixedSizes(),
                       after.getMixedOffsets(), after.getMixedSizes()))
    if (areApart(forms, {from, fromSize}, {to, toSize}, executions))
      return false;
  return true;
}

bool tilewire::mayConflict(const LinearForms &forms, const Access &first,
                           const Access &second, const Executions &executions) {
  return (first.isWrite || second.isWrite) &&
         mayOverlap(forms, first, second, executions);
}

bool tilewire::areIdenticalOrApart(const LinearForms &forms,
                                   const Access &first, const Access &second,
                                   const Executions &executions) {
  SliceOp before = first.slice, after = second.slice;
  if (before.getTensor() != after.getTensor() ||
      before.getStaticSizes() != after.getStaticSizes() ||
      !before.getSizes().empty())
    return false;
  for (auto [from, to, size] :
       llvm::zip_equal(before.getMixedOffsets(), after.getMixedOffsets(),
                       before.getStaticSizes())) {
    const auto apart =
        forms.difference(forms.of(from), forms.of(to), executions);
    if (size != 1 && (!apart || apart->min != 0 || apart->max != 0))
      return false;
  }
  return true;
}
