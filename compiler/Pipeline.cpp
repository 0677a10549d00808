//===- Pipeline.cpp - the steps from tile IR to printable cuda IR ---------===//

#include "compiler/Pipeline.h"

#include "compiler/passes/Passes.h"

#include <tilewire/Compiler.h>
#include <tilewire/Error.h>

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilewire;

namespace {

struct Step {
  const char *name;
  std::unique_ptr<Pass> (*create)();
};

const Step pipeline[] = {
    // Folds constants of the builder's arithmetic, so that offsets that are
    // known show as such to the planner.
    {"simplify-tile", [] { return createSimplify(); }},
    // Collectives become moves; all that follows sees moves only.
    {"expand-collectives", [] { return createExpandCollectives(); }},
    // After expansion, which makes views of views; all that follows sees slices
    // of tensors.
    {"fold-views", [] { return createFoldViews(); }},
    // Slices are final, and what was proved here no later step asks again.
    {"check-tiles", [] { return createCheckTiles(); }},
    // Between collectives, which are whole moves still.
    {"insert-barriers", [] { return createInsertBarriers(); }},
    // The last step but one that knows tiles decides how each is moved.
    {"plan-transfers", [] { return createPlanTransfers(); }},
    // Between the moves of a block; the plan says which thread touches what.
    {"insert-syncs", [] { return createInsertSyncs(); }},
    {"lower-tile-to-cuda", [] { return createLowerTileToCuda(); }},
    // Indices that are never negative divide and compare as unsigned, which is
    // what the text can say and what is cheap.
    {"unsigned-when-equivalent",
     [] { return arith::createArithUnsignedWhenEquivalentPass(); }},
    {"simplify", [] { return createSimplify(); }},
    // What a loop does not change is said before it.
    {"loop-invariant-code-motion",
     [] { return createLoopInvariantCodeMotionPass(); }},
    // Before widths and names, which know only what the text can say.
    {"check-printable", [] { return createCheckPrintable(); }},
    // Widths last among what computes: the arithmetic no longer changes.
    {"narrow-indices", [] { return createNarrowIndices(); }},
    // Which divisions are of 32 bits is known now.
    {"use-reciprocals", [] { return createUseReciprocals(); }},
    // Casts of one value at several places become one.
    {"cse-casts", [] { return createCSEPass(); }},
    // Nothing may appear or vanish once values are variables.
    {"legalize-names", [] { return createLegalizeNames(); }},
};

} // namespace

std::vector<std::string> tilewire::pipelineSteps() {
  std::vector<std::string> names;
  for (const Step &step : pipeline)
    names.push_back(step.name);
  return names;
}

void tilewire::buildPipeline(PassManager &passes,
                             std::optional<std::string_view> stopAfter) {
  for (const Step &step : pipeline) {
    passes.addPass(step.create());
    if (step.name == stopAfter)
      return;
  }
  if (!stopAfter)
    return;
  std::string names;
  for (const Step &step : pipeline)
    names += std::string(names.empty() ? "" : ", ") + step.name;
  throw UserError("expected a step of the pipeline (" + names + "), got '" +
                  std::string(*stopAfter) + "'");
}
