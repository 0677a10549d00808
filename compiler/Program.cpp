//===- Program.cpp - a tile program as a value ----------------------------===//

#include "compiler/Diagnostics.h"
#include "compiler/Locations.h"
#include "compiler/ProgramState.h"
#include "compiler/SourceLimits.h"
#include "dialects/Cuda/Cuda.h"
#include "dialects/Tile/Tile.h"

#include <tilewire/Error.h>

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tilewire;

std::unique_ptr<MLIRContext> tilewire::makeContext() {
  DialectRegistry registry;
  registry.insert<tile::TileDialect, cuda::CudaDialect, arith::ArithDialect,
                  scf::SCFDialect>();
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  return context;
}

std::string tilewire::printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
  flags.printNameLocAsPrefix();
  module.print(os, flags);
  return text;
}

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

/// The module of `text`, each of its ops with a place; null after an error.
OwningOpRef<ModuleOp> parseModule(MLIRContext *context, StringRef text,
                                  StringRef file) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, file),
                             llvm::SMLoc());
  // Verified when every op has its place.
  ParserConfig config(context, /*verifyAfterParse=*/false);
  AsmParserState definitions;
  mlir::Block parsed;
  if (failed(parseAsmSourceFile(sources, &parsed, config, &definitions)))
    return nullptr;
  OwningOpRef<ModuleOp> module =
      makeModule(parsed, FileLineColLoc::get(context, file, 0, 0));
  fillPlaces(*module, definitions, sources, file);
  if (failed(verify(*module)))
    return nullptr;
  return module;
}

} // namespace

Program Program::parse(std::string_view text, std::string_view name) {
  if (auto reason = sourceLimitExceeded(text))
    throw UserError(std::string(name) + ":" + *reason);
  auto state = std::make_shared<State>();
  DiagnosticKeeper keeper(state->context.get());
  state->module =
      parseModule(state->context.get(), StringRef(text.data(), text.size()),
                  StringRef(name.data(), name.size()));
  keeper.check(success(bool(state->module)));
  return Program(std::move(state));
}

std::string Program::ir() const { return printModule(*impl->module); }
