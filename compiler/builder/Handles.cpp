//===- Handles.cpp - indices, tiles and blocks ----------------------------===//
//
// The handles that a block-level body works with.
//
//===----------------------------------------------------------------------===//

#include "compiler/Locations.h"
#include "compiler/SourceLimits.h"
#include "compiler/builder/BuilderState.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tilewire;
using mlir::ArrayRef;
using mlir::Location;
using mlir::NameLoc;
using mlir::OpBuilder;
using mlir::OpFoldResult;
using mlir::SmallVector;
using mlir::StringAttr;
using mlir::StringRef;
using mlir::Value;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

//===----------------------------------------------------------------------===//
// Index
//===----------------------------------------------------------------------===//

Index Index::named(std::string_view name) const {
  if (!state)
    return *this;
  state->checkNotSpent();
  Value named = Value::getFromOpaquePointer(value);
  named.setLoc(NameLoc::get(
      StringAttr::get(named.getContext(), StringRef(name.data(), name.size())),
      withoutName(named.getLoc())));
  // IR prints no location for a loop's counter: the loop bears its name.
  if (auto loop = scf::getForInductionVarOwner(named))
    loop->setLoc(named.getLoc());
  return *this;
}

namespace {

bool areConstants(const Index &lhs, const Index &rhs) {
  return BuilderState::isConstant(lhs) && BuilderState::isConstant(rhs);
}

void checkDivisor(const Index &dividend, const Index &divisor) {
  if (BuilderState::isConstant(divisor) &&
      BuilderState::constantOf(divisor) == 0)
    throw UserError(BuilderState::prefixOf(dividend) +
                    "expected a divisor other than 0, got 0");
}

} // namespace

Index tilewire::operator+(const Index &lhs, const Index &rhs) {
  if (areConstants(lhs, rhs))
    return int64_t(uint64_t(BuilderState::constantOf(lhs)) +
                   uint64_t(BuilderState::constantOf(rhs)));
  return BuilderState::binary<arith::AddIOp>(lhs, rhs);
}

Index tilewire::operator-(const Index &lhs, const Index &rhs) {
  if (areConstants(lhs, rhs))
    return int64_t(uint64_t(BuilderState::constantOf(lhs)) -
                   uint64_t(BuilderState::constantOf(rhs)));
  return BuilderState::binary<arith::SubIOp>(lhs, rhs);
}

Index tilewire::operator*(const Index &lhs, const Index &rhs) {
  if (areConstants(lhs, rhs))
    return int64_t(uint64_t(BuilderState::constantOf(lhs)) *
                   uint64_t(BuilderState::constantOf(rhs)));
  return BuilderState::binary<arith::MulIOp>(lhs, rhs);
}

Index tilewire::operator/(const Index &lhs, const Index &rhs) {
  checkDivisor(lhs, rhs);
  if (!areConstants(lhs, rhs))
    return BuilderState::binary<arith::DivUIOp>(lhs, rhs);
  return int64_t(uint64_t(BuilderState::constantOf(lhs)) /
                 uint64_t(BuilderState::constantOf(rhs)));
}

Index tilewire::operator%(const Index &lhs, const Index &rhs) {
  checkDivisor(lhs, rhs);
  if (!areConstants(lhs, rhs))
    return BuilderState::binary<arith::RemUIOp>(lhs, rhs);
  return int64_t(uint64_t(BuilderState::constantOf(lhs)) %
                 uint64_t(BuilderState::constantOf(rhs)));
}

Index tilewire::min(const Index &lhs, const Index &rhs) {
  if (!areConstants(lhs, rhs))
    return BuilderState::binary<arith::MinUIOp>(lhs, rhs);
  return int64_t(std::min(uint64_t(BuilderState::constantOf(lhs)),
                          uint64_t(BuilderState::constantOf(rhs))));
}

