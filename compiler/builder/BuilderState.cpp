//===- BuilderState.cpp - the MLIR behind the builder's handles -----------===//

#include "compiler/builder/BuilderState.h"

#include "compiler/Locations.h"
#include "dialects/Tile/ElementTypes.h"

#include <tilewire/Partition.h>
#include <tilewire/Tensor.h>

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewire;

namespace {

/// The file's name without its folder: the same wherever a project lies.
std::string_view baseName(std::string_view path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// A tensor's strides must fit as its bytes do: they are products in which an
/// extent of 0 hides none of the others.
void checkBytes(const std::vector<Extent> &extents, DataType dtype,
                const std::string &what) {
  int64_t bytes = byteWidth(dtype);
  bool isEmpty = false, fits = true;
  for (const Extent &extent : extents) {
    if (extent.value < 0)
      throw UserError("expected extents of 0 or more for " + what +
                      ", got shape " + formatExtents(extents));
    isEmpty |= extent.value == 0;
    fits &=
        !llvm::MulOverflow(bytes, std::max<int64_t>(extent.value, 1), bytes);
  }
  if (!fits)
    throw UserError(std::string("expected ") + (isEmpty ? "strides of " : "") +
                    "at most 2^63 - 1 bytes for " + what +
                    (isEmpty ? " (because an empty tensor has them too)" : "") +
                    ", got shape " + formatExtents(extents) + " of " +
                    std::string(tilewire::name(dtype)) + formatBounds(extents));
}

} // namespace

std::string BuilderState::prefix(std::source_location place) {
  return formatPlace(baseName(place.file_name()), place.line()) + ": ";
}

BuilderState::BuilderState(std::string name, ProgramOptions options,
                           std::source_location place)
    : name(std::move(name)), options(options), builder(program->context.get()),
      lastCall(place), last(UnknownLoc::get(program->context.get())) {
  if (this->name.empty())
    throw UserError(prefix(place) + "expected a program with a name, got none");
  if (options.numRanks < 1 || options.numRanks > maxRanks)
    throw UserError(prefix(place) + "expected numRanks from 1 to " +
                    std::to_string(maxRanks) + ", got " +
                    std::to_string(options.numRanks));
  Location loc = at(place);
  program->module = ModuleOp::create(builder, loc);
  builder.setInsertionPointToStart(program->module->getBody());
  kernel = tile::KernelOp::create(
      builder, loc, this->name, builder.getFunctionType({}, {}),
      options.numRanks, /*grid=*/nullptr, /*threads=*/nullptr,
      options.completion, /*parameters=*/nullptr, /*arg_attrs=*/nullptr,
      /*res_attrs=*/nullptr);
  builder.setInsertionPointToStart(&kernel.getBody().emplaceBlock());
  tile::ReturnOp::create(builder, loc);
  builder.setInsertionPointToStart(&kernel.getBody().front());
}

Location BuilderState::at(std::source_location place) {
  lastCall = place;
  // Before it touches the context of a program that others may be compiling.
  checkNotSpent();
  last = FileLineColLoc::get(builder.getContext(), baseName(place.file_name()),
                             place.line(), place.column());
  return last;
}

void BuilderState::fill(const std::function<void()> &body) {
  ++depth;
  try {
    body();
  } catch (...) {
    isSpent = true;
    throw;
  }
  --depth;
}

void BuilderState::checkBody(bool isGiven, std::source_location place) {
  if (!isGiven)
    throw UserError(prefix(place) +
                    "expected a function for the body, got an empty one");
}

void BuilderState::checkNotSpent() const {
  if (isSpent)
    throw UserError(
        lastPrefix() + "expected a builder in use for program '" + name +
        "', got one that was built or destroyed, or whose body threw");
}

Value BuilderState::valueOf(const Index &index) {
  checkNotSpent();
  if (!index.state)
    return arith::ConstantIndexOp::create(builder, last, index.constant);
  if (index.state.get() != this)
    throw UserError(lastPrefix() + "expected an index of program '" + name +
                    "', got one of another program");
  const Value value = Value::getFromOpaquePointer(index.value);
  checkInScope(value, "an index");
  return value;
}

/// What a loop's body made is gone when the loop ends.
void BuilderState::checkInScope(Value value, const char *what) const {
  mlir::Block *here = builder.getInsertionBlock();
  mlir::Block *home = value.getParentBlock();
  if (home != here && !home->findAncestorOpInBlock(*here->getParentOp()))
    throw UserError(lastPrefix() + "expected " + what +
                    " of the same body or one around it, got one of a loop "
                    "that has ended");
}

OpFoldResult BuilderState::mixedOf(const Index &index) {
  // The lowest number means a dynamic offset; any other negative one is refused
  // alike.
  if (!index.state)
    return builder.getIndexAttr(std::max(index.constant, -INT64_MAX));
  return valueOf(index);
}

Index BuilderState::partOf(const Extent &extent, std::source_location place) {
  at(place);
  const bool isNumber = extent.parameter.empty();
  if (!extent.isShare)
    return isNumber ? Index(extent.value) : index(wholeOf(extent));
  if (kernel.isBlockLevel() &&
      !(isNumber && Partition{extent.value, options.numRanks}.isEven()))
    throw UserError(prefix(place) +
                    "expected an extent that is equal on all "
                    "ranks in a kernel's body, got " +
                    formatExtents({extent}) + " over " +
                    std::to_string(options.numRanks) +
                    " ranks; say with shareSize whose part is meant");
  Value rank = create<tile::RankOp>(last);
  return shareOf<tile::ShareSizeOp>(extent, index(rank), place);
}

Value BuilderState::valueOf(const Tile &tile, std::source_location place) {
  at(place);
  if (tile.state.get() != this)
    throw UserError(lastPrefix() + "expected a tile of program '" + name +
                    "', got one of another program");
  const Value value = Value::getFromOpaquePointer(tile.value);
  checkInScope(value, "a tile");
  return value;
}

Value BuilderState::tensor(const TensorArgument &argument,
                           std::source_location place) {
  if (argument.state.get() != this)
    throw UserError(prefix(place) + "expected a tensor of program '" + name +
                    "', got '" + argument.name() + "' of another program");
  return kernel.getBody().getArgument(argument.number);
}

void BuilderState::addParameter(const std::string &parameterName, int64_t most,
                                std::source_location place) {
  const Location loc = at(place);
  DiagnosticKeeper keeper(builder.getContext());
  auto parameter = tile::ParameterAttr::getChecked(
      [&] { return mlir::emitError(loc); }, builder.getContext(),
      builder.getStringAttr(parameterName), most);
  keeper.check(success(bool(parameter)));
  SmallVector<Attribute> all;
  if (kernel.getParameters())
    llvm::append_range(all, *kernel.getParameters());
  all.push_back(parameter);
  kernel->setLoc(loc);
  const ArrayAttr before = kernel.getParametersAttr();
  kernel.setParametersAttr(builder.getArrayAttr(all));
  const LogicalResult verified = mlir::verify(kernel, false);
  if (failed(verified))
    kernel.setParametersAttr(before);
  keeper.check(verified);
}

Value BuilderState::wholeOf(const Extent &extent) {
  if (extent.parameter.empty())
    return arith::ConstantIndexOp::create(builder, last, extent.value);
  return create<tile::ParameterOp>(last, extent.parameter);
}

std::string BuilderState::nameOf(Value view) {
  auto argument = cast<BlockArgument>(tile::tensorOf(view));
  return kernel
      .getArgAttrOfType<StringAttr>(argument.getArgNumber(), tile::nameAttrName)
      .str();
}

std::vector<std::string> BuilderState::dimNamesOf(Value view) {
  std::vector<std::string> names;
  if (auto argument = dyn_cast<BlockArgument>(view)) {
    auto dims = kernel.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(),
                                                   tile::dimsAttrName);
    for (auto name : dims.getAsRange<StringAttr>())
      names.push_back(name.str());
    return names;
  }
  Operation *op = view.getDefiningOp();
  const std::vector<std::string> all = dimNamesOf(op->getOperand(0));
  auto slice = dyn_cast<tile::SliceOp>(op);
  for (int64_t dim : slice ? slice.getPermutationOrIdentity()
                           : SmallVector<int64_t>(
                                 cast<tile::TransposeOp>(op).getPermutation()))
    names.push_back(all[size_t(dim)]);
  return names;
}

