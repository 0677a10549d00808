//===- TransferToCuda.cpp - transfers become loads and stores -------------===//
//
// A transfer is a space of vectors, numbered in the plan's order. A thread
// takes `unroll` of them at a time, a block's width apart: all loads, then all
// stores. Where the space does not divide, a guard stands around each access.
//
//===----------------------------------------------------------------------===//

#include "compiler/passes/TransferToCuda.h"

#include "compiler/Locations.h"
#include "compiler/passes/Transfer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilewire;

namespace {

/// Index arithmetic whose results carry names for the text.
class Arithmetic {
public:
  Arithmetic(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// The location that names a value.
  Location named(StringRef name) const {
    return name.empty() ? loc : generatedName(builder.getStringAttr(name), loc);
  }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value lhs, Value rhs, StringRef name = "") {
    return arith::AddIOp::create(builder, named(name), lhs, rhs);
  }
  Value multiply(Value lhs, int64_t rhs, StringRef name = "") {
    return rhs == 1
               ? lhs
               : arith::MulIOp::create(builder, named(name), lhs, constant(rhs))
                     .getResult();
  }
  Value divide(Value lhs, int64_t rhs, StringRef name = "") {
    return rhs == 1 ? lhs
                    : arith::DivUIOp::create(builder, named(name), lhs,
                                             constant(rhs))
                          .getResult();
  }
  Value remainder(Value lhs, int64_t rhs, StringRef name = "") {
    return arith::RemUIOp::create(builder, named(name), lhs, constant(rhs));
  }

private:
  OpBuilder &builder;
  Location loc;
};

/// Emits one transfer at the builder's insertion point.
class TransferEmitter {
public:
  TransferEmitter(OpBuilder &builder, Location loc, Transfer transfer,
                  tile::PlanAttr plan, int64_t threads)
      : builder(builder), loc(loc), math(builder, loc),
        transfer(std::move(transfer)), plan(plan), threads(threads) {}

  int64_t numVectors() const { return transfer.numElements / plan.getVector(); }
  /// Vectors that one block moves at a time.
  int64_t chunkSize() const { return threads * plan.getUnroll(); }

  /// What stays the same for every vector: the pointers, and the offsets of the
  /// slices' first elements.
  void emitStarts(Value peer);

  /// Moves vectors `first`, `first + threads`, ...; those not below `limit`
  /// are left out when `guarded`.
  void emitChunk(Value first, bool guarded);

private:
  enum class Side { Source, Destination };

  Value tensorStart(tile::SliceOp slice, StringRef name);
  Value elementOffset(Value vector, Side side);
  void emitGuarded(Value vector, bool guarded, function_ref<void()> body);
  void emitUnrolled(Value first, bool guarded,
                    function_ref<void(Value i, Value vector)> body);
  Value load(Value vector);
  void store(Value vector, function_ref<Value()> value);
  cuda::VecType vectorType() const {
    return cuda::VecType::get(builder.getContext(), plan.getVector(),
                              transfer.elementBits);
  }

