//===- Options.cpp - the command line of the three programs ---------------===//

#include "Options.h"

#include "tools/CommandLine.h"

#include <limits>

using namespace sequence_parallel;
namespace tw = tilewire;

namespace {

/// Adds an option that takes a whole number, and tells the default.
template <typename Number>
void addNumber(CLI::App &app, const std::string &name, Number &value,
               int64_t least, int64_t most, const std::string &help) {
  tw::addNumber(app, name, value, least, most,
                help + " [" + std::to_string(value) + "]");
}

/// Adds an option whose text `parse` turns into a value.
template <typename Value, typename Parse>
void addChoice(CLI::App &app, const std::string &name, Value &value,
               Parse parse, const std::string &type, const std::string &help) {
  app.add_option_function<std::string>(
         name, [=, &value](const std::string &text) { value = parse(text); },
         help)
      ->type_name(type);
}

/// "f16, bf16, ...".
std::string dataTypeNames() {
  std::string names;
  for (tw::DataType dtype : tw::allDataTypes)
    names += (names.empty() ? "" : ", ") + std::string(tw::name(dtype));
  return names;
}

Level parseLevel(const std::string &text) {
  if (text == "block")
    return Level::Block;
  if (text == "tensor")
    return Level::Tensor;
  throw tw::UserError("expected --level to be block or tensor, got '" + text +
                      "'");
}

void addShape(CLI::App &app, Shape &shape) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  addNumber(app, "--num-processes", shape.numRanks, 1, tw::maxRanks,
            "ranks that take part");
  addNumber(app, "--batch-size", shape.batchSize, 0, most, "batch, B");
  addNumber(app, "--num-heads", shape.numHeads, 0, most,
            "heads over all ranks, H");
  addNumber(app, "--seq-len", shape.seqLen, 0, most,
            "sequence length over all ranks, S");
  addNumber(app, "--head-dim", shape.headDim, 0, most,
            "elements of one head of one token, D");
  addChoice(
      app, "--dtype", shape.dtype,
      [](const std::string &text) { return tw::parseDataType(text); }, "TYPE",
      "element type: " + dataTypeNames() + " [" +
          std::string(tw::name(shape.dtype)) + "]");
}

void addRun(CLI::App &app, Options &options) {
  constexpr int64_t most = std::numeric_limits<int>::max();
  addNumber(app, "--warmup", options.warmup, 0, most,
            "launches before the first that is timed");
  addNumber(
      app, "--rep", options.repetitions, 0, most,
      "samples timed, each of --launches-per-sample launches; 0 for none");
  addNumber(app, "--launches-per-sample", options.launchesPerSample, 1, most,
            "launches back to back in one timed run, its time divided");
  app.add_flag("--compare-copy", options.compareCopy,
               "also time a copy of as many bytes on the device, in turn");
  app.add_flag("--compare-nccl", options.compareNccl,
               "also let NCCL's all-to-all do the same, with copies that pack "
               "and unpack: compare the outputs, and time it in turn");
  addChoice(app, "--level", options.level, parseLevel, "LEVEL",
            "which of the two forms of the program: block or tensor [tensor]");
  addChoice(
      app, "--backend", options.world.backend,
      [](const std::string &text) { return tw::parseBackend(text); }, "NAME",
      "auto, cuda or emulator [auto: cuda where there is a GPU]");
  app.add_flag("--share-gpu", options.world.shareGpu,
               "let several ranks use one GPU; times then mean nothing");
  app.add_flag("--loopback", options.loopback,
               "ranks are threads of this process, not processes");
  app.add_flag_callback(
      "--no-completion", [&options] { options.completion = false; },
      "leave out the entry and exit barriers while timing");
  addChoice(
      app, "--peer-memory", options.peerMemory,
      [](const std::string &text) { return tw::parsePeerMemory(text); }, "KIND",
      "auto, fd or ipc [auto]");
  app.add_flag("--print-source", options.printSource,
               "print the generated CUDA text");
  app.add_option("--json", options.json, "write the figures to this file")
      ->type_name("FILE");
}

} // namespace

std::optional<Options> sequence_parallel::parseOptions(
    int argc, char **argv, const std::string &description, bool choosesBlocks) {
  CLI::App app(description);
  app.footer("The program starts its own ranks; under tilewire-run -n N it is "
             "one of them.\n\nExamples:\n"
             "  four ranks on the CPU:  --backend emulator --warmup 0 --rep 1\n"
             "  see the kernel:         --print-source --rep 0");
  app.option_defaults()->take_last();
  Options options;
  addShape(app, options.shape);
  addRun(app, options);
  constexpr int64_t mostCtas = 1 << 20;
  if (choosesBlocks)
    addNumber(app, "--target-ctas", options.targetCtas, 1, mostCtas,
              "blocks that the block-level form aims at");
  if (!tw::parseCommandLine(app, argc, argv))
    return std::nullopt;
  return options;
}
