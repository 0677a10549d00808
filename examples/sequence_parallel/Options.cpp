//===- Options.cpp - the command line of the three programs ---------------===//

#include "Options.h"

#include "tools/CommandLine.h"

#include <algorithm>
#include <limits>

using namespace sequence_parallel;
namespace tw = tilewire;

namespace {

/// Adds an option that takes a whole number, and tells the default.
template <typename Number>
void addNumber(CLI::App &app, const std::string &name, Number &value,
               int64_t least, int64_t most, const std::string &help,
               const std::string &otherwise = "") {
  tw::addNumber(app, name, value, least, most,
                help + " [" +
                    (otherwise.empty() ? std::to_string(value) : otherwise) +
                    "]");
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

/// Adds --seq-len, which may be given several times, or as "1024,4096,57".
void addSeqLens(CLI::App &app, std::vector<int64_t> &seqLens) {
  const auto parse = [&seqLens](const std::vector<std::string> &lists) {
    seqLens.clear();
    for (const std::string &list : lists)
      for (size_t begin = 0; begin <= list.size();) {
        const size_t end = std::min(list.find(',', begin), list.size());
        seqLens.push_back(tw::parseNumber<int64_t>(
            "--seq-len", list.substr(begin, end - begin), 0,
            std::numeric_limits<int64_t>::max()));
        begin = end + 1;
      }
    return true;
  };
  app.add_option("--seq-len", parse,
                 "sequence length over all ranks, S; several, as N,N or one by "
                 "one, run one after another [" +
                     std::to_string(seqLens.front()) + "]")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->type_name("N");
}

void addShape(CLI::App &app, Options &options) {
  Shape &shape = options.shape;
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  addNumber(app, "--num-processes", shape.numRanks, 1, tw::maxRanks,
            "ranks that take part");
  addNumber(app, "--batch-size", shape.batchSize, 0, most, "batch, B");
  addNumber(app, "--num-heads", shape.numHeads, 0, most,
            "heads over all ranks, H");
  addNumber(app, "--kv-heads", shape.kvHeads, 1, most,
            "heads of keys and values, moved in the same kernel before "
            "attention; query heads stay with theirs",
            "as many as query heads, and not moved");
  app.add_flag("--replicate-kv", shape.replicateKv,
               "let fewer --kv-heads than ranks go each to several ranks");
  addSeqLens(app, options.seqLens);
  addNumber(app, "--head-dim", shape.headDim, 0, most,
            "elements of one head of one token, D");
  addChoice(
      app, "--dtype", shape.dtype,
      [](const std::string &text) { return tw::parseDataType(text); }, "TYPE",
      "element type: " + dataTypeNames() + " [" +
          std::string(tw::name(shape.dtype)) + "]");
  app.add_flag("--dynamic", options.dynamic,
               "one kernel for all lengths: batch, heads and sequence are what "
               "each launch gives, up to the largest given here");
}

/// Refuses options that exclude each other.
void checkTogether(const Options &options) {
  if (options.dynamic && options.level == Level::Block)
    throw tw::UserError("expected --level tensor with --dynamic (because the "
                        "grid of the block level is a number, which no launch "
                        "changes), got block");
  if (options.dynamic && !options.completion)
    throw tw::UserError("expected no --no-completion with --dynamic (because "
                        "ranks compare lengths where they enter)");
  if (options.shape.replicateKv && options.shape.kvHeads == 0)
    throw tw::UserError("expected --kv-heads with --replicate-kv, got none");
  if (options.shape.kvHeads == 0)
    return;
  if (options.level == Level::Block)
    throw tw::UserError("expected --level tensor with --kv-heads (because the "
                        "block level has a grid for one pair of tensors), got "
                        "block");
  if (options.compareNccl)
    throw tw::UserError("expected no --kv-heads with --compare-nccl (because "
                        "what NCCL is asked to do is one pair of tensors)");
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
  addShape(app, options);
  addRun(app, options);
  constexpr int64_t mostCtas = 1 << 20;
  if (choosesBlocks)
    addNumber(app, "--target-ctas", options.targetCtas, 1, mostCtas,
              "blocks that the block-level form aims at");
  if (!tw::parseCommandLine(app, argc, argv))
    return std::nullopt;
  options.shape.seqLen = *std::ranges::max_element(options.seqLens);
  checkTogether(options);
  return options;
}
