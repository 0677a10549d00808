//===- LegalizeNames.cpp - variables and their names ----------------------===//

#include "compiler/Locations.h"
#include "compiler/passes/Names.h"
#include "compiler/passes/Passes.h"

#include "mlir/IR/Matchers.h"

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
  if (op && isa<cuda::ThreadIndexOp>(op))
    return "thread";
  if (op && isa<arith::ExtUIOp, arith::TruncIOp>(op))
    return wordFor(op->getOperand(0));
  return "";
}

/// The name of a variable that must be there and that nobody named.
std::string defaultName(Operation *op) {
  if (isa<cuda::OnPeerOp>(op))
    return "remote";
  if (isa<cuda::LoadOp, cuda::GetOp>(op))
    return "element";
  if (isa<cuda::RegistersOp>(op))
    return "held";
  if (isa<arith::CmpIOp>(op))
    return "inTile";
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
              cuda::RankOp>(op) &&
          !givenName(op->getLoc()));
}

/// Whether `op`, which nobody named, can be spelled at its only use.
bool canInline(Operation *op) {
  if (!op->getResult(0).hasOneUse())
    return false;
  Operation *user = *op->user_begin();
  // A read may not move past other statements.
  if (!isPure(op))
    return user == op->getNextNode();
  return user->getBlock() == op->getBlock() && !isa<scf::ForOp>(user);
}

/// The most operators of one expression that is nested in others: beyond this a
/// line is no longer read at a glance.
constexpr unsigned mostNested = 8;

/// Names the variables of one kernel, scope by scope.
class Naming {
public:
  void run(cuda::KernelOp kernel) {
    scopes.emplace_back();
    for (auto [number, argument] :
         llvm::enumerate(kernel.getBody().getArguments())) {
      const std::string name = unique(kernel.getParameterName(number));
      setName(argument, name);
      kernel.setArgAttr(number, tile::nameAttrName,
                        StringAttr::get(kernel.getContext(), name));
    }
    nameBlock(kernel.getBody().front());
    scopes.pop_back();
  }

private:
  void nameBlock(Block &block) {
    for (Operation &op : block) {
      nameResult(op);
      for (Region &region : op.getRegions()) {
        scopes.emplace_back();
        for (Block &inner : region) {
          nameCounter(op, inner);
          nameBlock(inner);
        }
        scopes.pop_back();
      }
    }
  }

  /// A loop's name is its counter's: IR prints no location for the counter.
  void nameCounter(Operation &loop, Block &body) {
    for (Value counter : body.getArguments()) {
      auto given = givenName(counter.getLoc());
      if (!given)
        given = givenName(loop.getLoc());
      setName(counter, unique(given.value_or("i")));
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
      return;
    }
    auto given = givenName(op.getLoc());
    setName(op.getResult(0), unique(given ? given->str() : defaultName(&op)));
  }

  bool needsVariable(Operation &op) const {
    if (isAlwaysInline(&op))
      return false;
    return isa<cuda::RegistersOp>(op) || givenName(op.getLoc()) ||
           !canInline(&op) || nestedIn(op) >= mostNested;
  }

  /// Operators in the spelling of `op` below its own.
  unsigned nestedIn(Operation &op) const {
    unsigned count = 0;
    for (Value operand : op.getOperands())
      count += nested.lookup(operand.getDefiningOp());
    return count;
  }

  /// A legal name like `wanted` that no enclosing scope has.
  std::string unique(StringRef wanted) {
    const std::string name =
        uniqueName(wanted, [&](StringRef name) { return isTaken(name); });
    scopes.back().insert(name);
    return name;
  }

  bool isTaken(StringRef name) const {
    return llvm::any_of(
        scopes, [&](const auto &scope) { return scope.contains(name); });
  }

  void setName(Value value, StringRef name) {
    value.setLoc(NameLoc::get(StringAttr::get(value.getContext(), name),
                              withoutName(value.getLoc())));
  }

  SmallVector<llvm::StringSet<>> scopes;
  /// Operators in the spelling of each op that has no variable.
  DenseMap<Operation *, unsigned> nested;
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
      Naming().run(kernel);
    }
  }
};

} // namespace
