//===- TransferToCuda.h - transfers become loads and stores ---------------===//
//
// Used by LowerTileToCuda once the kernel's body stands in a cuda.kernel whose
// arguments are the tensors, then one pointer for each.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_PASSES_TRANSFERTOCUDA_H
#define TILEWIRE_COMPILER_PASSES_TRANSFERTOCUDA_H

#include "dialects/Cuda/Cuda.h"
#include "dialects/Tile/Tile.h"

#include "mlir/IR/Builders.h"

namespace tilewire {

/// Lowers a move by the threads of one block at the builder's insertion point;
/// `peer` is null for a local copy. `op` is the transfer, for its diagnostics.
mlir::LogicalResult lowerBlockTransfer(mlir::OpBuilder &builder,
                                       mlir::Operation *op, mlir::Value source,
                                       mlir::Value destination,
                                       mlir::Value peer, tile::PlanAttr plan);

/// Lowers a move by all blocks; raises `maxBlocks` to the blocks it can use.
mlir::LogicalResult lowerGridTransfer(mlir::OpBuilder &builder,
                                      tile::PutGridOp op, int64_t &maxBlocks);

} // namespace tilewire

#endif // TILEWIRE_COMPILER_PASSES_TRANSFERTOCUDA_H
