//===- ParseModule.cpp - text to the module of a program ------------------===//

#include "compiler/ParseModule.h"

#include "compiler/Locations.h"
#include "dialects/Cuda/Cuda.h"
#include "dialects/Tile/Tile.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tilewire;

namespace {

/// The program of a text: its only module, or one around all that it holds.
OwningOpRef<ModuleOp> makeModule(mlir::Block &parsed, Location loc) {
  if (llvm::hasSingleElement(parsed))
    if (auto module = dyn_cast<ModuleOp>(parsed.front())) {
      module->remove();
      return module;
    }
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  mlir::Block *body = module->getBody();
  body->getOperations().splice(body->end(), parsed.getOperations());
  return module;
}

/// Gives each op that says no place, as with `loc("name")`, that of its text.
void fillPlaces(ModuleOp module, const AsmParserState &parsed,
                const llvm::SourceMgr &sources, StringRef file) {
  module.walk([&](Operation *op) {
    const auto *definition = parsed.getOpDef(op);
    if (!definition || placeOf(op->getLoc()))
      return;
    const auto [line, column] = sources.getLineAndColumn(definition->loc.Start);
    Location place =
        FileLineColLoc::get(module.getContext(), file, line, column);
    auto named = dyn_cast<NameLoc>(op->getLoc());
    op->setLoc(named ? NameLoc::get(named.getName(), place) : place);
  });
}

/// Folders follow operands, and would never end where an op is its own. The
/// verifier excludes that where ops run in order; what it lets through in a
/// module and in blocks that nothing reaches is refused here.
LogicalResult verifyOrdered(ModuleOp module) {
  auto result = module->walk<WalkOrder::PreOrder>([](Operation *op) {
    if (isa_and_nonnull<ModuleOp>(op->getParentOp()) &&
        !isa<tile::KernelOp, cuda::KernelOp>(op)) {
      op->emitError() << "expected kernels alone outside of kernels, got '"
                      << op->getName() << "'";
      return WalkResult::interrupt();
    }
    for (Region &region : op->getRegions())
      if (region.getBlocks().size() > 1) {
        op->emitError() << "expected regions of one block in '" << op->getName()
                        << "', got one of " << region.getBlocks().size();
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

} // namespace

OwningOpRef<ModuleOp> tilewire::parseModule(const llvm::SourceMgr &sources,
                                            MLIRContext *context) {
  const StringRef file =
      sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier();
  // Verified when every op has its place.
  ParserConfig config(context, /*verifyAfterParse=*/false);
  AsmParserState definitions;
  mlir::Block parsed;
  if (failed(parseAsmSourceFile(sources, &parsed, config, &definitions)))
    return nullptr;
  OwningOpRef<ModuleOp> module =
      makeModule(parsed, FileLineColLoc::get(context, file, 0, 0));
  fillPlaces(*module, definitions, sources, file);
  if (failed(verifyOrdered(*module)) || failed(verify(*module)))
    return nullptr;
  return module;
}