Index tilewire::max(const Index &lhs, const Index &rhs) {
  if (!areConstants(lhs, rhs))
    return BuilderState::binary<arith::MaxUIOp>(lhs, rhs);
  return int64_t(std::max(uint64_t(BuilderState::constantOf(lhs)),
                          uint64_t(BuilderState::constantOf(rhs))));
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

namespace {

/// As many offsets and sizes as `what` has dimensions.
void checkCounts(const std::vector<Index> &offsets,
                 const std::vector<Index> &sizes, size_t rank,
                 const std::string &what, std::source_location place) {
  if (offsets.size() != rank || sizes.size() != rank)
    throw UserError(BuilderState::prefix(place) + "expected " +
                    std::to_string(rank) + " offsets and sizes for " + what +
                    ", got " + std::to_string(offsets.size()) + " and " +
                    std::to_string(sizes.size()));
}

} // namespace

Tile TensorArgument::tile(const std::vector<Index> &offsets,
                          const std::vector<Index> &sizes,
                          std::source_location place) const {
  Location loc = state->at(place);
  checkCounts(offsets, sizes, tensorExtents.size(),
              "tensor '" + tensorName + "'", place);
  return state->tile(state->create<tile::SliceOp>(
      loc, state->tensor(*this, place), state->mixedOf(offsets),
      state->mixedOf(sizes)));
}

Tile TensorArgument::all(std::source_location place) const {
  state->at(place);
  std::vector<Index> sizes;
  for (const Extent &extent : tensorExtents)
    sizes.push_back(state->partOf(extent, place));
  return tile(std::vector<Index>(sizes.size(), 0), sizes, place);
}

void TensorArgument::mayAlias() const {
  state->checkNotSpent();
  state->kernel.setArgAttr(number, tile::mayAliasAttrName,
                           state->builder.getUnitAttr());
}

Tile Tile::transpose(const std::vector<int64_t> &permutation,
                     std::source_location place) const {
  return state->tile(state->create<tile::TransposeOp>(
      state->at(place), state->valueOf(*this, place),
      ArrayRef<int64_t>(permutation)));
}

Tile Tile::tile(const std::vector<Index> &offsets,
                const std::vector<Index> &sizes,
                std::source_location place) const {
  const Value base = state->valueOf(*this, place);
  checkCounts(offsets, sizes, shape().size(), "a tile", place);
  return state->tile(state->create<tile::SliceOp>(
      state->at(place), base, state->mixedOf(offsets), state->mixedOf(sizes)));
}

void Tile::checkDim(int64_t dim, std::source_location place) const {
  const auto rank = int64_t(shape().size());
  if (dim < 0 || dim >= rank)
    throw UserError(BuilderState::prefix(place) +
                    "expected a dimension from 0 to " +
                    std::to_string(rank - 1) + ", got " + std::to_string(dim));
}

Tile Tile::drop(const std::vector<int64_t> &dims,
                std::source_location place) const {
  const Value base = state->valueOf(*this, place);
  for (int64_t dim : dims)
    checkDim(dim, place);
  const std::vector<Index> sizes = shape();
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < int64_t(sizes.size()); ++dim)
    if (std::find(dims.begin(), dims.end(), dim) == dims.end())
      kept.push_back(dim);
  return state->tile(state->create<tile::SliceOp>(
      state->at(place), base,
      state->mixedOf(std::vector<Index>(sizes.size(), 0)),
      state->mixedOf(sizes), ArrayRef<int64_t>(kept)));
}

Tile Tile::select(int64_t dim, const Index &index,
                  std::source_location place) const {
  state->at(place);
  checkDim(dim, place);
  std::vector<Index> sizes = shape();
  std::vector<Index> offsets(sizes.size(), 0);
  offsets[size_t(dim)] = index;
  sizes[size_t(dim)] = 1;
  return tile(offsets, sizes, place).drop({dim}, place);
}

std::vector<Index> Tile::shape() const {
  state->checkNotSpent();
  const Value tile = Value::getFromOpaquePointer(value);
  std::vector<Index> sizes, shape;
  SmallVector<int64_t> shown;
  if (auto transposed = tile.getDefiningOp<tile::TransposeOp>()) {
    sizes = state->tile(transposed.getOperand()).shape();
    shown.assign(transposed.getPermutation());
  } else {
    auto slice = mlir::cast<tile::SliceOp>(tile.getDefiningOp());
    for (OpFoldResult size : slice.getMixedSizes()) {
      if (auto constant = mlir::getConstantIntValue(size))
        sizes.push_back(*constant);
      else
        sizes.push_back(state->index(mlir::cast<Value>(size)));
    }
    shown = slice.getPermutationOrIdentity();
  }
  for (int64_t dim : shown)
    shape.push_back(sizes[size_t(dim)]);
  return shape;
}

