//===- Simplify.cpp - folds and merges, and keeps the user's names --------===//

#include "compiler/Locations.h"
#include "compiler/passes/Passes.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tilewire {
#define GEN_PASS_DEF_SIMPLIFY
#include "compiler/passes/Passes.h.inc"
} // namespace tilewire

using namespace mlir;
using namespace tilewire;

namespace {

/// Passes the name of an op that goes to the one that takes its place, where
/// that has none.
class NameKeeper : public RewriterBase::Listener {
  using RewriterBase::Listener::notifyOperationReplaced;

  void notifyOperationReplaced(Operation *op, ValueRange values) override {
    auto name = dyn_cast<NameLoc>(op->getLoc());
    if (!name || values.size() != 1)
      return;
    Operation *heir = values.front().getDefiningOp();
    if (heir && !isa<NameLoc>(heir->getLoc()))
      heir->setLoc(isGenerated(name)
                       ? generatedName(name.getName(), heir->getLoc())
                       : NameLoc::get(name.getName(), heir->getLoc()));
  }
};

struct SimplifyPass : tilewire::impl::SimplifyBase<SimplifyPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(all);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(all, context);
    patterns = FrozenRewritePatternSet(std::move(all));
    return success();
  }

  void runOnOperation() override {
    NameKeeper names;
    GreedyRewriteConfig config;
    config.setListener(&names).setUseTopDownTraversal();
    // As far as it comes: what is left unfolded is right too.
    (void)applyPatternsGreedily(getOperation(), patterns, config);
    IRRewriter rewriter(&getContext(), &names);
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
  }

  FrozenRewritePatternSet patterns;
};

} // namespace
