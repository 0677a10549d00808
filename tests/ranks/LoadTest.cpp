//===- LoadTest.cpp - every rank must load the same program ---------------===//

#include "RankTensors.h"
#include "Ranks.h"

#include <catch2/catch.hpp>

#include <regex>

using namespace sequence_parallel;
using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;

namespace {

constexpr int numRanks = 4;

/// What may differ between two programs of one name.
struct Variation {
  const char *name = "rows";
  int64_t width = 64;
  DataType dtype = DataType::I32;
  int64_t threads = 64;
  bool completion = true;
  const char *source = "src";
  int64_t shift = 0; ///< of the row that a rank writes on its peers
};

Program buildRows(const Variation &v) {
  ProgramBuilder p(v.name, {.numRanks = numRanks, .completion = v.completion});
  auto src = p.tensor(v.source, v.dtype, {numRanks, v.width});
  auto dst = p.symmetricTensor("dst", v.dtype, {numRanks, v.width});
  p.kernel({.grid = {numRanks}, .threads = v.threads}, [&](Block &block) {
    auto [peer] = block.indices({"peer"});
    block.putBlock(
        src.tile({peer, 0}, {1, v.width}),
        dst.tile({(block.rank() + v.shift) % numRanks, 0}, {1, v.width}), peer);
  });
  return p.build();
}

KernelSource rows(const Variation &variation = {}) {
  return compile(buildRows(variation));
}

/// What `rows` moves, on this rank's kernel.
void checkExchange(World &world, SymmetricHeap &heap, Kernel &kernel) {
  const KernelSource &source = kernel.source();
  const Tensor dst = heap.tensor(source.parameters[1]);
  const Tensor src = world.tensor(source.parameters[0]);
  Stream stream(world);
  writeAll(stream, src, inputOf(source, world.rank()));
  writeAll(stream, dst, untouchedOutput(source));
  world.barrier();
  kernel.launch(stream, {src, dst});
  Bytes expected = untouchedOutput(source);
  const int64_t width = source.parameters[0].extents[1].value;
  for (int from = 0; from < numRanks; ++from)
    copyElements(expected, from * width, inputOf(source, from),
                 world.rank() * width, width, 4);
  expect(world, readAll(stream, dst) == expected, "the peers' rows");
  world.barrier();
}

/// The refusal when the ranks of `mask` load `other` and the rest `usual`. All
/// places of the heap stay free, and a kernel that is the same runs after it.
std::string refusalOfLoad(const KernelSource &usual, const KernelSource &other,
                          unsigned mask) {
  static const KernelSource same = rows();
  return refusalOf(numRanks, [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    std::string message;
    try {
      Kernel kernel(heap, mask >> world.rank() & 1 ? other : usual);
    } catch (const UserError &error) {
      message = error.what();
    }
    Kernel kernel(heap, same);
    checkExchange(world, heap, kernel);
    if (!message.empty())
      throw UserError(message);
  });
}

/// The lowest rank that does not load what rank 0 loads.
int firstOther(unsigned mask) {
  int rank = 1;
  while ((mask >> rank & 1) == (mask & 1))
    ++rank;
  return rank;
}

/// Whichever ranks load `other`, all refuse it, naming the first that differs.
void checkRefused(const KernelSource &usual, const KernelSource &other,
                  const std::string &message) {
  for (unsigned mask = 1; mask < (1u << numRanks) - 1; ++mask)
    CHECK(refusalOfLoad(usual, other, mask) ==
          "expected every rank to load the same program, got another as '" +
              usual.entry + "' on rank " + std::to_string(firstOther(mask)) +
              message);
}

const std::string sameProgram =
    " than on rank 0; build it with the same shapes, options and body on every "
    "rank";

/// A kernel without the compiler.
KernelSource byHand() {
  KernelSource source;
  source.entry = "rows";
  source.text = "extern \"C\" __global__ void rows(const tw::World world, "
                "const tw::b32 *src, tw::b32 *dst) {}\n";
  source.numRanks = numRanks;
  source.parameters = {{"src", DataType::I32, {4}, false, false},
                       {"dst", DataType::I32, {4}, true, true}};
  source.launch.threads = 32;
  return source;
}

} // namespace

TEST_CASE("ranks that load different programs of one name all refuse, before "
          "anything is loaded",
          "[load]") {
  const Variation others[] = {
      {.shift = 1},     {.width = 128},        {.dtype = DataType::F32},
      {.threads = 128}, {.completion = false}, {.source = "from"}};
  const KernelSource usual = rows();
  const KernelSource other = rows(others[GENERATE(range(0, 6))]);
  CHECK(other.entry == usual.entry);
  checkRefused(usual, other, sameProgram);
}

