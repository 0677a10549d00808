//===- Run.cpp - what the three programs do alike -------------------------===//

#include "Run.h"

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

/// Global extents by name.
int64_t wholeExtent(const Shape &shape, char name) {
  switch (name) {
  case 'B':
    return shape.batchSize;
  case 'H':
    return shape.numHeads;
  case 'S':
    return shape.seqLen;
  default:
    return shape.headDim;
  }
}

/// Extents of one rank's tensor whose dimension `cut` is a share.
std::vector<tw::Extent> extents(const tw::ProgramBuilder &builder,
                                const Shape &shape, const std::string &order,
                                char cut) {
  std::vector<tw::Extent> list;
  for (char name : order) {
    tw::Extent whole(std::string(1, name), wholeExtent(shape, name));
    list.push_back(name == cut ? builder.share(whole) : whole);
  }
  return list;
}

tw::BenchmarkOptions benchmarkOptions(const Options &options) {
  return {.warmup = options.warmup,
          .repetitions = options.repetitions,
          .launchesPerSample = options.launchesPerSample};
}

/// One rank's run.
class RankRun {
public:
  RankRun(tw::World &world, const AllToAllProgram &program,
          const Options &options)
      : world(world), program(program), options(options),
        source(tw::compile(buildProgram(program, options))) {}

  /// Whether every rank's check passed.
  bool run();

private:
  Comparison launchAndCheck(unsigned round);
  tw::Timing measure();
  TimeComparison timeAgainst(const std::function<void()> &launchOther);
  TimeComparison compareWithCopy();
  NcclComparison compareWithNccl();
  void report(bool passed, const tw::Timing &timing, const TimeComparison &copy,
              const NcclComparison &nccl);
  void launch() { kernel->launch(*stream, {tensors->src(), tensors->dst()}); }
  bool allPassed(bool passed);

  tw::World &world;
  const AllToAllProgram &program;
  const Options &options;
  tw::KernelSource source;
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
  const tw::Tensor copied = world.tensor(source.parameters[0]);
  return timeAgainst([&] { stream->copy(copied, tensors->src()); });
}

/// The outputs, and then the times. The program's output must be there.
NcclComparison RankRun::compareWithNccl() {
  NcclBaseline baseline(*heap, program, source);
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

void RankRun::report(bool passed, const tw::Timing &timing,
                     const TimeComparison &copy, const NcclComparison &nccl) {
  if (timing.samples > 0) {
    noteTimes(world);
    reportTime(program, timing);
  }
  if (copy.medianUs > 0)
    reportCopy(copy);
  if (nccl.whole.medianUs > 0)
    reportNccl(nccl);
  if (options.json)
    writeJson(program, options, world.deviceDescription(),
              world.ranksOnDevice(), passed, tensors->bytesToPeers(), timing,
              nccl);
}

bool RankRun::run() {
  if (world.rank() == 0 && options.printSource)
    std::cout << source.text << std::flush;
  heap.emplace(world, RankTensors::heapBytes(source), options.peerMemory);
  tensors.emplace(*heap, program, source);
  kernel.emplace(*heap, source);
  stream.emplace(world);

  Comparison comparison = launchAndCheck(1);
  const bool firstPassed = allPassed(comparison.wrong == 0);
  NcclComparison nccl;
  if (options.compareNccl)
    nccl = compareWithNccl();
  const tw::Timing timing = measure();
  TimeComparison copy;
  if (options.compareCopy && options.repetitions > 0)
    copy = compareWithCopy();
  // Again after many launches: nothing may depend on being the first.
  if (firstPassed && options.repetitions > 0)
    comparison = launchAndCheck(2);
  reportCheck(world.rank(), tensors->outputLayout(), tensors->width(),
              comparison);
  const bool passed = allPassed(comparison.wrong == 0);
  // Figures that are lost are lost for all.
  world.together("reporting", [&] {
    if (world.rank() == 0)
      report(passed, timing, copy, nccl);
  });
  return passed;
}

int runLoopbackRanks(const AllToAllProgram &program, const Options &options) {
  bool passed = true;
  tw::runLoopback(options.shape.numRanks, options.world, [&](tw::World &world) {
    const bool mine = RankRun(world, program, options).run();
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
  return RankRun(world, program, options).run() ? 0 : 1;
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
  (void)tw::compile(buildProgram(program, *options));
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

Exchange sequence_parallel::exchangeOf(const AllToAllProgram &program,
                                       const tw::KernelSource &source) {
  Exchange exchange{source.numRanks,   program.inputOrder, program.outputOrder,
                    program.scattered, program.gathered,   {}};
  for (const tw::Extent &extent : source.parameters[0].extents)
    exchange.extents.push_back(extent.value);
  return exchange;
}

tw::Program sequence_parallel::buildProgram(const AllToAllProgram &program,
                                            const Options &options) {
  const Shape &shape = options.shape;
  tw::ProgramBuilder builder(program.name, {.numRanks = shape.numRanks,
                                            .completion = options.completion});
  auto src = builder.tensor(
      "src", shape.dtype,
      extents(builder, shape, program.inputOrder, program.gathered));
  auto dst = builder.symmetricTensor(
      "dst", shape.dtype,
      extents(builder, shape, program.outputOrder, program.scattered));
  program.fill(builder, src, dst, options);
  return builder.build();
}

int sequence_parallel::runMain(int argc, char **argv,
                               const AllToAllProgram &program) {
  return tw::runProgram("", [&] { return run(argc, argv, program); });
}
