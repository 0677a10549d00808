//===- tilewire-opt.cpp - runs passes over tile and cuda IR ---------------===//

#include "compiler/SourceLimits.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace {

/// Runs over one input, unless it is too large or too deep to parse.
LogicalResult runOn(llvm::StringRef inputFile, llvm::StringRef outputFile,
                    DialectRegistry &registry) {
  std::string message;
  auto input = openInputFile(inputFile, &message);
  if (!input) {
    llvm::errs() << "error: " << message << "\n";
    return failure();
  }
  llvm::StringRef text = input->getBuffer();
  if (auto reason = tilewire::sourceLimitExceeded({text.data(), text.size()})) {
    llvm::errs() << inputFile << ":" << *reason << "\n";
    return failure();
  }
  auto output = openOutputFile(outputFile, &message);
  if (!output) {
    llvm::errs() << "error: " << message << "\n";
    return failure();
  }
  if (failed(MlirOptMain(output->os(), std::move(input), registry,
                         MlirOptMainConfig::createFromCLOptions())))
    return failure();
  output->keep();
  return success();
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  tilewire::registerTilewirePasses();
  registerCanonicalizerPass();
  registerCSEPass();
  registerLoopInvariantCodeMotionPass();
  arith::registerArithUnsignedWhenEquivalentPass();

  DialectRegistry registry;
  registry.insert<tilewire::tile::TileDialect, tilewire::cuda::CudaDialect,
                  arith::ArithDialect, scf::SCFDialect>();
  auto [inputFile, outputFile] = registerAndParseCLIOptions(
      argc, argv, "runs Tilewire's passes over tile and cuda IR\n", registry);
  return asMainReturnCode(runOn(inputFile, outputFile, registry));
}
