//===- TransferToCuda.cpp - transfers become loads and stores -------------===//
//
// A transfer is a space of vectors, numbered in the plan's order. A thread
// takes `unroll` of them at a time, a block's width apart: all loads, then all
// stores. Where the space does not divide, a guard stands around each access.
//
//===----------------------------------------------------------------------===//

#include "compiler/passes/TransferToCuda.h"

#include "compiler/passes/Arithmetic.h"
#include "compiler/passes/Transfer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilewire;

namespace {

/// Emits one transfer at the builder's insertion point.
class TransferEmitter {
public:
  TransferEmitter(OpBuilder &builder, Operation *op, Transfer transfer,
                  tile::PlanAttr plan, int64_t threads)
      : builder(builder), loc(op->getLoc()), math(builder, op),
        transfer(std::move(transfer)), plan(plan), threads(threads) {}

  /// Vectors that are walked, some of which may be padding.
  Count numVectors() const { return inVectors(transfer.numElements()); }
  /// The most of them on any rank.
  Count mostVectors() const { return inVectors(transfer.mostElements()); }
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

  Count inVectors(Count elements) const {
    elements.factor /= plan.getVector();
    elements.most /= plan.getVector();
    return elements;
  }
  Count stepsOf(size_t number) const;
  Value stepOf(Value vector, size_t number);
  Value isInside(Value vector);
  void emitIf(Value condition, function_ref<void()> body);
  Value tensorStart(tile::SliceOp slice, Value rank, StringRef name);
  /// A count that is no constant, called `name`.
  Value named(const Count &count, const std::string &name) {
    if (count.isConstant())
      return {};
    Value value = math.value(count);
    // A parameter has its own.
    if (!value.getDefiningOp<cuda::ParameterOp>())
      value.setLoc(math.named(name));
    return value;
  }
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
  // For each loop, where it is no constant: its steps, its size, if padded, and
  // its strides; computed once.
  SmallVector<Value> steps, sizes, sourceStrides, destinationStrides;
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

Value TransferEmitter::tensorStart(tile::SliceOp slice, Value rank,
                                   StringRef name) {
  const SmallVector<Count> strides =
      stridesOn(cast<tile::TensorType>(slice.getTensor().getType()), rank,
                tile::numRanksAround(slice));
  Value start;
  int64_t constantStart = 0;
  auto add = [&](Value term) { start = start ? math.add(start, term) : term; };
  for (auto [offset, stride] :
       llvm::zip_equal(slice.getMixedOffsets(), strides)) {
    const std::optional<int64_t> constant = getConstantIntValue(offset);
    if (auto value = dyn_cast<Value>(offset))
      add(math.multiply(value, stride));
    else if (stride.isConstant())
      constantStart += *constant * stride.factor;
    else if (*constant != 0)
      add(math.multiply(math.value(stride), *constant));
  }
  if (constantStart != 0)
    add(math.constant(constantStart));
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
  sourceStart =
      tensorStart(transfer.source, /*rank=*/Value(), nameOf(from) + "Start");
  destinationStart =
      tensorStart(transfer.destination, peer, nameOf(to) + "Start");
  for (auto [number, dim] : llvm::enumerate(transfer.dims)) {
    const Count walked = stepsOf(number);
    steps.push_back(walked.isConstant() ? Value() : math.value(walked));
    sizes.push_back(transfer.isPadded(number)
                        ? named(dim.size, dim.name + "Size")
                        : Value());
    sourceStrides.push_back(named(dim.sourceStride, nameOf(from) + "Stride"));
    destinationStrides.push_back(
        named(dim.destinationStride, nameOf(to) + "Stride"));
  }
}

/// The steps of loop `number`, of which each is a vector in the fastest.
Count TransferEmitter::stepsOf(size_t number) const {
  const Count steps = transfer.walked(number);
  return number + 1 == transfer.dims.size() ? inVectors(steps) : steps;
}

/// Where `vector` stands in loop `number`, in elements.
Value TransferEmitter::stepOf(Value vector, size_t number) {
  const size_t fastest = transfer.dims.size() - 1;
  // Constants divide at once by all the faster loops; values one by one, as
  // each division serves all that are slower.
  Value step = vector;
  Count inner(1);
  for (size_t faster = fastest; faster > number; --faster) {
    if (inner.isConstant() && stepsOf(faster).isConstant()) {
      inner = inner * stepsOf(faster);
      continue;
    }
    step =
        math.divide(math.divide(step, inner), stepsOf(faster), steps[faster]);
    inner = Count(1);
  }
  step = math.divide(step, inner);
  if (number != 0)
    step = math.remainder(step, stepsOf(number), steps[number]);
  if (number == fastest)
    step = math.multiply(step, plan.getVector());
  if (step != vector && step.getDefiningOp())
    step.setLoc(math.named(transfer.dims[number].name));
  return step;
}

Value TransferEmitter::elementOffset(Value vector, Side side) {
  SmallVector<Value> terms;
  for (size_t number = transfer.dims.size(); number-- > 0;) {
    const TransferDim &dim = transfer.dims[number];
    const bool isSource = side == Side::Source;
    const Count &stride = isSource ? dim.sourceStride : dim.destinationStride;
    Value step = stepOf(vector, number);
    // What is no constant was computed once.
    terms.push_back(
        stride.isConstant()
            ? math.multiply(step, stride)
            : math.multiply(step, (isSource ? sourceStrides
                                            : destinationStrides)[number]));
  }
  Value offset = side == Side::Source ? sourceStart : destinationStart;
  for (Value term : llvm::reverse(terms))
    offset = offset ? math.add(offset, term) : term;
  return offset ? offset : math.constant(0);
}

/// Whether `vector` is no padding: null where that is known.
Value TransferEmitter::isInside(Value vector) {
  Value inside;
  for (size_t number = 0; number < transfer.dims.size(); ++number) {
    if (!transfer.isPadded(number))
      continue;
    Value one = math.isBelow(stepOf(vector, number), sizes[number]);
    inside = inside ? arith::AndIOp::create(builder, loc, inside, one) : one;
  }
  return inside;
}

void TransferEmitter::emitIf(Value condition, function_ref<void()> body) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(builder, loc, condition);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

void TransferEmitter::emitGuarded(Value vector, bool guarded,
                                  function_ref<void()> body) {
  if (!guarded)
    return emitIf(isInside(vector), body);
  Value below = math.isBelow(vector, math.value(numVectors()));
  // Where there are no vectors, a divisor may be 0.
  if (!transfer.hasConstantDivisors())
    return emitIf(below, [&] { emitIf(isInside(vector), body); });
  Value inside = isInside(vector);
  emitIf(inside ? arith::AndIOp::create(builder, loc, below, inside).getResult()
                : below,
         body);
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

/// A tile's size in a comment.
std::string describe(const Count &size) {
  if (size.isConstant())
    return std::to_string(size.factor);
  const std::optional<tile::TensorExtent> extent = size.terms.front().extent;
  if (!extent)
    return "?";
  const std::string count = extent->parameter
                                ? extent->parameter.getValue().str()
                                : std::to_string(extent->count);
  return extent->isShare ? "share(" + count + ")" : count;
}

/// "2x8x2048x128 of src to dst", with which the comment begins.
std::string describe(Transfer &transfer) {
  std::string text;
  const SmallVector<Count> sizes = sizesOf(transfer.destination);
  for (int64_t dim : transfer.destination.getPermutationOrIdentity())
    text += (text.empty() ? "" : "x") + describe(sizes[dim]);
  return text + " of " + nameOf(transfer.source.getTensor()) + " to " +
         nameOf(transfer.destination.getTensor());
}

/// The transfer that `plan` is for, or a diagnostic.
FailureOr<Transfer> plannedTransfer(Operation *op, Value source,
                                    Value destination, Value peer,
                                    tile::PlanAttr plan) {
  if (!plan)
    return op->emitOpError() << "expected a plan; plan transfers first";
  auto transfer =
      describeTransfer(op, source, destination, plan.getOrder(), peer);
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
  auto transfer = plannedTransfer(op, source, destination, peer, plan);
  if (failed(transfer))
    return failure();
  if (transfer->numElements().most == 0)
    return success();
  Location loc = op->getLoc();
  const int64_t threads = op->getParentOfType<cuda::KernelOp>().getThreads();
  Arithmetic math(builder, op);
  TransferEmitter emitter(builder, op, *transfer, plan, threads);
  cuda::CommentOp::create(builder, loc,
                          describe(*transfer) + (peer ? ", on peer" : ""));
  emitter.emitStarts(peer);

  Value thread = threadIndex(builder, loc);
  const Count vectors = emitter.numVectors();
  const bool guarded =
      !vectors.isConstant() || vectors.factor % emitter.chunkSize() != 0;
  if (vectors.most <= emitter.chunkSize()) {
    emitter.emitChunk(thread, guarded);
    return success();
  }
  auto loop = scf::ForOp::create(builder, math.named("first"), thread,
                                 math.value(vectors),
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
                                  op.getPeer(), op.getPlanAttr());
  if (failed(transfer))
    return failure();
  if (transfer->numElements().most == 0)
    return success();
  Location loc = op.getLoc();
  auto kernel = op->getParentOfType<cuda::KernelOp>();
  const int64_t numRanks = kernel.getNumRanks();
  Arithmetic math(builder, op);
  TransferEmitter planned(builder, op, *transfer, op.getPlanAttr(),
                          kernel.getThreads());
  const Count vectors = planned.mostVectors();
  const int64_t chunksPerPeer =
      llvm::divideCeil(vectors.most, planned.chunkSize());
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
  Value end = vectors.isConstant()
                  ? math.constant(chunks)
                  : math.multiply(math.divideCeil(math.value(vectors),
                                                  planned.chunkSize()),
                                  numRanks, "chunks");
  auto loop =
      scf::ForOp::create(builder, math.named("chunk"), block, end, step);
  Value chunk = loop.getInductionVar();

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value peer = math.remainder(math.add(next, chunk), numRanks, Value(), "peer");
  op.getPeer().replaceAllUsesWith(peer);
  Block *body = loop.getBody();
  body->getOperations().splice(std::prev(body->end()),
                               op.getBody().front().getOperations());
  builder.setInsertionPoint(body->getTerminator());
  // Once more, now that the peer is known.
  transfer = plannedTransfer(op, yield.getSource(), yield.getDestination(),
                             peer, op.getPlanAttr());
  if (failed(transfer))
    return failure();
  TransferEmitter emitter(builder, op, *transfer, op.getPlanAttr(),
                          kernel.getThreads());
  emitter.emitStarts(peer);
  Value first =
      math.add(math.multiply(math.divide(chunk, numRanks), emitter.chunkSize()),
               threadIndex(builder, loc), "first");
  const Count walked = emitter.numVectors();
  emitter.emitChunk(first, !walked.isConstant() ||
                               walked.factor % emitter.chunkSize() != 0);
  return success();
}
