//===- LegalizeNames.cpp - variables and their names ----------------------===//

#include "compiler/Locations.h"
#include "compiler/passes/Names.h"
#include "compiler/passes/Passes.h"
#include "dialects/KernelRules.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"

namespace tilewire {
#define GEN_PASS_DEF_LEGALIZENAMES
#include "compiler/passes/Passes.h.inc"
} // namespace tilewire

using namespace mlir;
using namespace tilewire;

namespace {

std::optional<StringRef> givenName(Location loc) {
  auto name = dyn_cast<NameLoc>(loc);
  return name ? std::optional<StringRef>(name.getName().getValue())
              : std::nullopt;
}

/// What the text calls `value`, as far as that is one word.
std::string wordFor(Value value) {
  if (auto given = givenName(value.getLoc()))
    return given->str();
  Operation *op = value.getDefiningOp();
  if (op && isa<cuda::RankOp>(op))
    return "rank";
  if (auto parameter = dyn_cast_if_present<cuda::ParameterOp>(op))
    return parameter.getName().str();
  if (op && isa<cuda::ThreadIndexOp>(op))
    return "thread";
  if (op && isa<arith::ExtUIOp, arith::TruncIOp>(op))
    return wordFor(op->getOperand(0));
  return "";
}

/// Whether `op` compares with the end of a space whose moves it guards.
bool guardsMove(Operation *op) {
  auto compare = cast<arith::CmpIOp>(op);
  if (compare.getPredicate() != arith::CmpIPredicate::ult ||
      !matchPattern(compare.getRhs(), m_Constant()))
    return false;
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    auto branch = dyn_cast<scf::IfOp>(user);
    return branch && llvm::any_of(*branch.thenBlock(), [](Operation &guarded) {
             return isa<cuda::LoadOp, cuda::StoreOp, cuda::SetOp>(guarded);
           });
  });
}

/// The name of a variable that must be there and that nobody named.
std::string defaultName(Operation *op) {
  if (isa<cuda::OnPeerOp>(op))
    return "remote";
  if (isa<cuda::VecType>(op->getResult(0).getType()))
    return "element";
  if (isa<cuda::RegistersOp>(op))
    return "held";
  if (isa<cuda::DivisorOp>(op)) {
    const std::string word = wordFor(op->getOperand(0));
    return word.empty() ? "divisor" : "by" + word;
  }
  if (isa<arith::CmpIOp>(op))
    return guardsMove(op) ? "inBounds" : "condition";
  // So many elements, or rows, on.
  if (isa<arith::MulIOp>(op) && matchPattern(op->getOperand(1), m_Constant()))
    if (const std::string word = wordFor(op->getOperand(0)); !word.empty())
      return word + "Offset";
  return "index";
}

/// Whether the text spells `op` where it is used, however often: constants
/// always, what CUDA has a word for unless somebody named it.
bool isAlwaysInline(Operation *op) {
  return isa<arith::ConstantOp>(op) ||
         (isa<cuda::ThreadIndexOp, cuda::BlockIndexOp, cuda::NumBlocksOp,
              cuda::RankOp, cuda::ParameterOp>(op) &&
          !givenName(op->getLoc()));
}

/// Whether `op` may change what a read before or after it gives.
bool mayWrite(Operation *op) {
  return !isMemoryEffectFree(op) && !isa<cuda::LoadOp, cuda::GetOp>(op);
}

/// The most operators of one expression that is nested in others: beyond this a
/// line is no longer read at a glance.
constexpr unsigned mostNested = 8;

