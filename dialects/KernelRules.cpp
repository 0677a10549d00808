//===- KernelRules.cpp - what kernels of both dialects must hold ----------===//

#include "dialects/KernelRules.h"

#include "dialects/Cuda/Cuda.h"
#include "dialects/Tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewire;

namespace {

/// "attributes among 'a', 'b'", or "no attributes".
std::string listAttributes(ArrayRef<StringRef> known) {
  if (known.empty())
    return "no attributes";
  return "attributes among '" + llvm::join(known, "', '") + "'";
}

/// A misspelt attribute would change nothing, in silence. Those that an op
/// declares are checked by its own verifier.
LogicalResult verifyAttributes(Operation *op) {
  if (op->getDiscardableAttrs().empty())
    return success();
  SmallVector<StringRef> known;
  for (StringAttr name : op->getName().getAttributeNames())
    known.push_back(name);
  if (isa<scf::ForOp>(op))
    known.push_back(cuda::unrollAttrName);
  if (isa<arith::DivUIOp, arith::RemUIOp>(op))
    known.push_back(cuda::invariantAttrName);
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    const StringRef name = attribute.getName().getValue();
    if (!llvm::is_contained(known, name))
      return op->emitOpError() << "expected " << listAttributes(known)
                               << ", got '" << name << "'";
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitOpError()
             << "expected attribute '" << name << "' without a value, got "
             << attribute.getValue();
  }
  return success();
}

LogicalResult verifyDivisor(Operation *op) {
  if (isa<arith::DivUIOp, arith::DivSIOp, arith::CeilDivUIOp,
          arith::CeilDivSIOp, arith::FloorDivSIOp, arith::RemUIOp,
          arith::RemSIOp>(op) &&
      matchPattern(op->getOperand(1), m_Zero()))
    return op->emitOpError() << "expected a divisor other than 0, got 0";
  return success();
}

/// A loop that does not run as it is written would vanish in silence.
LogicalResult verifyStep(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return success();
  const std::optional<APInt> step = loop.getConstantStep();
  if (!step || step->isStrictlyPositive() ||
      (loop.getUnsignedCmp() && !step->isZero()))
    return success();
  return op->emitOpError() << "expected a positive step, got "
                           << step->getSExtValue();
}

} // namespace

LogicalResult tilewire::verifyNameLength(Operation *op, StringRef what,
                                         StringRef name) {
  if (name.size() > maxNameLength)
    return op->emitOpError()
           << "expected a name of at most " << maxNameLength << " characters "
           << what << ", got one of " << name.size();
  return success();
}

LogicalResult tilewire::verifySignature(FunctionOpInterface kernel,
                                        ArrayRef<StringRef> known) {
  if (failed(verifyNameLength(kernel, "for the kernel", kernel.getName())))
    return failure();
  if (kernel.getNumArguments() > maxTensors)
    return kernel->emitOpError()
           << "expected at most " << maxTensors << " tensors, got "
           << kernel.getNumArguments();
  for (unsigned number = 0; number < kernel.getNumArguments(); ++number)
    for (NamedAttribute attribute : kernel.getArgAttrs(number))
      if (!llvm::is_contained(known, attribute.getName()))
        return kernel->emitOpError()
               << "expected argument " << number << " to have "
               << listAttributes(known) << ", got '"
               << attribute.getName().getValue() << "'";
  return success();
}

LogicalResult tilewire::verifyTensorNames(FunctionOpInterface kernel,
                                          unsigned number,
                                          tile::TensorType tensor) {
  if (Attribute given = kernel.getArgAttr(number, tile::nameAttrName)) {
    auto name = dyn_cast<StringAttr>(given);
    if (!name)
      return kernel->emitOpError()
             << "expected '" << tile::nameAttrName << "' of argument " << number
             << " to be a string, got " << given;
    if (failed(verifyNameLength(kernel, "for a tensor", name)))
      return failure();
  }
  Attribute given = kernel.getArgAttr(number, tile::dimsAttrName);
  if (!given)
    return success();
  auto dims = dyn_cast<ArrayAttr>(given);
  if (!dims || !llvm::all_of(dims, llvm::IsaPred<StringAttr>) ||
      int64_t(dims.size()) != tensor.getRank())
    return kernel->emitOpError()
           << "expected '" << tile::dimsAttrName << "' of argument " << number
           << " to be " << tensor.getRank()
           << " strings (because the tensor is " << tensor << "), got "
           << given;
  for (Attribute dim : dims)
    if (failed(verifyNameLength(kernel, "for a dimension",
                                cast<StringAttr>(dim).getValue())))
      return failure();
  return success();
}

LogicalResult tilewire::verifyOps(FunctionOpInterface kernel) {
  auto result = kernel->walk<WalkOrder::PreOrder>([](Operation *op) {
    return WalkResult(failure(failed(verifyAttributes(op)) ||
                              failed(verifyDivisor(op)) ||
                              failed(verifyStep(op))));
  });
  return failure(result.wasInterrupted());
}
