//===- Uniformity.h - over whom a value is the same -----------------------===//
//
// A data-flow lattice of how far a value is the same, from one thread to all
// ranks, and the kernel's check that what threads, blocks or ranks do together
// depends on nothing that differs among them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DIALECTS_UNIFORMITY_H
#define TILEWIRE_DIALECTS_UNIFORMITY_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tilewire {

/// The largest group over which a value is the same; larger is stronger.
enum class Uniformity { Thread, Warp, Block, Grid, Ranks };

/// For kernels of both dialects: refuses an op that a block does together, or a
/// barrier of all ranks, whose operands or whose loops and branches around
/// differ within that group.
llvm::LogicalResult verifyUniformity(mlir::FunctionOpInterface kernel);

} // namespace tilewire

#endif // TILEWIRE_DIALECTS_UNIFORMITY_H