TEST_CASE("ranks that load different texts written by hand all refuse",
          "[load]") {
  KernelSource other = byHand();
  const std::function<void()> changes[] = {
      [&] { other.text += "// more\n"; }, [&] { other.launch.threads = 64; },
      [&] { other.launch.maxBlocks = 2; },
      [&] { other.launch.blocksPerSm = 1; },
      [&] { other.launch.needsAllBlocks = true; },
      [&] { other.launch.sharedBytes = 16; },
      [&] {
        other.waits = {{"entry barrier", ""}};
      },
      [&] {
        std::swap(other.parameters[0].extents[0].value, other.launch.maxBlocks);
      },
      [&] { other.parameters[0].name = "from"; },
      [&] { other.parameters[0].dtype = DataType::F32; },
      [&] { other.parameters[0].symmetric = true; },
      [&] { other.parameters[0].written = true; },
      [&] { other.parameters[0].mayAlias = true; },
      [&] {
        other.parameters[0].extents = {2, 2};
      },
      [&] { other.parameters[0].extents[0].isShare = true; },
      [&] { other.parameters.pop_back(); },
      // That it was compiled, and from what.
      [&] { other.program = "another"; }};
  for (const auto &change : changes) {
    other = byHand();
    change();
    CHECK(refusalOfLoad(byHand(), other, 0b0100) ==
          "expected every rank to load the same program, got another as 'rows' "
          "on rank 2" +
              sameProgram);
  }
}

TEST_CASE("ranks that load kernels of different names, or for another number "
          "of ranks, all refuse",
          "[load]") {
  for (unsigned mask = 1; mask < (1u << numRanks) - 1; ++mask) {
    const std::string first = mask & 1 ? "columns" : "rows";
    const std::string other = mask & 1 ? "rows" : "columns";
    CHECK(refusalOfLoad(rows(), rows({.name = "columns"}), mask) ==
          "expected every rank to load the same kernel, got '" + other +
              "' on rank " + std::to_string(firstOther(mask)) + " and '" +
              first +
              "' on rank 0; load the same kernels in the same order on every "
              "rank");
    KernelSource three = rows();
    three.numRanks = 3;
    CHECK(refusalOfLoad(rows(), three, mask) ==
          "expected kernel 'rows', which is for 3 ranks, in a world of as "
          "many, got 4");
  }
}

TEST_CASE("equal programs from different lines are one program, and run",
          "[load]") {
  const auto build = [](bool elsewhere, std::source_location place) {
    ProgramBuilder p("rows", {.numRanks = numRanks});
    auto src = p.tensor("src", DataType::I32, {numRanks, 64});
    auto dst = p.symmetricTensor("dst", DataType::I32, {numRanks, 64});
    const auto body = [&](Block &block) {
      if (elsewhere) {
        auto [to] = block.indices({"to"});
        block.putBlock(src.tile({to, 0}, {1, 64}),
                       dst.tile({block.rank().named("me"), 0}, {1, 64}), to);
        return;
      }
      auto [peer] = block.indices({"peer"});
      block.putBlock(src.tile({peer, 0}, {1, 64}),
                     dst.tile({block.rank(), 0}, {1, 64}), peer);
    };
    p.kernel({.grid = {numRanks}, .threads = 64}, body, place);
    return compile(p.build());
  };
  const KernelSource here = build(false, std::source_location::current());
  const KernelSource there = build(true, std::source_location::current());
  CHECK(here.program == there.program);
  CHECK(here.text != there.text);
  CHECK(here.waits[0].location != there.waits[0].location);
  runLoopback(numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Kernel kernel(heap, world.rank() % 2 ? there : here);
    checkExchange(world, heap, kernel);
  });
}

TEST_CASE("plans that devices ask for may differ over the ranks, and those "
          "that the program gives may not",
          "[load]") {
  const KernelSource planned = rows();
  KernelSource otherwise = planned;
  otherwise.text += "// planned for another device\n";
  otherwise.launch.maxBlocks = 2;
  runLoopback(numRanks, worldOptions(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Kernel kernel(heap, world.rank() == 1 ? otherwise : planned);
    checkExchange(world, heap, kernel);
  });

  const std::string text = std::regex_replace(
      buildRows({}).ir(), std::regex("(tile.put_block .* on %[a-z0-9_]+)"),
      "$1 plan <vector = 1, unroll = 1, order = source>");
  CHECK(compile(Program::parse(text)).program != planned.program);
}

TEST_CASE("a program's digest survives its text, and is blind to comments",
          "[load]") {
  const Program built = buildRows({});
  const std::string digest = compile(built).program;
  CHECK_FALSE(digest.empty());
  CHECK(compile(Program::parse(built.ir(), "elsewhere")).program == digest);
  CHECK(compile(Program::parse("// a remark\n\n" + built.ir())).program ==
        digest);

  const auto kernel = [](const std::string &body) {
    return compile(Program::parse(
                       "cuda.kernel @noop() attributes {num_ranks = 1 : i64, "
                       "threads = 32 : i64, max_blocks = 1 : i64} {\n" +
                       body + "  cuda.return\n}\n"))
        .program;
  };
  const std::string meeting = "  cuda.enter_all 0\n  cuda.leave_all 1\n";
  const std::string plain = kernel(meeting);
  CHECK(kernel("  cuda.comment \"a remark\"\n" + meeting) == plain);
  CHECK(kernel("") != plain);
}
