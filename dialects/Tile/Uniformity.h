//===- Uniformity.h - what is the same for all threads of a block ---------===//
//
// For the verifiers of ops that all threads of a block do together.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DIALECTS_UNIFORMITY_H
#define TILEWIRE_DIALECTS_UNIFORMITY_H

#include "mlir/IR/Operation.h"

namespace tilewire::tile {

/// Whether neither the operands of `op` nor the loops and conditions around it
/// depend on the thread's number.
bool isUniform(mlir::Operation *op);

} // namespace tilewire::tile

#endif // TILEWIRE_DIALECTS_UNIFORMITY_H
