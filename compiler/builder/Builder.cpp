//===- Builder.cpp - writing tile programs in C++ -------------------------===//

#include <tilewire/Builder.h>

#include "compiler/builder/BuilderState.h"

using namespace mlir;
using namespace tilewire;

namespace {

/// "B, H, S, D", for messages.
std::string listDims(const TensorArgument &tensor) {
  std::string list;
  for (const Extent &extent : tensor.extents())
    list += (list.empty() ? "" : ", ") +
            (extent.name.empty() ? "(unnamed)" : extent.name);
  return list;
}

/// Number of the source's dimension called `name`.
int64_t dimCalled(const TensorArgument &source, const std::string &name,
                  const char *option, std::source_location place) {
  for (size_t dim = 0; dim < source.extents().size(); ++dim)
    if (source.extents()[dim].name == name && !name.empty())
      return dim;
  throw UserError(BuilderState::prefix(place) + "expected '" + option +
                  "' to name a dimension of tensor '" + source.name() + "' (" +
                  listDims(source) + "), got '" + name + "'");
}

/// Names are part of a layout: dimensions that correspond bear the same one.
void checkDimNames(const TensorArgument &source,
                   const TensorArgument &destination,
                   const std::vector<int64_t> &permutation,
                   std::source_location place) {
  if (permutation.size() != source.extents().size() ||
      permutation.size() != destination.extents().size())
    return; // the op's verifier says what is wrong
  for (size_t dim = 0; dim < permutation.size(); ++dim) {
    if (permutation[dim] < 0 || size_t(permutation[dim]) >= permutation.size())
      return;
    const std::string &from = source.extents()[permutation[dim]].name;
    const std::string &to = destination.extents()[dim].name;
    if (!from.empty() && !to.empty() && from != to)
      throw UserError(BuilderState::prefix(place) + "expected dimension " +
                      std::to_string(dim) + " of tensor '" +
                      destination.name() + "' to be " + from +
                      " (because of 'permute'), got " + to);
  }
}

} // namespace

ProgramBuilder::ProgramBuilder(std::string name, ProgramOptions options,
                               std::source_location place)
    : state(std::make_shared<BuilderState>(std::move(name), options, place)) {}

/// Handles may outlive the builder: they find a program that is spent.
ProgramBuilder::~ProgramBuilder() { state->isSpent = true; }

int ProgramBuilder::numRanks() const { return state->options.numRanks; }

Extent ProgramBuilder::share(const Extent &whole,
                             std::source_location place) const {
  const std::string what =
      whole.name.empty() ? "the shared extent" : "extent " + whole.name;
  if (whole.value < 0)
    throw UserError(BuilderState::prefix(place) + "expected " + what +
                    " to be at least 0, got " + std::to_string(whole.value));
  if (whole.isShare)
    throw UserError(BuilderState::prefix(place) + "expected " + what +
                    " to be whole, got a share of it");
  Extent share = whole;
  share.isShare = true;
  return share;
}

Extent ProgramBuilder::parameter(const Extent &most,
                                 std::source_location place) {
  state->at(place);
  state->checkNotSpent();
  if (most.isShare || !most.parameter.empty())
    throw UserError(BuilderState::prefix(place) +
                    "expected a number as the most of parameter '" + most.name +
                    "', got a share or another parameter");
  state->addParameter(most.name, most.value, place);
  Extent extent = most;
  extent.parameter = most.name;
  return extent;
}

TensorArgument ProgramBuilder::addTensor(std::string name, DataType dtype,
                                         std::vector<Extent> extents,
                                         bool symmetric,
                                         std::source_location place) {
  state->at(place);
  state->checkNotSpent();
  const unsigned number =
      state->addTensor(name, dtype, extents, symmetric, place);
  return {state, std::move(name), std::move(extents), number};
}

TensorArgument ProgramBuilder::tensor(std::string name, DataType dtype,
                                      std::vector<Extent> extents,
                                      std::source_location place) {
  return addTensor(std::move(name), dtype, std::move(extents),
                   /*symmetric=*/false, place);
}

TensorArgument ProgramBuilder::symmetricTensor(std::string name, DataType dtype,
                                               std::vector<Extent> extents,
                                               std::source_location place) {
  return addTensor(std::move(name), dtype, std::move(extents),
                   /*symmetric=*/true, place);
}

void ProgramBuilder::kernel(const Grid &grid,
                            const std::function<void(Block &)> &body,
                            std::source_location place) {
  state->at(place);
  state->checkNotSpent();
  if (state->isFilled)
    throw UserError(BuilderState::prefix(place) +
                    "expected one kernel or collectives only, got a kernel "
                    "after either");
  BuilderState::checkBody(bool(body), place);
  state->isFilled = true;
  state->kernel->setLoc(state->at(place));
  state->kernel.setGrid(ArrayRef<int64_t>(grid.grid));
  state->kernel.setThreads(grid.threads);
  DiagnosticKeeper keeper(state->builder.getContext());
  keeper.check(mlir::verify(state->kernel, /*verifyRecursively=*/false));
  // No block of an empty grid does anything, and tiles of empty tensors can't
  // be named.
  if (state->kernel.numLogicalBlocks() == 0)
    return;
  Block block(state);
  state->fill([&] { body(block); });
  // What only the whole body shows, such as what is the same for all threads.
  keeper.check(mlir::verify(state->kernel));
}

void ProgramBuilder::allToAll(const TensorArgument &source,
                              const TensorArgument &destination,
                              const AllToAll &options,
                              std::source_location place) {
  state->at(place);
  state->checkNotSpent();
  Location loc = state->at(place);
  if (!state->isFilled)
    state->kernel->setLoc(loc);
  const int64_t scatter = dimCalled(source, options.scatter, "scatter", place);
  const int64_t gather = dimCalled(source, options.gather, "gather", place);
  std::vector<int64_t> permutation = options.permute;
  for (size_t dim = 0; options.permute.empty() && dim < source.extents().size();
       ++dim)
    permutation.push_back(dim);
  checkDimNames(source, destination, permutation, place);
  state->create<tile::AllToAllOp>(
      loc, state->tensor(source, place), state->tensor(destination, place),
      scatter, gather, ArrayRef<int64_t>(permutation), tile::PlanAttr());
  state->isFilled = true;
}

Program ProgramBuilder::build() {
  state->checkNotSpent();
  if (state->depth > 0)
    throw UserError(state->lastPrefix() +
                    "expected build() after the body of program '" +
                    state->name + "', got it inside");
  if (!state->isFilled)
    throw UserError(state->lastPrefix() + "expected program '" + state->name +
                    "' to hold a kernel or a collective, got neither");
  DiagnosticKeeper keeper(state->builder.getContext());
  keeper.check(mlir::verify(*state->program->module));
  state->isSpent = true;
  return Program(state->program);
}
