//===- CudaOps.cpp - the ops of the cuda dialect --------------------------===//
//
// Syntax, constraints ("C1" and so on of Cuda.td) and value ranges.
//
//===----------------------------------------------------------------------===//

#include "dialects/Cuda/Cuda.h"
#include "dialects/KernelRules.h"
#include "dialects/KernelSyntax.h"
#include "dialects/Tile/Tile.h"

#include <tilewire/Partition.h>

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewire;
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

tile::TensorType KernelOp::getTensor(unsigned number) {
  return cast<tile::TensorType>(
      getArgAttrOfType<TypeAttr>(number, tensorAttrName).getValue());
}

StringRef KernelOp::getParameterName(unsigned number) {
  auto name = getArgAttrOfType<StringAttr>(number, tile::nameAttrName);
  return name ? name.getValue() : StringRef("tensor");
}

bool KernelOp::isNarrow(StringAttr name) {
  for (auto parameter : getParameters()->getAsRange<tile::ParameterAttr>())
    if (parameter.getName() == name)
      return llvm::isUInt<32>(parameter.getMost());
  return false;
}

StringRef KernelOp::getSpelling(StringAttr name) {
  if (auto names = getParameterNames())
    for (auto [parameter, spelling] :
         llvm::zip(getParameters()->getAsRange<tile::ParameterAttr>(),
                   names->getAsRange<StringAttr>()))
      if (parameter.getName() == name)
        return spelling.getValue();
  return name.getValue();
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
      !isa<tilewire::tile::TensorType>(attribute.getValue()))
    return kernel.emitOpError()
           << "expected argument " << number
           << " to be a pointer with a tensor as attribute '" << tensorAttrName
           << "', got " << kernel.getArgumentTypes()[number];
  Attribute written = kernel.getArgAttr(number, writtenAttrName);
  if (written && !isa<UnitAttr>(written))
    return kernel.emitOpError()
           << "expected '" << writtenAttrName << "' of argument " << number
           << " to have no value, got " << written;
  tile::TensorType tensor = kernel.getTensor(number);
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
  // C5
  if (failed(verifySignature(*this, {tile::nameAttrName, tile::dimsAttrName,
                                     tile::mayAliasAttrName, tensorAttrName,
                                     writtenAttrName})))
    return failure();
  // C7
  if (failed(tile::verifyParameters(*this, getParametersAttr())))
    return failure();
  const size_t numParameters = getParameters() ? getParameters()->size() : 0;
  if (getParameterNames() && getParameterNames()->size() != numParameters)
    return emitOpError() << "expected as many 'parameter_names' as parameters, "
                         << numParameters << ", got "
                         << getParameterNames()->size();
  // C1, C5, C7
  for (unsigned number = 0; number < getArgumentTypes().size(); ++number)
    if (failed(verifyArgument(*this, number)) ||
        failed(verifyTensorNames(*this, number, getTensor(number))) ||
        failed(tile::verifyExtents(*this, number,
                                   getTensor(number).getExtents(),
                                   getParametersAttr())))
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

namespace {

/// C3 of the waits of a kernel, in the order of the body.
LogicalResult verifyWaitNumbers(ArrayRef<Operation *> waits) {
  for (auto [expected, op] : llvm::enumerate(waits)) {
    const int64_t wait = op->getAttrOfType<IntegerAttr>("wait").getInt();
    if (wait != int64_t(expected))
      return op->emitOpError() << "expected wait number " << expected
                               << " (because waits are numbered in the order "
                                  "of the body), got "
                               << wait;
  }
  return success();
}

/// C4 of the same: a launch ends its epoch where it leaves, once.
LogicalResult verifyWaitOrder(ArrayRef<Operation *> waits) {
  for (Operation *op : waits) {
    if (isa<EnterAllOp>(op) && op != waits.front())
      return op->emitOpError()
             << "expected to be the first wait of the kernel, got it after '"
             << waits.front()->getName() << "'";
    if (isa<LeaveAllOp>(op) && op != waits.back())
      return op->emitOpError()
             << "expected to be the last wait of the kernel, got it before '"
             << waits.back()->getName() << "'";
  }
  if (waits.empty() ||
      isa<EnterAllOp>(waits.front()) == isa<LeaveAllOp>(waits.back()))
    return success();
  if (isa<EnterAllOp>(waits.front()))
    return waits.front()->emitOpError()
           << "expected a 'cuda.leave_all' at the end of the kernel, got none";
  return waits.back()->emitOpError()
         << "expected a 'cuda.enter_all' at the start of the kernel, got none";
}

} // namespace

LogicalResult KernelOp::verifyRegions() {
  SmallVector<Operation *> waits;
  getBody().walk([&](Operation *op) {
    if (isa<EnterAllOp, LeaveAllOp, BarrierAllOp>(op))
      waits.push_back(op);
  });
  // C3, C4, C6
  return failure(failed(verifyWaitNumbers(waits)) ||
                 failed(verifyWaitOrder(waits)) || failed(verifyOps(*this)));
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

/// The kernel whose argument `pointer` is; null when it is none.
KernelOp kernelOfArgument(Value pointer) {
  auto argument = dyn_cast<BlockArgument>(pointer);
  return argument ? dyn_cast<KernelOp>(argument.getOwner()->getParentOp())
                  : nullptr;
}

/// The text declares arguments that aren't written as pointers to const. A
/// peer's copy of one was verified when it was taken.
LogicalResult verifyWritten(Operation *op, Value pointer) {
  KernelOp kernel = kernelOfArgument(pointer);
  if (!kernel)
    return success();
  const unsigned number = cast<BlockArgument>(pointer).getArgNumber();
  if (!kernel.isWritten(number))
    return op->emitOpError()
           << "expected argument " << number << " ('"
           << kernel.getParameterName(number) << "') to have '"
           << writtenAttrName << "' (because a pointer to write to is taken)";
  return success();
}

/// The constant that `value` is, as a signed number.
std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getSExtValue();
}