unsigned BuilderState::addTensor(const std::string &tensorName, DataType dtype,
                                 const std::vector<Extent> &extents,
                                 bool symmetric,
                                 const std::vector<int64_t> &strides,
                                 std::source_location place) {
  SmallVector<tile::TensorExtent> shape;
  SmallVector<Attribute> dims;
  for (const Extent &extent : extents) {
    shape.push_back({extent.value, extent.isShare,
                     extent.parameter.empty()
                         ? StringAttr()
                         : builder.getStringAttr(extent.parameter)});
    dims.push_back(builder.getStringAttr(extent.name));
  }
  if (shape.empty())
    throw UserError(prefix(place) + "expected tensor '" + tensorName +
                    "' to have at least one dimension, got none");
  try {
    checkBytes(extents, dtype, "tensor '" + tensorName + "'");
  } catch (const UserError &error) {
    throw UserError(prefix(place) + error.what());
  }

  const Location loc = at(place);
  DiagnosticKeeper keeper(builder.getContext());
  auto type = tile::TensorType::getChecked(
      [&] { return mlir::emitError(loc); }, builder.getContext(),
      ArrayRef<tile::TensorExtent>(shape),
      tile::elementTypeOf(builder.getContext(), dtype), symmetric,
      ArrayRef<int64_t>(strides));
  keeper.check(success(bool(type)));
  NamedAttrList attributes;
  attributes.set(tile::nameAttrName, builder.getStringAttr(tensorName));
  attributes.set(tile::dimsAttrName, builder.getArrayAttr(dims));
  const unsigned number = kernel.getNumArguments();
  (void)kernel.insertArgument(
      number, type, attributes.getDictionary(builder.getContext()), at(place));
  return number;
}
