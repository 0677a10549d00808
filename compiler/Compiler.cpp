//===- Compiler.cpp - from a program to CUDA text -------------------------===//

#include <tilewire/Compiler.h>

#include "compiler/Diagnostics.h"
#include "compiler/Pipeline.h"
#include "compiler/ProgramState.h"
#include "compiler/emit/Emitter.h"

#include "runtime/Digest.h"

#include <tilewire/Error.h>

using namespace mlir;
using namespace tilewire;

namespace {

/// A copy of the program's module after the steps up to `stopAfter`, or after
/// all of them. The caller holds the program's mutex for as long as it uses it.
OwningOpRef<ModuleOp> run(Program::State &state,
                          std::optional<std::string_view> stopAfter = {}) {
  OwningOpRef<ModuleOp> module = state.module->clone();
  DiagnosticKeeper keeper(state.context.get());
  PassManager passes(state.context.get());
  buildPipeline(passes, stopAfter);
  keeper.check(passes.run(*module));
  return module;
}

/// KernelSource::program. Printed without locations, which hold the names of
/// values too.
std::string programDigest(ModuleOp module) {
  OwningOpRef<ModuleOp> bare = module.clone();
  bare->walk([](cuda::CommentOp comment) { comment.erase(); });
  std::string text;
  llvm::raw_string_ostream os(text);
  bare->print(os, OpPrintingFlags().enableDebugInfo(false));
  return digest(text);
}

} // namespace

KernelSource tilewire::compile(const Program &program) {
  Program::State &state = program.state();
  const std::lock_guard lock(state.mutex);
  OwningOpRef<ModuleOp> module = run(state);
  auto kernels = module->getOps<cuda::KernelOp>();
  const auto count = std::distance(kernels.begin(), kernels.end());
  if (count != 1)
    throw UserError(placePrefix(module->getLoc()) +
                    "expected a program of one kernel, got " +
                    std::to_string(count));
  KernelSource source = emitKernel(*kernels.begin());
  source.program = programDigest(*state.module);
  return source;
}

std::string tilewire::lower(const Program &program,
                            std::string_view stopAfter) {
  Program::State &state = program.state();
  const std::lock_guard lock(state.mutex);
  return printModule(*run(state, stopAfter));
}