  OpBuilder &builder;
  Location loc;
  Arithmetic math;
  Transfer transfer;
  tile::PlanAttr plan;
  int64_t threads;
  Value source, destination;           ///< pointers
  Value sourceStart, destinationStart; ///< offsets; null for zero
};

/// The pointer argument that belongs to a tensor argument.
Value pointerOf(Value tensor) {
  auto argument = cast<BlockArgument>(tensor);
  Block *body = argument.getOwner();
  return body->getArgument(argument.getArgNumber() +
                           body->getNumArguments() / 2);
}

/// The tensor's name in the text.
std::string nameOf(Value tensor) {
  auto argument = cast<BlockArgument>(tensor);
  return cast<cuda::KernelOp>(argument.getOwner()->getParentOp())
      .getParameterName(argument.getArgNumber())
      .str();
}

Value TransferEmitter::tensorStart(tile::SliceOp slice, StringRef name) {
  auto strides =
      cast<tile::TensorType>(slice.getTensor().getType()).getStrides();
  Value start;
  int64_t constantStart = 0;
  for (auto [offset, stride] :
       llvm::zip_equal(slice.getMixedOffsets(), strides)) {
    if (auto constant = dyn_cast<Attribute>(offset)) {
      constantStart += cast<IntegerAttr>(constant).getInt() * stride;
      continue;
    }
    Value term = math.multiply(cast<Value>(offset), stride);
    start = start ? math.add(start, term) : term;
  }
  if (constantStart != 0) {
    Value term = math.constant(constantStart);
    start = start ? math.add(start, term) : term;
  }
  // Only what was computed here takes the name, not the user's own offset.
  if (start && start.getLoc() == loc)
    start.setLoc(math.named(name));
  return start;
}

void TransferEmitter::emitStarts(Value peer) {
  Value from = transfer.source.getTensor();
  Value to = transfer.destination.getTensor();
  source = pointerOf(from);
  destination = pointerOf(to);
  if (peer)
    destination =
        cuda::OnPeerOp::create(builder, math.named(nameOf(to) + "OnPeer"),
                               destination.getType(), destination, peer);
  sourceStart = tensorStart(transfer.source, nameOf(from) + "Start");
  destinationStart = tensorStart(transfer.destination, nameOf(to) + "Start");
}

Value TransferEmitter::elementOffset(Value vector, Side side) {
  Value offset = side == Side::Source ? sourceStart : destinationStart;
  int64_t inner = 1;
  SmallVector<Value> terms;
  for (size_t number = transfer.dims.size(); number-- > 0;) {
    const TransferDim &dim = transfer.dims[number];
    const bool fastest = number + 1 == transfer.dims.size();
    const int64_t width = fastest ? plan.getVector() : 1;
    const int64_t steps = dim.size / width;
    Value step = math.divide(vector, inner);
    if (number != 0)
      step = math.remainder(step, steps);
    step = math.multiply(step, width);
    if (step != vector && step.getDefiningOp())
      step.setLoc(math.named(dim.name));
    terms.push_back(math.multiply(
        step, side == Side::Source ? dim.sourceStride : dim.destinationStride));
    inner *= steps;
  }
  for (Value term : llvm::reverse(terms))
    offset = offset ? math.add(offset, term) : term;
  return offset ? offset : math.constant(0);
}

void TransferEmitter::emitGuarded(Value vector, bool guarded,
                                  function_ref<void()> body) {
  if (!guarded)
    return body();
  Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       vector, math.constant(numVectors()));
  auto branch = scf::IfOp::create(builder, loc, inside);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

/// A loop of constant trip count over the vectors of one thread.
void TransferEmitter::emitUnrolled(Value first, bool guarded,
                                   function_ref<void(Value, Value)> body) {
  auto loop =
      scf::ForOp::create(builder, math.named("i"), math.constant(0),
                         math.constant(plan.getUnroll()), math.constant(1));
  loop->setAttr(cuda::unrollAttrName, builder.getUnitAttr());
  Value i = loop.getInductionVar();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value vector = math.add(first, math.multiply(i, threads), "vector");
  emitGuarded(vector, guarded, [&] { body(i, vector); });
}

Value TransferEmitter::load(Value vector) {
  Value offset = elementOffset(vector, Side::Source);
  return cuda::LoadOp::create(builder, loc, vectorType(), source, offset);
}

/// The value is made last, next to its use, so that the text needs no variable
/// for it.
void TransferEmitter::store(Value vector, function_ref<Value()> value) {
  Value offset = elementOffset(vector, Side::Destination);
  cuda::StoreOp::create(builder, loc, value(), destination, offset);
}

void TransferEmitter::emitChunk(Value first, bool guarded) {
  if (plan.getUnroll() == 1) {
    emitGuarded(first, guarded,
                [&] { store(first, [&] { return load(first); }); });
    return;
  }
  auto arrayType = cuda::ArrayType::get(builder.getContext(), plan.getUnroll(),
                                        vectorType());
  Value held =
      cuda::RegistersOp::create(builder, math.named("held"), arrayType);
  emitUnrolled(first, guarded, [&](Value i, Value vector) {
    cuda::SetOp::create(builder, loc, load(vector), held, i);
  });
  emitUnrolled(first, guarded, [&](Value i, Value vector) {
    store(vector, [&]() -> Value {
      return cuda::GetOp::create(builder, loc, vectorType(), held, i);
    });
  });
}

/// "2x8x2048x128 of src to dst", with which the comment begins.
std::string describe(Transfer &transfer) {
  std::string text;
  for (int64_t extent : transfer.destination.getTile().getType().getShape())
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text + " of " + nameOf(transfer.source.getTensor()) + " to " +
         nameOf(transfer.destination.getTensor());
}

/// The transfer that `plan` is for, or a diagnostic.
FailureOr<Transfer> plannedTransfer(Operation *op, Value source,
                                    Value destination, tile::PlanAttr plan) {
  if (!plan)
    return op->emitOpError() << "expected a plan; plan transfers first";
  auto transfer = describeTransfer(op, source, destination, plan.getOrder());
  if (failed(transfer) || failed(checkPlan(op, *transfer, plan)))
    return failure();
  return transfer;
}

Value threadIndex(OpBuilder &builder, Location loc) {
  return cuda::ThreadIndexOp::create(builder, loc, builder.getIndexType());
}

} // namespace

