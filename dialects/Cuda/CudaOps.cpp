//===- CudaOps.cpp - the ops of the cuda dialect --------------------------===//
//
// Syntax, constraints ("C1" and so on of Cuda.td) and value ranges.
//
//===----------------------------------------------------------------------===//

#include "dialects/Cuda/Cuda.h"
#include "dialects/Tile/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace tilewire::cuda;

#define GET_OP_CLASSES
#include "dialects/Cuda/CudaOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

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

LogicalResult KernelOp::verify() {
  for (unsigned number = 0; number < getArgumentTypes().size(); ++number) {
    auto pointer = dyn_cast<PtrType>(getArgumentTypes()[number]);
    auto tensor = getArgAttrOfType<TypeAttr>(number, tensorAttrName);
    if (!pointer || !tensor || !tile::isTensorType(tensor.getValue()))
      return emitOpError() << "expected argument " << number
                           << " to be a pointer with the attribute '"
                           << tensorAttrName << "'";
  }
  return success();
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

} // namespace

LogicalResult LoadOp::verify() {
  // C1
  return verifyEqualWidths(*this, getPointer().getType(), getType());
}

LogicalResult StoreOp::verify() {
  // C1
  return verifyEqualWidths(*this, getPointer().getType(), getValue().getType());
}

LogicalResult CommentOp::verify() {
  // C1: a trailing backslash would join the next line to the comment.
  if (getText().find_first_of("\n\r") != StringRef::npos ||
      getText().ends_with("\\"))
    return emitOpError() << "expected one line of text";
  return success();
}

//===----------------------------------------------------------------------===//
// Builtin variables: names and ranges
//===----------------------------------------------------------------------===//

namespace {

/// Sets the range [0, last] at the result's width.
void setRange(Value result, uint64_t first, uint64_t last,
              SetIntRangeFn setRange) {
  const unsigned width =
      ConstantIntRanges::getStorageBitwidth(result.getType());
  setRange(result, ConstantIntRanges::fromUnsigned(APInt(width, first),
                                                   APInt(width, last)));
}

KernelOp kernelOf(Operation *op) { return op->getParentOfType<KernelOp>(); }

} // namespace

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

void ThreadIndexOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "thread");
}

void BlockIndexOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "block");
}

void NumBlocksOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "num_blocks");
}

void RankOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "rank");
}