/// Names the variables of one kernel, scope by scope.
class Naming {
public:
  /// A failure, with a diagnostic, where the user's name is too long.
  LogicalResult run(cuda::KernelOp kernel) {
    if (failed(keepGivenNames(kernel)))
      return failure();
    scopes.push();
    for (auto [number, argument] :
         llvm::enumerate(kernel.getBody().getArguments())) {
      const std::string name =
          scopes.add(kernel.getParameterName(number), /*isGiven=*/true);
      setName(argument, name);
      kernel.setArgAttr(number, tile::nameAttrName,
                        StringAttr::get(kernel.getContext(), name));
    }
    nameParameters(kernel);
    nameBlock(kernel.getBody().front());
    scopes.pop();
    return success();
  }

private:
  /// The user's names are kept for what the user called so.
  LogicalResult keepGivenNames(cuda::KernelOp kernel) {
    auto result = kernel.getBody().walk([&](Operation *op) {
      auto name = dyn_cast<NameLoc>(op->getLoc());
      if (!name || isGenerated(name))
        return WalkResult::advance();
      const size_t length = name.getName().size();
      if (length > maxNameLength) {
        emitError(op->getLoc())
            << "expected a name of at most " << maxNameLength
            << " characters for a value, got one of " << length;
        return WalkResult::interrupt();
      }
      scopes.keep(name.getName());
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  void nameParameters(cuda::KernelOp kernel) {
    if (!kernel.getParameters())
      return;
    SmallVector<Attribute> names;
    for (auto parameter :
         kernel.getParameters()->getAsRange<tile::ParameterAttr>())
      names.push_back(
          StringAttr::get(kernel.getContext(),
                          scopes.add(parameter.getName(), /*isGiven=*/true)));
    kernel.setParameterNamesAttr(ArrayAttr::get(kernel.getContext(), names));
  }

  void nameBlock(Block &block) {
    unsigned writes = 0;
    for (Operation &op : block) {
      writesBefore[&op] = writes;
      writes += mayWrite(&op);
    }
    for (Operation &op : block) {
      nameResult(op);
      for (Region &region : op.getRegions()) {
        scopes.push();
        for (Block &inner : region) {
          nameCounter(op, inner);
          nameBlock(inner);
        }
        scopes.pop();
      }
    }
  }

  /// A loop's name is its counter's: IR prints no location for the counter.
  void nameCounter(Operation &loop, Block &body) {
    for (Value counter : body.getArguments()) {
      auto name = dyn_cast<NameLoc>(counter.getLoc());
      if (!name)
        name = dyn_cast<NameLoc>(loop.getLoc());
      setName(counter, uniqueName(name, "i"));
      loop.setLoc(counter.getLoc());
    }
  }

  void nameResult(Operation &op) {
    if (op.getNumResults() != 1)
      return;
    if (!needsVariable(op)) {
      op.setLoc(withoutName(op.getLoc()));
      if (!isAlwaysInline(&op))
        nested[&op] = nestedIn(op) + 1;
      if (reads(op))
        readers.insert(&op);
      return;
    }
    auto name = dyn_cast<NameLoc>(op.getLoc());
    setName(op.getResult(0), uniqueName(name, name ? "" : defaultName(&op)));
  }

  bool needsVariable(Operation &op) const {
    if (isAlwaysInline(&op))
      return false;
    return isa<cuda::RegistersOp, cuda::DivisorOp>(op) ||
           givenName(op.getLoc()) || !canInline(op) ||
           nestedIn(op) >= mostNested;
  }

  /// Whether `op`, which nobody named, can be spelled at its only use.
  bool canInline(Operation &op) const {
    if (!op.getResult(0).hasOneUse())
      return false;
    Operation *user = *op.user_begin();
    if (user->getBlock() != op.getBlock() || isa<scf::ForOp>(user))
      return false;
    // A read may not move past a write.
    return !reads(op) || writesBefore.lookup(user) == writesBefore.lookup(&op);
  }

  /// Whether the spelling of `op` reads memory, itself or in what is nested.
  bool reads(Operation &op) const {
    return !isMemoryEffectFree(&op) ||
           llvm::any_of(op.getOperands(), [&](Value operand) {
             return readers.contains(operand.getDefiningOp());
           });
  }

  /// Operators in the spelling of `op` below its own.
  unsigned nestedIn(Operation &op) const {
    unsigned count = 0;
    for (Value operand : op.getOperands())
      count += nested.lookup(operand.getDefiningOp());
    return count;
  }

  /// The name in `name`, or `otherwise`, made legal and unlike all others.
  std::string uniqueName(NameLoc name, StringRef otherwise) {
    return scopes.add(name ? name.getName().getValue() : otherwise,
                      /*isGiven=*/name && !isGenerated(name));
  }

  void setName(Value value, StringRef name) {
    value.setLoc(NameLoc::get(StringAttr::get(value.getContext(), name),
                              withoutName(value.getLoc())));
  }

  NameScopes scopes;
  /// Operators in the spelling of each op that has no variable.
  DenseMap<Operation *, unsigned> nested;
  /// Ops without a variable whose spelling reads memory.
  llvm::SmallPtrSet<Operation *, 8> readers;
  /// Ops of the same block before each that may write.
  DenseMap<Operation *, unsigned> writesBefore;
};

struct LegalizeNamesPass
    : tilewire::impl::LegalizeNamesBase<LegalizeNamesPass> {
  void runOnOperation() override {
    llvm::StringSet<> kernels;
    for (auto kernel : getOperation().getOps<cuda::KernelOp>()) {
      const std::string name =
          uniqueName(kernel.getSymName(), [&](StringRef name) {
            return isReservedForKernels(name) || kernels.contains(name);
          });
      kernels.insert(name);
      kernel.setSymName(name);
      if (failed(Naming().run(kernel)))
        return signalPassFailure();
    }
  }
};

} // namespace
