//===- LowerTileToCuda.cpp - tile kernels to cuda kernels -----------------===//
//
// The kernel's frame: parameters, entry and exit, the loop over logical blocks,
// who-am-I. How a transfer becomes loops is TransferToCuda.cpp.
//
//===----------------------------------------------------------------------===//

#include "compiler/Locations.h"
#include "compiler/passes/Counts.h"
#include "compiler/passes/Names.h"
#include "compiler/passes/Passes.h"
#include "compiler/passes/TransferToCuda.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tilewire {
#define GEN_PASS_DEF_LOWERTILETOCUDA
#include "compiler/passes/Passes.h.inc"
} // namespace tilewire

using namespace mlir;
using namespace tilewire;

namespace {

/// Lowers one kernel; its waits and checks are numbered in the order of the
/// text.
class KernelLowering {
public:
  explicit KernelLowering(tile::KernelOp kernel)
      : kernel(kernel), builder(kernel) {}

  LogicalResult lower();

private:
  cuda::KernelOp createKernel();
  void lowerBlockLevel(bool meets);
  LogicalResult lowerOp(Operation &op);
  Value onlyBlockIndex(Location named);
  Value blockIndex(tile::BlockIndexOp op);

  /// Replaces `op` by a builtin variable of the cuda dialect.
  template <typename Builtin> LogicalResult replaceBy(Operation &op) {
    op.getResult(0).replaceAllUsesWith(
        Builtin::create(builder, op.getLoc(), builder.getIndexType()));
    return success();
  }

  tile::KernelOp kernel;
  cuda::KernelOp lowered;
  OpBuilder builder;
  Value logicalBlock; ///< at block level
  int64_t maxBlocks = 1;
  int64_t nextWait = 0;
  int64_t nextCheck = 0;
};

/// Whether any transfer of the kernel writes to argument `number`.
bool isWritten(tile::KernelOp kernel, unsigned number) {
  Value tensor = kernel.getBody().getArgument(number);
  return llvm::any_of(tensor.getUsers(), [](Operation *user) {
    auto slice = dyn_cast<tile::SliceOp>(user);
    return slice && llvm::any_of(slice->getUses(), [](OpOperand &use) {
             return isa<tile::PutBlockOp, tile::CopyOp, tile::YieldOp>(
                        use.getOwner()) &&
                    use.getOperandNumber() == 1;
           });
  });
}

/// Leaves nothing but the terminator: a grid without blocks does nothing.
void eraseStatements(Block &body) {
  while (body.getOperations().size() > 1)
    std::prev(body.end(), 2)->erase();
}

cuda::KernelOp KernelLowering::createKernel() {
  SmallVector<Type> types;
  SmallVector<Attribute> attributes;
  llvm::StringSet<> names;
  for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto tensor = cast<tile::TensorType>(type);
    types.push_back(cuda::PtrType::get(builder.getContext(),
                                       tensor.getElementTypeBitWidth()));
    NamedAttrList list(kernel.getArgAttrDict(number));
    // Here already, so that comments speak of the parameters.
    auto given = list.getNamed(tile::nameAttrName);
    auto wanted =
        given ? dyn_cast<StringAttr>(given->getValue()) : StringAttr();
    const std::string name =
        uniqueName(wanted ? wanted.getValue() : "tensor",
                   [&](StringRef name) { return names.contains(name); });
    names.insert(name);
    list.set(tile::nameAttrName, builder.getStringAttr(name));
    list.set(cuda::tensorAttrName, TypeAttr::get(type));
    if (isWritten(kernel, number))
      list.set(cuda::writtenAttrName, builder.getUnitAttr());
    attributes.push_back(list.getDictionary(builder.getContext()));
  }
  return cuda::KernelOp::create(
      builder, kernel.getLoc(), kernel.getSymName(),
      builder.getFunctionType(types, {}), kernel.getNumRanks(),
      kernel.getThreads().value_or(1), maxBlocks, /*needs_all_blocks=*/false,
      kernel.getParametersAttr(), /*parameter_names=*/nullptr,
      builder.getArrayAttr(attributes), /*res_attrs=*/nullptr);
}