//===----------------------------------------------------------------------===//
// Block
//===----------------------------------------------------------------------===//

Index Block::index(size_t axis, std::string_view name,
                   std::source_location place) {
  return state->index(state->create<tile::BlockIndexOp>(state->at(place), axis))
      .named(name);
}

void Block::checkAxes(size_t numNames, std::source_location place) {
  const size_t axes = state->kernel.getGrid()->size();
  if (numNames != axes)
    throw UserError(BuilderState::prefix(place) +
                    "expected a name for each of " + std::to_string(axes) +
                    " axes of the grid, got " + std::to_string(numNames));
}

Index Block::rank(std::source_location place) {
  return state->index(state->create<tile::RankOp>(state->at(place)));
}

Index Block::whole(const Extent &extent, std::source_location place) {
  state->at(place);
  if (extent.parameter.empty())
    return extent.value;
  return state->index(state->wholeOf(extent));
}

Index Block::shareSize(const Extent &extent, const Index &rank,
                       std::source_location place) {
  return state->shareOf<tile::ShareSizeOp>(extent, rank, place);
}

Index Block::shareBegin(const Extent &extent, const Index &rank,
                        std::source_location place) {
  return state->shareOf<tile::ShareBeginOp>(extent, rank, place);
}

Index Block::thread(std::source_location place) {
  return state->index(state->create<tile::ThreadIndexOp>(state->at(place)));
}

void Block::putBlock(const Tile &source, const Tile &destination,
                     const Index &peer, std::source_location place) {
  Location loc = state->at(place);
  state->create<tile::PutBlockOp>(loc, state->valueOf(source, place),
                                  state->valueOf(destination, place),
                                  state->valueOf(peer), tile::PlanAttr());
}

void Block::copy(const Tile &source, const Tile &destination,
                 std::source_location place) {
  Location loc = state->at(place);
  state->create<tile::CopyOp>(loc, state->valueOf(source, place),
                              state->valueOf(destination, place),
                              tile::PlanAttr());
}

void Block::sync(std::source_location place) {
  state->create<tile::SyncOp>(state->at(place));
}

void Block::barrierAll(std::source_location place) {
  state->create<tile::BarrierAllOp>(state->at(place));
}

namespace {

/// The most loops in each other: the program's IR, which nests as they do, must
/// be readable. Module, kernel and a statement's brackets take the rest.
constexpr int maxLoops = maxSourceNesting - 16;

void checkNesting(mlir::Block *here, std::source_location place) {
  int loops = 0;
  for (mlir::Operation *op = here->getParentOp(); mlir::isa<scf::ForOp>(op);
       op = op->getParentOp())
    ++loops;
  if (loops >= maxLoops)
    throw UserError(BuilderState::prefix(place) + "expected at most " +
                    std::to_string(maxLoops) +
                    " loops in each other, got more");
}

} // namespace

void Block::forRange(const Index &begin, const Index &end, const Index &step,
                     const std::function<void(Index)> &body,
                     std::source_location place) {
  Location loc = state->at(place);
  if (BuilderState::isConstant(step) && BuilderState::constantOf(step) <= 0)
    throw UserError(BuilderState::prefix(place) +
                    "expected a positive step, got " +
                    std::to_string(BuilderState::constantOf(step)));
  for (const Index *bound : {&begin, &end})
    if (BuilderState::isConstant(*bound) &&
        BuilderState::constantOf(*bound) < 0)
      throw UserError(BuilderState::prefix(place) +
                      "expected bounds that are not negative, got " +
                      std::to_string(BuilderState::constantOf(*bound)));
  state->checkNotSpent();
  checkNesting(state->builder.getInsertionBlock(), place);
  BuilderState::checkBody(bool(body), place);
  auto loop = scf::ForOp::create(state->builder, loc, state->valueOf(begin),
                                 state->valueOf(end), state->valueOf(step));
  OpBuilder::InsertionGuard guard(state->builder);
  state->builder.setInsertionPointToStart(loop.getBody());
  state->fill([&] { body(state->index(loop.getInductionVar())); });
}