LogicalResult tilewire::lowerBlockTransfer(OpBuilder &builder, Operation *op,
                                           Value source, Value destination,
                                           Value peer, tile::PlanAttr plan) {
  auto transfer = plannedTransfer(op, source, destination, plan);
  if (failed(transfer))
    return failure();
  if (transfer->numElements == 0)
    return success();
  Location loc = op->getLoc();
  const int64_t threads = op->getParentOfType<cuda::KernelOp>().getThreads();
  Arithmetic math(builder, loc);
  TransferEmitter emitter(builder, loc, *transfer, plan, threads);
  cuda::CommentOp::create(builder, loc,
                          describe(*transfer) + (peer ? ", on peer" : ""));
  emitter.emitStarts(peer);

  Value thread = threadIndex(builder, loc);
  const int64_t vectors = emitter.numVectors();
  const bool guarded = vectors % emitter.chunkSize() != 0;
  if (vectors <= emitter.chunkSize()) {
    emitter.emitChunk(thread, guarded);
    return success();
  }
  auto loop = scf::ForOp::create(builder, math.named("first"), thread,
                                 math.constant(vectors),
                                 math.constant(emitter.chunkSize()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  // One vector a round is guarded by the loop itself.
  emitter.emitChunk(loop.getInductionVar(), guarded && plan.getUnroll() != 1);
  return success();
}

LogicalResult tilewire::lowerGridTransfer(OpBuilder &builder,
                                          tile::PutGridOp op,
                                          int64_t &maxBlocks) {
  tile::YieldOp yield = op.getYield();
  auto transfer = plannedTransfer(op, yield.getSource(), yield.getDestination(),
                                  op.getPlanAttr());
  if (failed(transfer))
    return failure();
  if (transfer->numElements == 0)
    return success();
  Location loc = op.getLoc();
  auto kernel = op->getParentOfType<cuda::KernelOp>();
  const int64_t numRanks = kernel.getNumRanks();
  Arithmetic math(builder, loc);
  TransferEmitter emitter(builder, loc, *transfer, op.getPlanAttr(),
                          kernel.getThreads());
  const int64_t chunksPerPeer =
      llvm::divideCeil(emitter.numVectors(), emitter.chunkSize());
  int64_t chunks = 0;
  if (llvm::MulOverflow(chunksPerPeer, numRanks, chunks))
    return op.emitOpError()
           << "expected fewer than 2^63 chunks of work in all, got "
           << chunksPerPeer << " for each of " << numRanks
           << " ranks; give the kernel more threads";
  // The runtime counts blocks in 32 bits; the loop takes what is beyond.
  maxBlocks = std::max(maxBlocks, std::min<int64_t>(chunks, (1u << 31) - 1));

  cuda::CommentOp::create(builder, loc,
                          describe(*transfer) + ", on every peer; blocks "
                                                "take peers in turn");
  Type index = builder.getIndexType();
  Value block = cuda::BlockIndexOp::create(builder, loc, index);
  Value step = cuda::NumBlocksOp::create(builder, loc, index);
  Value rank = cuda::RankOp::create(builder, loc, index);
  Value next = math.add(rank, math.constant(1), "nextRank");
  auto loop = scf::ForOp::create(builder, math.named("chunk"), block,
                                 math.constant(chunks), step);
  Value chunk = loop.getInductionVar();

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value peer = math.remainder(math.add(next, chunk), numRanks, "peer");
  op.getPeer().replaceAllUsesWith(peer);
  Block *body = loop.getBody();
  body->getOperations().splice(std::prev(body->end()),
                               op.getBody().front().getOperations());
  builder.setInsertionPoint(body->getTerminator());
  emitter.emitStarts(peer);
  Value first =
      math.add(math.multiply(math.divide(chunk, numRanks), emitter.chunkSize()),
               threadIndex(builder, loc), "first");
  emitter.emitChunk(first, emitter.numVectors() % emitter.chunkSize() != 0);
  return success();
}
