//===- tilewire-opt.cpp - runs passes over tile and cuda IR ---------------===//

#include "compiler/ParseModule.h"
#include "compiler/ProgramState.h"
#include "compiler/SourceLimits.h"
#include "compiler/passes/Passes.h"
#include "runtime/SystemCall.h"
#include "tools/CommandLine.h"
#include "tools/ReadInput.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

namespace cl = llvm::cl;
namespace tw = tilewire;
using namespace mlir;

namespace {

void registerOptions() {
  tw::registerTilewirePasses();
  registerCanonicalizerPass();
  registerCSEPass();
  registerLoopInvariantCodeMotionPass();
  arith::registerArithUnsignedWhenEquivalentPass();
  registerAsmPrinterCLOptions();
  registerPassManagerCLOptions();
}

/// The programs of a text, each below empty lines in place of those before it,
/// so that its places are those of the text.
std::vector<std::string> splitPrograms(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, "// -----");
  std::vector<std::string> programs;
  for (llvm::StringRef part : parts) {
    const llvm::StringRef before(text.data(), part.data() - text.data());
    programs.push_back(std::string(before.count('\n'), '\n') + part.str());
  }
  return programs;
}

/// Prints the program of `sources` as the passes leave it.
LogicalResult runPasses(const llvm::SourceMgr &sources, MLIRContext *context,
                        const PassPipelineCLParser &pipeline,
                        llvm::raw_ostream &os) {
  OwningOpRef<ModuleOp> module = tw::parseModule(sources, context);
  if (!module)
    return failure();
  PassManager passes(context);
  const auto report = [&](const llvm::Twine &message) {
    return emitError(module->getLoc()) << message;
  };
  if (failed(applyPassManagerCLOptions(passes)) ||
      failed(pipeline.addToPipeline(passes, report)) ||
      failed(passes.run(*module)))
    return failure();
  module->print(os);
  os << "\n";
  return success();
}

/// Runs the passes and prints errors; or, if `isExpecting`, compares them with
/// those that comments of the program expect, and fails where they differ.
LogicalResult runOn(const std::string &program, const std::string &name,
                    const PassPipelineCLParser &pipeline, bool isExpecting,
                    llvm::raw_ostream &os) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(program, name), llvm::SMLoc());
  const std::unique_ptr<MLIRContext> context = tw::makeContext();
  if (!isExpecting) {
    SourceMgrDiagnosticHandler handler(sources, context.get());
    return runPasses(sources, context.get(), pipeline, os);
  }
  context->printOpOnDiagnostic(false);
  SourceMgrDiagnosticVerifierHandler handler(sources, context.get());
  (void)runPasses(sources, context.get(), pipeline, os);
  return handler.verify();
}

void writeOutput(const std::string &file, const std::string &text) {
  if (file == "-") {
    std::cout << text;
    return;
  }
  std::ofstream out(file);
  out << text << std::flush;
  if (!out)
    throw tw::UserError(tw::describeSystemError(
        "expected a file that can be written, got '" + file + "'", errno));
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  registerOptions();
  const PassPipelineCLParser pipeline("", "Passes to run:");
  cl::opt<std::string> inputFile(cl::Positional, cl::init("-"),
                                 cl::desc("FILE"));
  cl::opt<std::string> outputFile("o", cl::init("-"), cl::value_desc("FILE"),
                                  cl::desc("where the IR is printed to"));
  cl::opt<bool> isSplit("split-input-file",
                        cl::desc("read a program from each part between "
                                 "'// -----'"));
  cl::opt<bool> isExpecting("verify-diagnostics",
                            cl::desc("expect the errors that comments of the "
                                     "text say, and no others"));
  cl::ParseCommandLineOptions(argc, argv,
                              "runs Tilewire's passes over tile and cuda IR\n");

  return tw::runProgram("", [&] {
    const std::string &file = inputFile;
    const std::string name = file == "-" ? "<stdin>" : file;
    const std::string text =
        tw::readInput(file, "a readable file of tile or cuda IR");
    if (auto reason = tw::sourceLimitExceeded(text))
      throw tw::UserError(name + ":" + *reason);
    std::string printed;
    llvm::raw_string_ostream os(printed);
    bool isDone = true;
    for (const std::string &program :
         isSplit ? splitPrograms(text) : std::vector{text})
      isDone &= succeeded(runOn(program, name, pipeline, isExpecting, os));
    if (!isDone)
      return tw::exitUserError;
    writeOutput(outputFile, printed);
    return 0;
  });
}
