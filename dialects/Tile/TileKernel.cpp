//===- TileKernel.cpp - tile.kernel: syntax and constraints ---------------===//
//
// "C1" and so on are the numbered constraints of Tile.td.
//
//===----------------------------------------------------------------------===//

#include "dialects/KernelRules.h"
#include "dialects/KernelSyntax.h"
#include "dialects/Tile/Tile.h"
#include "dialects/Uniformity.h"

#include <tilewire/Partition.h>

using namespace mlir;
using namespace tilewire;
using namespace tilewire::tile;

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseKernel<KernelOp>(parser, result);
}

void KernelOp::print(OpAsmPrinter &printer) { printKernel(printer, *this); }

void KernelOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    if (auto name =
            getArgAttrOfType<StringAttr>(argument.getArgNumber(), nameAttrName))
      setName(argument, name);
}

int64_t KernelOp::numLogicalBlocks() {
  const auto grid = getGrid().value_or(ArrayRef<int64_t>());
  if (llvm::is_contained(grid, 0))
    return 0;
  int64_t blocks = 1;
  for (int64_t extent : grid)
    blocks *= extent;
  return blocks;
}

namespace {

LogicalResult verifyGrid(KernelOp kernel, ArrayRef<int64_t> grid) {
  constexpr int64_t limit = std::numeric_limits<int32_t>::max();
  if (grid.empty() || grid.size() > 3)
    return kernel.emitOpError()
           << "expected a grid of 1 to 3 axes, got " << grid.size();
  for (auto [axis, extent] : llvm::enumerate(grid))
    if (extent < 0 || extent > limit)
      return kernel.emitOpError()
             << "expected grid axis " << axis << " from 0 to " << limit
             << ", got " << extent;
  if (llvm::is_contained(grid, 0))
    return success();
  int64_t blocks = 1;
  for (int64_t extent : grid) {
    if (blocks > limit / extent)
      return kernel.emitOpError() << "expected a grid of at most " << limit
                                  << " blocks in all, got " << grid;
    blocks *= extent;
  }
  return success();
}

} // namespace

LogicalResult KernelOp::verify() {
  // C1
  const int64_t numRanks = getNumRanks();
  if (numRanks < 1 || numRanks > maxRanks)
    return emitOpError() << "expected 'num_ranks' from 1 to " << maxRanks
                         << ", got " << numRanks;
  // C2
  if (getGrid() && failed(verifyGrid(*this, *getGrid())))
    return failure();
  // C3
  const int64_t threads = getThreads().value_or(1);
  if (threads < 1 || threads > 1024)
    return emitOpError() << "expected 'threads' from 1 to 1024, got "
                         << threads;
  // C4
  if (getGrid() && !getThreads())
    return emitOpError() << "expected 'threads' (because there is a grid)";
  // C5
  for (auto [number, type] : llvm::enumerate(getArgumentTypes()))
    if (!isa<tile::TensorType>(type))
      return emitOpError() << "expected argument " << number
                           << " to be a !tile.tensor, got " << type;
  if (!getResultTypes().empty())
    return emitOpError() << "expected no results, got "
                         << getResultTypes().size();
  // C7
  if (failed(verifySignature(*this,
                             {nameAttrName, dimsAttrName, mayAliasAttrName})))
    return failure();
  for (unsigned number = 0; number < getNumArguments(); ++number)
    if (Attribute given = getArgAttr(number, mayAliasAttrName);
        given && !isa<UnitAttr>(given))
      return emitOpError() << "expected '" << mayAliasAttrName
                           << "' of argument " << number
                           << " to be without a value, got " << given;
  for (auto [number, type] : llvm::enumerate(getArgumentTypes()))
    if (failed(verifyTensorNames(*this, number, cast<tile::TensorType>(type))))
      return failure();
  // C10
  if (failed(verifyParameters(*this, getParametersAttr())))
    return failure();
  if (getParameters() && !getParameters()->empty() && !getCompletion())
    return emitOpError() << "expected 'completion' (because ranks compare the "
                            "parameters where they enter), got none";
  for (auto [number, type] : llvm::enumerate(getArgumentTypes()))
    if (failed(verifyExtents(*this, number,
                             cast<tile::TensorType>(type).getExtents(),
                             getParametersAttr())))
      return failure();
  return success();
}

namespace {

/// C9: lowering takes tiles and tensors away, and knows no other user.
LogicalResult verifyTileUsers(KernelOp kernel) {
  const auto isTile = [](Type type) {
    return isa<TileType, tile::TensorType>(type);
  };
  auto result = kernel.getBody().walk([&](Operation *op) {
    if (isa<TileDialect>(op->getDialect()))
      return WalkResult::advance();
    SmallVector<Type> types(op->getOperandTypes());
    llvm::append_range(types, op->getResultTypes());
    auto found = llvm::find_if(types, isTile);
    if (found == types.end())
      return WalkResult::advance();
    op->emitOpError() << "expected only ops of the tile dialect to have "
                         "tensors and tiles as operands or results, got "
                      << *found << "; make the slice where it is moved";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

} // namespace

LogicalResult KernelOp::verifyRegions() {
  // C8, C9
  if (failed(verifyOps(*this)) || failed(verifyTileUsers(*this)))
    return failure();
  // C6: collectives check it at block level themselves (their own C7).
  if (isBlockLevel())
    return verifyUniformity(*this);
  for (Operation &op : getBody().front())
    if (!isa<AllToAllOp, PutGridOp, BarrierAllOp, ReturnOp>(op) && !isPure(&op))
      return op.emitOpError()
             << "expected only collectives in a kernel without a grid (because "
                "it has no blocks to say otherwise), got '"
             << op.getName()
             << "'; give the kernel a grid to say what each block does";
  return success();
}
