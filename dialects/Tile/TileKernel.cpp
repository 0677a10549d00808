//===- TileKernel.cpp - tile.kernel: syntax and constraints ---------------===//

#include "dialects/Tile/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace tilewire::tile;

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

void KernelOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    if (auto name =
            getArgAttrOfType<StringAttr>(argument.getArgNumber(), nameAttrName))
      setName(argument, name);
}

int64_t KernelOp::numLogicalBlocks() {
  int64_t blocks = 1;
  for (int64_t extent : getGrid().value_or(ArrayRef<int64_t>()))
    blocks *= extent;
  return blocks;
}

namespace {

LogicalResult verifyGrid(KernelOp kernel, ArrayRef<int64_t> grid) {
  constexpr int64_t limit = std::numeric_limits<int32_t>::max();
  if (grid.empty() || grid.size() > 3)
    return kernel.emitOpError()
           << "expected a grid of 1 to 3 axes, got " << grid.size();
  int64_t blocks = 1;
  for (auto [axis, extent] : llvm::enumerate(grid)) {
    if (extent < 0 || extent > limit)
      return kernel.emitOpError() << "expected grid axis " << axis
                                  << " from 0 to 2147483647, got " << extent;
    if (extent != 0 && blocks > limit / extent)
      return kernel.emitOpError()
             << "expected a grid of at most 2147483647 blocks in all, got "
             << grid;
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
    if (!isTensorType(type))
      return emitOpError()
             << "expected argument " << number
             << " to be a ranked memref of static shape and fewer than 2^63 "
                "bytes, identity layout, a supported element type and memory "
                "space none or #tile.symmetric, got "
             << type;
  if (!getResultTypes().empty())
    return emitOpError() << "expected no results, got "
                         << getResultTypes().size();
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  // C6: collectives check it at block level themselves (their own C7).
  if (isBlockLevel())
    return success();
  for (Operation &op : getBody().front())
    if (!isa<AllToAllOp, PutGridOp, ReturnOp>(op) && !isPure(&op))
      return op.emitOpError()
             << "expected only collectives in a kernel without a grid (because "
                "it has no blocks to say otherwise), got '"
             << op.getName()
             << "'; give the kernel a grid to say what each block does";
  return success();
}

LogicalResult BlockIndexOp::verify() {
  // C1
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (!kernel || !kernel.isBlockLevel())
    return emitOpError() << "expected a kernel with a grid around it";
  const int64_t axes = kernel.getGrid()->size(), axis = getAxis();
  if (axis < 0 || axis >= axes)
    return emitOpError() << "expected an axis from 0 to " << axes - 1
                         << " (because the grid has " << axes << "), got "
                         << axis;
  return success();
}

LogicalResult ThreadIndexOp::verify() {
  // C1
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (!kernel || !kernel.isBlockLevel())
    return emitOpError() << "expected a kernel with a grid around it";
  return success();
}

LogicalResult BarrierAllOp::verify() {
  // C1
  auto kernel = dyn_cast<KernelOp>((*this)->getParentOp());
  if (!kernel || !kernel.isBlockLevel())
    return emitOpError() << "expected to stand directly in the body of a "
                            "kernel with a grid, so that all blocks meet it";
  return success();
}

void RankOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "rank");
}

void NumRanksOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "num_ranks");
}

void BlockIndexOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "block");
}

void ThreadIndexOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "thread");
}

OpFoldResult NumRanksOp::fold(FoldAdaptor) {
  if (auto kernel = (*this)->getParentOfType<KernelOp>())
    return IntegerAttr::get(getType(), kernel.getNumRanks());
  return {};
}
