//===- IndexRanges.cpp - what values the tile dialect's indices take ------===//
//
// For range analyses: ranks, blocks and threads count from 0 to the kernel's
// numbers.
//
//===----------------------------------------------------------------------===//

#include "dialects/Tile/Tile.h"

using namespace mlir;
using namespace tilewire;
using namespace tilewire::tile;

namespace {

/// Sets the range of `value` to 0 .. `count` - 1. Verifiers ask too, so the
/// kernel may not be there or make no sense.
void setRangeBelow(Value value, int64_t count, SetIntRangeFn setRange) {
  const unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
  setRange(value,
           ConstantIntRanges::fromUnsigned(
               APInt(width, 0), APInt(width, std::max<int64_t>(count, 1) - 1)));
}

/// What `get` says of the kernel around `op`; 2^63 - 1 without one.
int64_t ofKernel(Operation *op, function_ref<int64_t(KernelOp)> get) {
  auto kernel = op->getParentOfType<KernelOp>();
  return kernel ? get(kernel) : std::numeric_limits<int64_t>::max();
}

} // namespace

void RankOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn set) {
  setRangeBelow(getResult(), numRanksAround(*this), set);
}

void NumRanksOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                   SetIntRangeFn set) {
  set(getResult(), ConstantIntRanges::constant(
                       APInt(ConstantIntRanges::getStorageBitwidth(getType()),
                             numRanksAround(*this))));
}

void ParameterOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                    SetIntRangeFn set) {
  const auto most = mostOfParameter(*this, getNameAttr());
  const unsigned width = ConstantIntRanges::getStorageBitwidth(getType());
  set(getResult(),
      ConstantIntRanges::fromUnsigned(
          APInt(width, 0),
          APInt(width, most.value_or(std::numeric_limits<int64_t>::max()))));
}

void BlockIndexOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                     SetIntRangeFn set) {
  const int64_t blocks = ofKernel(*this, [&](KernelOp kernel) {
    auto grid = kernel.getGrid().value_or(ArrayRef<int64_t>());
    return getAxis() < grid.size() ? grid[getAxis()]
                                   : std::numeric_limits<int64_t>::max();
  });
  setRangeBelow(getResult(), blocks, set);
}

void ThreadIndexOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                      SetIntRangeFn set) {
  const int64_t threads = ofKernel(*this, [](KernelOp kernel) {
    return kernel.getThreads().value_or(std::numeric_limits<int64_t>::max());
  });
  setRangeBelow(getResult(), threads, set);
}

namespace {

/// The ranks that share; 1 where there is no kernel that makes sense yet.
uint64_t sharingRanks(Operation *op) {
  const int64_t numRanks = numRanksAround(op);
  return numRanks >= 1 && numRanks <= maxRanks ? numRanks : 1;
}

} // namespace

void ShareSizeOp::inferResultRanges(ArrayRef<ConstantIntRanges> operands,
                                    SetIntRangeFn set) {
  const ConstantIntRanges &total = operands[0];
  const APInt numRanks(total.umax().getBitWidth(), sharingRanks(*this));
  APInt most = total.umax().udiv(numRanks);
  if (total.umax().urem(numRanks) != 0)
    ++most;
  set(getResult(),
      ConstantIntRanges::fromUnsigned(total.umin().udiv(numRanks), most));
}

void ShareBeginOp::inferResultRanges(ArrayRef<ConstantIntRanges> operands,
                                     SetIntRangeFn set) {
  const ConstantIntRanges &total = operands[0];
  set(getResult(), ConstantIntRanges::fromUnsigned(
                       APInt(total.umax().getBitWidth(), 0), total.umax()));
}

void PutGridOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                  SetIntRangeFn set) {
  setRangeBelow(getPeer(), numRanksAround(*this), set);
}
