//===- Uniformity.cpp - what is the same for all threads of a block -------===//

#include "dialects/Tile/Uniformity.h"

#include "dialects/Tile/Tile.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

bool tilewire::tile::isUniform(Operation *op) {
  // What it stands on, directly or not: operands, and what encloses a body
  // whose argument is used. In order of discovery, each once.
  llvm::SetVector<Operation *> reached;
  for (Operation *around = op; around && !isa<KernelOp>(around);
       around = around->getParentOp())
    reached.insert(around);
  for (size_t next = 0; next < reached.size(); ++next) {
    if (isa<ThreadIndexOp>(reached[next]))
      return false;
    for (Value operand : reached[next]->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!source)
        source = operand.getParentBlock()->getParentOp();
      if (!isa<KernelOp>(source))
        reached.insert(source);
    }
  }
  return true;
}
