//===- CudaOps.cpp - the ops of the cuda dialect --------------------------===//
//
// Syntax, constraints ("C1" and so on of Cuda.td) and value ranges.
//
//===----------------------------------------------------------------------===//

#include "dialects/Cuda/Cuda.h"
#include "dialects/KernelSyntax.h"
#include "dialects/Tile/Tile.h"

#include <tilewire/Partition.h>

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewire::cuda;

#define GET_OP_CLASSES
#include "dialects/Cuda/CudaOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseKernel<KernelOp>(parser, result);
}

void KernelOp::print(OpAsmPrinter &printer) { printKernel(printer, *this); }

void KernelOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, getParameterName(argument.getArgNumber()));
}

MemRefType KernelOp::getTensor(unsigned number) {
  return cast<MemRefType>(
      getArgAttrOfType<TypeAttr>(number, tensorAttrName).getValue());
}

StringRef KernelOp::getParameterName(unsigned number) {
  auto name = getArgAttrOfType<StringAttr>(number, tile::nameAttrName);
  return name ? name.getValue() : StringRef("tensor");
}

bool KernelOp::isWritten(unsigned number) {
  return getArgAttr(number, writtenAttrName) != nullptr;
}

namespace {

/// C1 of one argument.
LogicalResult verifyArgument(KernelOp kernel, unsigned number) {
  auto pointer = dyn_cast<PtrType>(kernel.getArgumentTypes()[number]);
  auto attribute = kernel.getArgAttrOfType<TypeAttr>(number, tensorAttrName);
  if (!pointer || !attribute ||
      !tilewire::tile::isTensorType(attribute.getValue()))
    return kernel.emitOpError()
           << "expected argument " << number
           << " to be a pointer with a tensor as attribute '" << tensorAttrName
           << "', got " << kernel.getArgumentTypes()[number];
  MemRefType tensor = kernel.getTensor(number);
  if (pointer.getBits() != tensor.getElementTypeBitWidth())
    return kernel.emitOpError()
           << "expected argument " << number << " to point to elements of "
           << tensor.getElementTypeBitWidth() << " bits (because it is "
           << tensor << "), got " << pointer;
  return success();
}

LogicalResult verifyFrom1(KernelOp kernel, StringRef name, int64_t value,
                          int64_t most) {
  if (value < 1 || value > most)
    return kernel.emitOpError() << "expected '" << name << "' from 1 to "
                                << most << ", got " << value;
  return success();
}

} // namespace

LogicalResult KernelOp::verify() {
  // C1
  for (unsigned number = 0; number < getArgumentTypes().size(); ++number)
    if (failed(verifyArgument(*this, number)))
      return failure();
  if (!getResultTypes().empty())
    return emitOpError() << "expected no results, got "
                         << getResultTypes().size();
  // C2
  return failure(
      failed(verifyFrom1(*this, "num_ranks", getNumRanks(), maxRanks)) ||
      failed(verifyFrom1(*this, "threads", getThreads(), 1024)) ||
      failed(verifyFrom1(*this, "max_blocks", getMaxBlocks(),
                         std::numeric_limits<int32_t>::max())));
}