/// A constant offset is one of a vector of the tensor, here or on a peer.
LogicalResult verifyOffset(Operation *op, Value pointer, Value offset,
                           VecType vector) {
  const std::optional<int64_t> constant = constantOf(offset);
  if (!constant)
    return success();
  if (auto remote = pointer.getDefiningOp<OnPeerOp>())
    pointer = remote.getLocal();
  if (*constant % vector.getCount() != 0)
    return op->emitOpError()
           << "expected an offset that is a multiple of " << vector.getCount()
           << " (because it moves " << vector << "), got " << *constant;
  KernelOp kernel = kernelOfArgument(pointer);
  if (!kernel)
    return success();
  tile::TensorType tensor =
      kernel.getTensor(cast<BlockArgument>(pointer).getArgNumber());
  const int64_t last =
      tensor.mostSpan(kernel.getNumRanks()) - vector.getCount();
  if (*constant < 0 || *constant > last)
    return op->emitOpError()
           << "expected " << vector.getCount() << " elements of " << tensor
           << ", got those from " << *constant;
  return success();
}

/// A constant index is one of the array's.
LogicalResult verifyArrayIndex(Operation *op, ArrayType array, Value index) {
  const std::optional<int64_t> constant = constantOf(index);
  if (constant && (*constant < 0 || *constant >= array.getSize()))
    return op->emitOpError()
           << "expected an index from 0 to " << array.getSize() - 1
           << " (because it is of " << array << "), got " << *constant;
  return success();
}

} // namespace

LogicalResult OnPeerOp::verify() {
  // C1
  KernelOp kernel = kernelOfArgument(getLocal());
  if (!kernel)
    return emitOpError() << "expected an argument of the kernel (because it "
                            "is this rank's copy), got a computed pointer";
  if (failed(verifyWritten(*this, getLocal())))
    return failure();
  // C2
  const unsigned number = cast<BlockArgument>(getLocal()).getArgNumber();
  tile::TensorType tensor = kernel.getTensor(number);
  if (!tensor.getSymmetric())
    return emitOpError() << "expected argument " << number << " ('"
                         << kernel.getParameterName(number)
                         << "') to be symmetric (because a peer's copy is "
                            "meant), got "
                         << tensor;
  // C3
  const std::optional<int64_t> peer = constantOf(getPeer());
  const int64_t numRanks = kernel.getNumRanks();
  if (peer && (*peer < 0 || *peer >= numRanks))
    return emitOpError() << "expected a peer from 0 to " << numRanks - 1
                         << " (because the kernel has " << numRanks
                         << " ranks), got " << *peer;
  return success();
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
  // C1, C2
  return failure(
      failed(verifyEqualWidths(*this, getPointer().getType(), getType())) ||
      failed(verifyOffset(*this, getPointer(), getOffset(), getType())));
}

LogicalResult StoreOp::verify() {
  // C1, C2, C3
  VecType vector = getValue().getType();
  return failure(
      failed(verifyEqualWidths(*this, getPointer().getType(), vector)) ||
      failed(verifyWritten(*this, getPointer())) ||
      failed(verifyOffset(*this, getPointer(), getOffset(), vector)));
}

LogicalResult GetOp::verify() {
  // C1
  return verifyArrayIndex(*this, getArray().getType(), getIndex());
}

LogicalResult SetOp::verify() {
  // C1
  return verifyArrayIndex(*this, getArray().getType(), getIndex());
}

LogicalResult CommentOp::verify() {
  // C1: a trailing backslash, which blanks may follow, would join the next line
  // to the comment.
  const auto isControl = [](char c) { return uint8_t(c) < ' ' || c == '\x7f'; };
  if (llvm::any_of(getText(), isControl) ||
      getText().rtrim(' ').ends_with("\\"))
    return emitOpError() << "expected one line of text without control "
                            "characters or a backslash at its end, got "
                         << getTextAttr();
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
LogicalResult ParameterOp::verify() {
  if (failed(verifyInKernel(*this)))
    return failure();
  if (tile::mostOfParameter(*this, getNameAttr()))
    return success();
  return emitOpError() << "expected a parameter that the kernel declares, got "
                       << getNameAttr();
}

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

void ParameterOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                    SetIntRangeFn set) {
  const auto most = tile::mostOfParameter(*this, getNameAttr());
  const unsigned width = ConstantIntRanges::getStorageBitwidth(getType());
  set(getResult(),
      ConstantIntRanges::fromUnsigned(
          APInt(width, 0),
          APInt(width, most.value_or(std::numeric_limits<int64_t>::max()))));
}

void RankOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn set) {
  setRange(getResult(), 0, kernelOf(*this).getNumRanks() - 1, set);
}
