//===- Builder.cpp - writing tile programs in C++ -------------------------===//

#include <tilewire/Builder.h>

#include "compiler/builder/BuilderState.h"

using namespace mlir;
using namespace tilewire;

/// What a collective reads or writes.
struct ProgramBuilder::Operand {
  Value view;
  std::string what; ///< "tensor 'src'", for messages
  std::vector<std::string> dims;

  Operand(BuilderState &state, Value view)
      : view(view),
        what((isa<BlockArgument>(view) ? "tensor '" : "the tile of tensor '") +
             state.nameOf(view) + "'"),
        dims(state.dimNamesOf(view)) {}

  /// "B, H, S, D", for messages.
  std::string list() const {
    std::string list;
    for (const std::string &name : dims)
      list += (list.empty() ? "" : ", ") + (name.empty() ? "(unnamed)" : name);
    return list;
  }

  /// Number of the dimension called `name`.
  int64_t dimCalled(const std::string &name, const char *option,
                    std::source_location place) const {
    for (size_t dim = 0; dim < dims.size(); ++dim)
      if (dims[dim] == name && !name.empty())
        return int64_t(dim);
    throw UserError(BuilderState::prefix(place) + "expected '" + option +
                    "' to name a dimension of " + what + " (" + list() +
                    "), got '" + name + "'");
  }

  /// Names are part of a layout: dimensions that correspond bear the same one.
  void checkDimNames(const Operand &source,
                     const std::vector<int64_t> &permutation,
                     std::source_location place) const {
    if (permutation.size() != source.dims.size() ||
        permutation.size() != dims.size())
      return; // the op's verifier says what is wrong
    for (size_t dim = 0; dim < permutation.size(); ++dim) {
      if (permutation[dim] < 0 ||
          size_t(permutation[dim]) >= permutation.size())
        return;
      const std::string &from = source.dims[size_t(permutation[dim])];
      const std::string &to = dims[dim];
      if (!from.empty() && !to.empty() && from != to)
        throw UserError(BuilderState::prefix(place) + "expected dimension " +
                        std::to_string(dim) + " of " + what + " to be " + from +
                        " (because of 'permute'), got " + to);
    }
  }
};

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
                                         const TensorOptions &options,
                                         std::source_location place) {
  state->at(place);
  state->checkNotSpent();
  const unsigned number =
      state->addTensor(name, dtype, extents, symmetric, options.strides, place);
  return {state, std::move(name), std::move(extents), number};
}

TensorArgument ProgramBuilder::tensor(std::string name, DataType dtype,
                                      std::vector<Extent> extents,
                                      TensorOptions options,
                                      std::source_location place) {
  return addTensor(std::move(name), dtype, std::move(extents),
                   /*symmetric=*/false, options, place);
}

TensorArgument ProgramBuilder::symmetricTensor(std::string name, DataType dtype,
                                               std::vector<Extent> extents,
                                               TensorOptions options,
                                               std::source_location place) {
  return addTensor(std::move(name), dtype, std::move(extents),
                   /*symmetric=*/true, options, place);
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

void ProgramBuilder::allToAll(const Operand &source, const Operand &destination,
                              const AllToAll &options,
                              std::source_location place) {
  Location loc = state->at(place);
  if (!state->isFilled)
    state->kernel->setLoc(loc);
  const int64_t scatter = source.dimCalled(options.scatter, "scatter", place);
  const int64_t gather = source.dimCalled(options.gather, "gather", place);
  std::vector<int64_t> permutation = options.permute;
  for (size_t dim = 0; options.permute.empty() && dim < source.dims.size();
       ++dim)
    permutation.push_back(int64_t(dim));
  destination.checkDimNames(source, permutation, place);
  state->create<tile::AllToAllOp>(loc, source.view, destination.view, scatter,
                                  gather, ArrayRef<int64_t>(permutation),
                                  options.replicas, tile::PlanAttr());
  state->isFilled = true;
}

void ProgramBuilder::allToAll(const TensorArgument &source,
                              const TensorArgument &destination,
                              const AllToAll &options,
                              std::source_location place) {
  state->at(place);
  allToAll(Operand(*state, state->tensor(source, place)),
           Operand(*state, state->tensor(destination, place)), options, place);
}

void ProgramBuilder::allToAll(const Tile &source, const Tile &destination,
                              const AllToAll &options,
                              std::source_location place) {
  state->at(place);
  allToAll(Operand(*state, state->valueOf(source, place)),
           Operand(*state, state->valueOf(destination, place)), options, place);
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
