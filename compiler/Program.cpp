//===- Program.cpp - a tile program as a value ----------------------------===//

#include "compiler/Diagnostics.h"
#include "compiler/ParseModule.h"
#include "compiler/ProgramState.h"
#include "compiler/SourceLimits.h"
#include "dialects/Cuda/Cuda.h"
#include "dialects/Tile/Tile.h"

#include <tilewire/Error.h>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

Program Program::parse(std::string_view text, std::string_view name) {
  if (auto reason = sourceLimitExceeded(text))
    throw UserError(std::string(name) + ":" + *reason);
  auto state = std::make_shared<State>();
  DiagnosticKeeper keeper(state->context.get());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(StringRef(text.data(), text.size()),
                                           StringRef(name.data(), name.size())),
      llvm::SMLoc());
  state->module = parseModule(sources, state->context.get());
  keeper.check(success(bool(state->module)));
  return Program(std::move(state));
}

std::string Program::ir() const {
  const std::lock_guard lock(impl->mutex);
  return printModule(*impl->module);
}