LogicalResult KernelLowering::lower() {
  lowered = createKernel();
  lowered.getBody().takeBody(kernel.getBody());
  Block &body = lowered.getBody().front();
  if (kernel.numLogicalBlocks() == 0)
    eraseStatements(body);

  // Pointers join the tensors as arguments until no slice needs those.
  const unsigned numTensors = body.getNumArguments();
  for (unsigned number = 0; number < numTensors; ++number)
    body.addArgument(lowered.getArgumentTypes()[number],
                     body.getArgument(number).getLoc());

  builder.setInsertionPoint(body.getTerminator());
  // Blocks of a grid can only meet when none comes later in a loop; those of a
  // kernel without one are the blocks that were started.
  const bool meets =
      kernel.isBlockLevel() &&
      body.walk([](tile::BarrierAllOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (kernel.getCompletion()) {
    OpBuilder atStart = OpBuilder::atBlockBegin(&body);
    cuda::EnterAllOp::create(atStart, kernel.getLoc(), nextWait++);
  }
  if (kernel.isBlockLevel() && kernel.numLogicalBlocks() != 0)
    lowerBlockLevel(meets);

  // Backwards, so that users and what is nested go before what they stand on.
  SmallVector<Operation *> ops;
  lowered.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<tile::TileDialect>(op->getDialect()))
      ops.push_back(op);
  });
  // Shares last: transfers know a size by the share that it is.
  std::stable_partition(ops.begin(), ops.end(), [](Operation *op) {
    return !isa<tile::ShareSizeOp, tile::ShareBeginOp>(op);
  });
  for (Operation *op : ops) {
    builder.setInsertionPoint(op);
    if (failed(lowerOp(*op)))
      return failure();
  }
  for (Operation *op : llvm::reverse(ops))
    op->erase();

  builder.setInsertionPointToEnd(&body);
  if (kernel.getCompletion())
    cuda::LeaveAllOp::create(builder, kernel.getLoc(), nextWait++);
  cuda::ReturnOp::create(builder, kernel.getLoc());
  body.eraseArguments(0, numTensors);
  lowered.setMaxBlocks(maxBlocks);
  lowered.setNeedsAllBlocks(meets);
  kernel.erase();
  return success();
}

/// Wraps the body in the loop over logical blocks, unless blocks meet in it.
void KernelLowering::lowerBlockLevel(bool meets) {
  Block &body = lowered.getBody().front();
  Location loc = generatedName(builder.getStringAttr("block"), kernel.getLoc());
  const int64_t numBlocks = kernel.numLogicalBlocks();
  maxBlocks = numBlocks;

  Operation *first = &body.front();
  if (isa<cuda::EnterAllOp>(first))
    first = first->getNextNode();
  builder.setInsertionPoint(first);
  Type index = builder.getIndexType();
  Value block = cuda::BlockIndexOp::create(builder, kernel.getLoc(), index);
  if (meets) {
    logicalBlock = block;
    return;
  }
  Value end = arith::ConstantIndexOp::create(builder, loc, numBlocks);
  Value step = cuda::NumBlocksOp::create(builder, kernel.getLoc(), index);
  auto loop = scf::ForOp::create(builder, loc, block, end, step);
  logicalBlock = loop.getInductionVar();
  Block *inside = loop.getBody();
  inside->getOperations().splice(inside->begin(), body.getOperations(),
                                 std::next(loop->getIterator()),
                                 std::prev(body.end()));
}

/// The logical block itself, which takes the name that the user gave it.
Value KernelLowering::onlyBlockIndex(Location named) {
  if (!isa<NameLoc>(named))
    return logicalBlock;
  if (auto loop = scf::getForInductionVarOwner(logicalBlock))
    loop->setLoc(named);
  logicalBlock.setLoc(named);
  return logicalBlock;
}

