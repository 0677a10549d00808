//===- Run.cpp - what the three programs do alike -------------------------===//

#include "Run.h"

#include "Build.h"
#include "NcclBaseline.h"
#include "Programs.h"
#include "RankTensors.h"
#include "Report.h"

#include "tools/CommandLine.h"
#include "tools/JsonFile.h"

#include <algorithm>
#include <iostream>

using namespace sequence_parallel;
namespace tw = tilewire;

namespace {

tw::BenchmarkOptions benchmarkOptions(const Options &options) {
  return {.warmup = options.warmup,
          .repetitions = options.repetitions,
          .launchesPerSample = options.launchesPerSample};
}

/// One rank's run of one kernel, on one length or several.
class RankRun {
public:
  /// `asked` of the whole run, of which `options` are this kernel's part.
  RankRun(tw::World &world, const AllToAllProgram &program,
          const Options &asked, const Options &options)
      : world(world), program(program), asked(asked), options(options),
        source(tw::compile(buildProgram(program, options))) {}

  /// Adds the figures of each length to those of the run.
  void run(std::vector<Figures> &figures);

private:
  Figures runLength(bool isFirst);
  Comparison launchAndCheck(unsigned round);
  tw::Timing measure();
  TimeComparison timeAgainst(const std::function<void()> &launchOther);
  TimeComparison compareWithCopy();
  NcclComparison compareWithNccl();
  void report(const Figures &figures, bool isFirst);
  void launch() { kernel->launch(*stream, tensors->all(), values); }
  bool allPassed(bool passed);

