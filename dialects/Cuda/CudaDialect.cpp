//===- CudaDialect.cpp - the cuda dialect and its types -------------------===//

#include "dialects/Cuda/Cuda.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewire::cuda;

#include "dialects/Cuda/CudaDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Cuda/CudaTypes.cpp.inc"

void CudaDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Cuda/CudaTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Cuda/CudaOps.cpp.inc"
      >();
}

namespace {

bool isElementWidth(unsigned bits) {
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

} // namespace

LogicalResult PtrType::verify(function_ref<InFlightDiagnostic()> emitError,
                              unsigned bits) {
  if (!isElementWidth(bits))
    return emitError() << "expected elements of 8, 16, 32 or 64 bits, got "
                       << bits;
  return success();
}

LogicalResult ArrayType::verify(function_ref<InFlightDiagnostic()> emitError,
                                unsigned size, VecType) {
  if (size < 1 || size > 32)
    return emitError() << "expected an array of 1 to 32 vectors, got " << size;
  return success();
}

LogicalResult VecType::verify(function_ref<InFlightDiagnostic()> emitError,
                              unsigned count, unsigned bits) {
  if (!isElementWidth(bits))
    return emitError() << "expected elements of 8, 16, 32 or 64 bits, got "
                       << bits;
  const uint64_t bytes = uint64_t(count) * bits / 8;
  if (count == 0 || bytes > 16 || (bytes & (bytes - 1)) != 0)
    return emitError() << "expected a vector of 1, 2, 4, 8 or 16 bytes, got "
                       << count << " elements of " << bits << " bits";
  return success();
}