/// Index along one axis: axis 0 varies fastest.
Value KernelLowering::blockIndex(tile::BlockIndexOp op) {
  auto grid = *kernel.getGrid();
  // The user's name is that of the last step.
  Location loc = op.getLoc(), unnamed = withoutName(loc);
  const bool isLastAxis = op.getAxis() + 1 == grid.size();
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value).getResult();
  };
  if (grid.size() == 1)
    return onlyBlockIndex(loc);
  Value index = logicalBlock;
  int64_t inner = 1;
  for (int64_t extent : grid.take_front(op.getAxis()))
    inner *= extent;
  if (inner != 1)
    index = arith::DivUIOp::create(builder, isLastAxis ? loc : unnamed, index,
                                   constant(inner));
  if (!isLastAxis)
    index = arith::RemUIOp::create(builder, loc, index,
                                   constant(grid[op.getAxis()]));
  return index;
}

LogicalResult KernelLowering::lowerOp(Operation &op) {
  return TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](tile::RankOp) { return replaceBy<cuda::RankOp>(op); })
      .Case([&](tile::ThreadIndexOp) {
        return replaceBy<cuda::ThreadIndexOp>(op);
      })
      .Case([&](tile::NumRanksOp) {
        op.getResult(0).replaceAllUsesWith(arith::ConstantIndexOp::create(
            builder, op.getLoc(), kernel.getNumRanks()));
        return success();
      })
      .Case([&](tile::ParameterOp parameter) {
        op.getResult(0).replaceAllUsesWith(cuda::ParameterOp::create(
            builder, op.getLoc(), builder.getIndexType(),
            parameter.getNameAttr()));
        return success();
      })
      .Case([&](tile::ShareSizeOp share) {
        share.getResult().replaceAllUsesWith(
            shareSize(builder, op.getLoc(), share.getTotal(), share.getRank(),
                      kernel.getNumRanks()));
        return success();
      })
      .Case([&](tile::ShareBeginOp share) {
        share.getResult().replaceAllUsesWith(
            shareBegin(builder, op.getLoc(), share.getTotal(), share.getRank(),
                       kernel.getNumRanks()));
        return success();
      })
      .Case([&](tile::BlockIndexOp index) {
        index.getResult().replaceAllUsesWith(blockIndex(index));
        return success();
      })
      .Case([&](tile::BarrierAllOp) {
        cuda::BarrierAllOp::create(builder, op.getLoc(), nextWait++);
        return success();
      })
      .Case([&](tile::SyncOp) {
        cuda::SyncOp::create(builder, op.getLoc());
        return success();
      })
      .Case([&](tile::CheckOp check) {
        cuda::CheckOp::create(builder, op.getLoc(), nextCheck++,
                              check.getCondition(), check.getValue(),
                              check.getExpected());
        return success();
      })
      .Case([&](tile::PutBlockOp put) {
        return lowerBlockTransfer(builder, put, put.getSource(),
                                  put.getDestination(), put.getPeer(),
                                  put.getPlanAttr());
      })
      .Case([&](tile::CopyOp copy) {
        return lowerBlockTransfer(builder, copy, copy.getSource(),
                                  copy.getDestination(), /*peer=*/Value(),
                                  copy.getPlanAttr());
      })
      .Case([&](tile::PutGridOp put) {
        return lowerGridTransfer(builder, put, maxBlocks);
      })
      .Case<tile::SliceOp, tile::YieldOp, tile::ReturnOp>(
          [](auto) { return success(); })
      .Default([](Operation *unknown) {
        return unknown->emitOpError() << "can't be lowered to cuda; run the "
                                         "passes before this one";
      });
}

struct LowerTileToCudaPass
    : tilewire::impl::LowerTileToCudaBase<LowerTileToCudaPass> {
  void runOnOperation() override {
    for (auto kernel :
         llvm::make_early_inc_range(getOperation().getOps<tile::KernelOp>()))
      if (failed(KernelLowering(kernel).lower()))
        return signalPassFailure();
  }
};

} // namespace