  tw::World &world;
  const AllToAllProgram &program;
  const Options &asked;
  Options options; ///< with the shape of the length that runs
  const tw::KernelSource source;
  tw::LaunchValues values; ///< of that length
  std::optional<tw::SymmetricHeap> heap;
  std::optional<RankTensors> tensors;
  std::optional<tw::Kernel> kernel;
  std::optional<tw::Stream> stream;
};

/// One launch on fresh inputs and a poisoned output, compared.
Comparison RankRun::launchAndCheck(unsigned round) {
  tensors->prepare(*stream, round);
  world.barrier(); // nobody puts before every output is poisoned
  launch();
  stream->synchronize();
  world.barrier(); // without completion, only now has everything arrived
  return tensors->check(*stream, round);
}

tw::Timing RankRun::measure() {
  if (options.repetitions == 0)
    return {};
  return tw::benchmark(world, *stream, benchmarkOptions(options),
                       [&](int) { launch(); });
}

/// Pairs of runs in turn, so that what changes over time touches both alike.
TimeComparison RankRun::timeAgainst(const std::function<void()> &launchOther) {
  constexpr int pairs = 7;
  tw::BenchmarkOptions each = benchmarkOptions(options);
  each.repetitions = std::max(1, options.repetitions / pairs);
  std::vector<double> others, ratios;
  for (int pair = 0; pair < pairs; ++pair) {
    const tw::Timing other =
        tw::benchmark(world, *stream, each, [&](int) { launchOther(); });
    const tw::Timing own =
        tw::benchmark(world, *stream, each, [&](int) { launch(); });
    others.push_back(other.medianUs);
    ratios.push_back(own.medianUs / other.medianUs);
  }
  std::ranges::sort(others);
  std::ranges::sort(ratios);
  return {others[pairs / 2], ratios[pairs / 2], ratios.front(), ratios.back()};
}

TimeComparison RankRun::compareWithCopy() {
  // Of what this rank sends: its output may be of another size.
  std::vector<std::pair<tw::Tensor, tw::Tensor>> copies;
  for (size_t i = 0; i < tensors->all().size(); i += 2) {
    const tw::Tensor &sent = tensors->all()[i];
    copies.emplace_back(world.tensor(sent.dtype, sent.shape), sent);
  }
  return timeAgainst([&] {
    for (const auto &[copied, sent] : copies)
      stream->copy(copied, sent);
  });
}

/// The outputs, and then the times. The program's output must be there.
NcclComparison RankRun::compareWithNccl() {
  NcclBaseline baseline(*heap, program, sourceAt(source, values));
  baseline.launch(*stream, tensors->src());
  stream->synchronize();
  world.together("comparing with NCCL's output", [&] {
    if (readAll(*stream, baseline.output()) != readAll(*stream, tensors->dst()))
      throw tw::MachineError("expected NCCL's all-to-all to give the program's "
                             "output, got another on rank " +
                             std::to_string(world.rank()));
  });
  if (options.repetitions == 0)
    return {};
  const tw::Timing exchange =
      tw::benchmark(world, *stream, benchmarkOptions(options),
                    [&](int) { baseline.exchange(*stream); });
  return {timeAgainst([&] { baseline.launch(*stream, tensors->src()); }),
          exchange.medianUs};
}

bool RankRun::allPassed(bool passed) {
  return std::ranges::all_of(
      world.allGather("whether the check passed", passed ? "1" : "0"),
      [](const std::string &answer) { return answer == "1"; });
}

void RankRun::report(const Figures &figures, bool isFirst) {
  if (figures.timing.samples > 0) {
    if (isFirst)
      noteTimes(world);
    reportTime(program, lengthOf(asked, figures.seqLen), figures.timing);
  }
  if (figures.copy.medianUs > 0)
    reportCopy(figures.copy);
  if (figures.nccl.whole.medianUs > 0)
    reportNccl(figures.nccl);
}

Figures RankRun::runLength(bool isFirst) {
  values = valuesOf(source, options.shape);
  tensors->shape(values);
  Figures figures{
      options.shape.seqLen, false, tensors->bytesToPeers(), {}, {}, {}};
  Comparison comparison = launchAndCheck(1);
  const bool firstPassed = allPassed(comparison.wrong == 0);
  if (options.compareNccl)
    figures.nccl = compareWithNccl();
  figures.timing = measure();
  if (options.compareCopy && options.repetitions > 0)
    figures.copy = compareWithCopy();
  // Again after many launches: nothing may depend on being the first.
  if (firstPassed && options.repetitions > 0)
    comparison = launchAndCheck(2);
  reportCheck(world.rank(), lengthOf(asked, figures.seqLen),
              tensors->outputLayout(comparison.pair), tensors->width(),
              comparison);
  figures.passed = allPassed(comparison.wrong == 0);
  world.together("reporting", [&] {
    if (world.rank() == 0)
      report(figures, isFirst);
  });
  return figures;
}

void RankRun::run(std::vector<Figures> &figures) {
  if (world.rank() == 0 && options.printSource)
    std::cout << source.text << std::flush;
  heap.emplace(world, RankTensors::heapBytes(source), options.peerMemory);
  tensors.emplace(*heap, program, source);
  kernel.emplace(*heap, source);
  stream.emplace(world);
  for (int64_t seqLen : options.seqLens) {
    options.shape.seqLen = seqLen;
    figures.push_back(runLength(/*isFirst=*/figures.empty()));
  }
}

/// The options of each kernel that a run has: one for all lengths where they
/// are what launches give, else one for each.
std::vector<Options> optionsOfKernels(const Options &options) {
  if (options.dynamic)
    return {options};
  std::vector<Options> kernels;
  for (int64_t seqLen : options.seqLens) {
    Options &kernel = kernels.emplace_back(options);
    kernel.seqLens = {kernel.shape.seqLen = seqLen};
  }
  return kernels;
}

/// Whether every rank's checks passed.
bool runRank(tw::World &world, const AllToAllProgram &program,
             const Options &options) {
  std::vector<Figures> figures;
  for (const Options &kernel : optionsOfKernels(options))
    RankRun(world, program, options, kernel).run(figures);
  // Figures that are lost are lost for all.
  world.together("writing the figures", [&] {
    if (world.rank() == 0 && options.json)
      writeJson(program, options, world, figures);
  });
  return std::ranges::all_of(figures, &Figures::passed);
}

int runLoopbackRanks(const AllToAllProgram &program, const Options &options) {
  bool passed = true;
  tw::runLoopback(options.shape.numRanks, options.world, [&](tw::World &world) {
    const bool mine = runRank(world, program, options);
    if (world.rank() == 0)
      passed = mine;
  });
  return passed ? 0 : 1;
}

int runAsRank(const AllToAllProgram &program, const Options &options) {
  tw::World world = tw::World::join(options.world);
  if (world.size() != options.shape.numRanks)
    throw tw::UserError("expected as many ranks as --num-processes, " +
                        std::to_string(options.shape.numRanks) + ", got " +
                        std::to_string(world.size()));
  return runRank(world, program, options) ? 0 : 1;
}

int run(int argc, char **argv, const AllToAllProgram &program) {
  const std::optional<Options> options =
      parseOptions(argc, argv, program.description, program.choosesBlocks);
  if (!options)
    return 0;
  if (options->json)
    tw::checkJsonFile(*options->json); // before the work, not after
  if (!options->loopback && tw::rankFromEnvironment())
    return runAsRank(program, *options);
  // Before any rank starts: a program that makes no sense is refused once.
  for (const Options &kernel : optionsOfKernels(*options))
    (void)tw::compile(buildProgram(program, kernel));
  if (options->loopback)
    return runLoopbackRanks(program, *options);
  std::vector<std::string> command(argv, argv + argc);
  command[0] = tw::currentExecutable();
  return tw::launchRanks({.numRanks = options->shape.numRanks}, command);
}

} // namespace

tw::Index sequence_parallel::oneIfOwned(tw::Block &block,
                                        const tw::Extent &extent,
                                        const tw::Index &rank,
                                        const tw::Index &i) {
  const tw::Index size = block.shareSize(extent, rank);
  return size.asConstant() ? 1 : tw::min(1, size - i);
}

int sequence_parallel::runMain(int argc, char **argv,
                               const AllToAllProgram &program) {
  return tw::runProgram("", [&] { return run(argc, argv, program); });
}