LogicalResult KernelOp::verifyRegions() {
  // C3
  int64_t next = 0;
  auto result = getBody().walk([&](Operation *op) -> WalkResult {
    if (!isa<EnterAllOp, LeaveAllOp, BarrierAllOp>(op))
      return WalkResult::advance();
    const int64_t wait = op->getAttrOfType<IntegerAttr>("wait").getInt();
    if (wait != next)
      return op->emitOpError() << "expected wait number " << next
                               << " (because waits are numbered in the order "
                                  "of the body), got "
                               << wait;
    ++next;
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Memory and comments
//===----------------------------------------------------------------------===//

namespace {

LogicalResult verifyEqualWidths(Operation *op, PtrType pointer,
                                VecType vector) {
  if (pointer.getBits() != vector.getBits())
    return op->emitOpError()
           << "expected pointer and vector of equal element "
              "width, got "
           << pointer.getBits() << " and " << vector.getBits() << " bits";
  return success();
}

/// The text declares arguments that aren't written as pointers to const. A
/// peer's copy of one was verified when it was taken.
LogicalResult verifyWritten(Operation *op, Value pointer) {
  auto argument = dyn_cast<BlockArgument>(pointer);
  auto kernel = argument
                    ? dyn_cast<KernelOp>(argument.getOwner()->getParentOp())
                    : nullptr;
  if (!kernel)
    return success();
  const unsigned number = argument.getArgNumber();
  if (!kernel.isWritten(number))
    return op->emitOpError()
           << "expected argument " << number << " ('"
           << kernel.getParameterName(number) << "') to have '"
           << writtenAttrName << "' (because a pointer to write to is taken)";
  return success();
}

} // namespace

LogicalResult OnPeerOp::verify() {
  // C1
  return verifyWritten(*this, getLocal());
}

/// Whether `peer` is one of the ranks whatever they are: a number, this rank,
/// or what is left after division.
static bool isKnownRank(Value peer, int64_t numRanks) {
  APInt number;
  if (matchPattern(peer, m_ConstantInt(&number)))
    return !number.isNegative() && number.slt(numRanks);
  if (auto remainder = peer.getDefiningOp<arith::RemUIOp>())
    return matchPattern(remainder.getRhs(), m_ConstantInt(&number)) &&
           number.isStrictlyPositive() && number.sle(numRanks);
  return peer.getDefiningOp<RankOp>() != nullptr;
}

Speculation::Speculatability OnPeerOp::getSpeculatability() {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  return kernel && isKnownRank(getPeer(), kernel.getNumRanks())
             ? Speculation::Speculatable
             : Speculation::NotSpeculatable;
}

LogicalResult LoadOp::verify() {
  // C1
  return verifyEqualWidths(*this, getPointer().getType(), getType());
}

LogicalResult StoreOp::verify() {
  // C1, C2
  return failure(failed(verifyEqualWidths(*this, getPointer().getType(),
                                          getValue().getType())) ||
                 failed(verifyWritten(*this, getPointer())));
}

LogicalResult CommentOp::verify() {
  // C1: a trailing backslash would join the next line to the comment.
  if (getText().find_first_of("\n\r") != StringRef::npos ||
      getText().ends_with("\\"))
    return emitOpError() << "expected one line of text, got " << getTextAttr();
  return success();
}

//===----------------------------------------------------------------------===//
// Builtin variables
//===----------------------------------------------------------------------===//

namespace {

/// Sets the range [first, last] at the result's width.
void setRange(Value result, uint64_t first, uint64_t last,
              SetIntRangeFn setRange) {
  const unsigned width =
      ConstantIntRanges::getStorageBitwidth(result.getType());
  setRange(result, ConstantIntRanges::fromUnsigned(APInt(width, first),
                                                   APInt(width, last)));
}

KernelOp kernelOf(Operation *op) { return op->getParentOfType<KernelOp>(); }

LogicalResult verifyInKernel(Operation *op) {
  // C1
  if (!kernelOf(op))
    return op->emitOpError() << "expected a cuda.kernel around it";
  return success();
}

} // namespace

LogicalResult ThreadIndexOp::verify() { return verifyInKernel(*this); }
LogicalResult BlockIndexOp::verify() { return verifyInKernel(*this); }
LogicalResult NumBlocksOp::verify() { return verifyInKernel(*this); }
LogicalResult RankOp::verify() { return verifyInKernel(*this); }

void ThreadIndexOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                      SetIntRangeFn set) {
  setRange(getResult(), 0, kernelOf(*this).getThreads() - 1, set);
}

void BlockIndexOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                     SetIntRangeFn set) {
  setRange(getResult(), 0, kernelOf(*this).getMaxBlocks() - 1, set);
}

void NumBlocksOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                    SetIntRangeFn set) {
  setRange(getResult(), 1, kernelOf(*this).getMaxBlocks(), set);
}

void RankOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn set) {
  setRange(getResult(), 0, kernelOf(*this).getNumRanks() - 1, set);
}
