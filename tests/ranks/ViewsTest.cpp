//===- ViewsTest.cpp - tiles of tiles, bit for bit ------------------------===//

#include "Memory.h"
#include "Trials.h"

#include <catch2/catch.hpp>

#include <numeric>
#include <random>

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;

namespace {

/// A tile, and what it is by the book: where each of its elements lies in the
/// tensor, in row-major order of the tile.
struct View {
  Tile tile;
  std::vector<int64_t> shape;
  std::vector<int64_t> elements;

  /// The elements that `indexOf(new index) -> old index` picks.
  template <typename IndexOf>
  View pick(Tile picked, std::vector<int64_t> sizes, IndexOf indexOf) const {
    View view{std::move(picked), std::move(sizes), {}};
    const int64_t count =
        std::accumulate(view.shape.begin(), view.shape.end(), int64_t(1),
                        std::multiplies<int64_t>());
    for (int64_t number = 0; number < count; ++number) {
      std::vector<int64_t> index(view.shape.size());
      int64_t rest = number;
      for (size_t dim = index.size(); dim-- > 0; rest /= view.shape[dim])
        index[dim] = rest % view.shape[dim];
      const std::vector<int64_t> old = indexOf(index);
      int64_t place = 0;
      for (size_t dim = 0; dim < old.size(); ++dim)
        place = place * shape[dim] + old[dim];
      view.elements.push_back(elements[size_t(place)]);
    }
    return view;
  }
};

using Random = std::mt19937_64;

int64_t draw(Random &random, int64_t least, int64_t most) {
  return std::uniform_int_distribution<int64_t>(least, most)(random);
}

/// Offsets as the compiler sees them: numbers, or values that are these in
/// the only block.
Index maybeComputed(Random &random, Block &block, int64_t number) {
  if (draw(random, 0, 1) == 0)
    return number;
  return block.index(0, "zero") + number;
}

View slice(Random &random, Block &block, const View &view) {
  std::vector<int64_t> offsets, sizes;
  std::vector<Index> starts, counts;
  for (int64_t extent : view.shape) {
    offsets.push_back(draw(random, 0, extent / 2));
    sizes.push_back(draw(random, extent == 0 ? 0 : 1, extent - offsets.back()));
    starts.push_back(maybeComputed(random, block, offsets.back()));
    counts.push_back(maybeComputed(random, block, sizes.back()));
  }
  return view.pick(view.tile.tile(starts, counts), sizes,
                   [&](std::vector<int64_t> index) {
                     for (size_t dim = 0; dim < index.size(); ++dim)
                       index[dim] += offsets[dim];
                     return index;
                   });
}

View turn(Random &random, Block &, const View &view) {
  std::vector<int64_t> permutation(view.shape.size()), shape;
  std::iota(permutation.begin(), permutation.end(), 0);
  std::shuffle(permutation.begin(), permutation.end(), random);
  for (int64_t dim : permutation)
    shape.push_back(view.shape[size_t(dim)]);
  return view.pick(view.tile.transpose(permutation), shape,
                   [&](const std::vector<int64_t> &index) {
                     std::vector<int64_t> old(index.size());
                     for (size_t dim = 0; dim < index.size(); ++dim)
                       old[size_t(permutation[dim])] = index[dim];
                     return old;
                   });
}

View select(Random &random, Block &block, const View &view) {
  if (view.shape.empty())
    return view;
  const int64_t dim = draw(random, 0, int64_t(view.shape.size()) - 1);
  const int64_t at = draw(random, 0, view.shape[size_t(dim)] - 1);
  std::vector<int64_t> shape = view.shape;
  shape.erase(shape.begin() + dim);
  return view.pick(view.tile.select(dim, maybeComputed(random, block, at)),
                   shape, [&](std::vector<int64_t> index) {
                     index.insert(index.begin() + dim, at);
                     return index;
                   });
}

constexpr int64_t extents[] = {6, 7, 8};
constexpr int64_t numElements = 6 * 7 * 8;
constexpr int64_t moves = 24;

View viewAtRandom(Random &random, Block &block, const TensorArgument &src) {
  std::vector<int64_t> all(numElements);
  std::iota(all.begin(), all.end(), 0);
  View view{src.all(), {std::begin(extents), std::end(extents)}, all};
  for (int64_t step = draw(random, 1, 5); step > 0; --step) {
    const int64_t kind = draw(random, 0, 4);
    view = kind < 2   ? slice(random, block, view)
           : kind < 4 ? turn(random, block, view)
                      : select(random, block, view);
  }
  return view;
}

/// Where the view is copied to: the first elements of block `number` of dst.
Tile placeOf(const TensorArgument &dst, int64_t number, const View &view) {
  std::vector<Index> sizes = view.tile.shape();
  std::vector<int64_t> dropped = {0};
  sizes.insert(sizes.begin(), 1);
  for (int64_t dim = int64_t(sizes.size()); dim < 4; ++dim) {
    sizes.push_back(1);
    dropped.push_back(dim);
  }
  return dst.tile({number, 0, 0, 0}, sizes).drop(dropped);
}

} // namespace

namespace {

/// What `dst` holds after the view was copied to its place.
void copyView(Bytes &dst, int64_t number, const Bytes &src, const View &view) {
  for (size_t i = 0; i < view.elements.size(); ++i) {
    std::vector<int64_t> index(view.shape.size());
    int64_t rest = int64_t(i);
    for (size_t dim = index.size(); dim-- > 0; rest /= view.shape[dim])
      index[dim] = rest % view.shape[dim];
    int64_t place = 0, stride = 512;
    for (int64_t step : index)
      place += (stride /= 8) * step;
    copyElements(dst, number * 512 + place, src, view.elements[i], 1, 2);
  }
}

std::string differenceOf(uint64_t trial) {
  Random random(trial);
  std::vector<View> views;
  ProgramBuilder p("views");
  auto src = p.tensor("src", DataType::I16, {6, 7, 8});
  auto dst = p.tensor("dst", DataType::I16, {moves, 8, 8, 8});
  p.kernel({.grid = {1}, .threads = 32}, [&](Block &block) {
    for (int64_t number = 0; number < moves; ++number) {
      views.push_back(viewAtRandom(random, block, src));
      block.copy(views.back().tile, placeOf(dst, number, views.back()));
    }
  });
  const KernelSource source = compile(p.build());
  const Memory before = distinctMemory(source);
  Memory after = before;
  for (size_t number = 0; number < views.size(); ++number)
    copyView(after[0][1], int64_t(number), before[0][0], views[number]);
  return differenceAfter(source, before, after, {.emulatorSeed = trial});
}

} // namespace

TEST_CASE("views of views move the elements that each step says", "[views]") {
  checkTrials({.onEmulator = 6, .onGpu = 40}, differenceOf);
}

TEST_CASE("a part that a tile may not have is an error of the emulator",
          "[views][cxx]") {
  if (!isEmulated())
    return;
  // Rows 4 and 5 are of the tensor, but not of the tile.
  ProgramBuilder p("beyond");
  auto src = p.tensor("src", DataType::I32, {8, 8});
  auto dst = p.tensor("dst", DataType::I32, {8, 8});
  p.kernel({.grid = {6}, .threads = 32}, [&](Block &block) {
    auto [row] = block.indices({"row"});
    block.copy(src.tile({0, 0}, {4, 8}).tile({row * row % 6, 0}, {1, 8}),
               dst.tile({row, 0}, {1, 8}));
  });
  const auto failures = failuresOfLaunch(compile(p.build()));
  CHECK_THAT(failures[0], Contains("expected offset 0 of a slice of a tile of "
                                   "'src' from 0 to 3 at ViewsTest.cpp:"));
}

namespace {

constexpr int64_t batches = 2, tokens = 7, heads = 5, depth = 4;

/// Element `[b, s, c, h, d]` of packed queries, keys and values.
int64_t packedIndex(const Partition &split, int rank, int64_t b, int64_t s,
                    int64_t c, int64_t h) {
  return (((b * split.size(rank) + s) * 3 + c) * heads + h) * depth;
}

/// Copies each row of `[B, S, H]` between where `packed` says it is before and
/// where `ofHeads` says it is after.
template <typename CopyRow> void forEachRow(int numRanks, CopyRow copyRow) {
  const Partition bySequence{tokens, numRanks}, byHeads{heads, numRanks};
  for (int64_t b = 0; b < batches; ++b)
    for (int64_t s = 0; s < tokens; ++s)
      for (int64_t h = 0; h < heads; ++h) {
        const int from = bySequence.ownerOf(s), to = byHeads.ownerOf(h);
        for (int64_t c = 0; c < 3; ++c) {
          const int64_t packed = packedIndex(bySequence, from, b,
                                             s - bySequence.begin(from), c, h);
          const int64_t unpacked =
              ((b * byHeads.size(to) + h - byHeads.begin(to)) * tokens + s) *
              depth;
          copyRow(size_t(c), size_t(from), packed, size_t(to), unpacked);
        }
      }
}

} // namespace

TEST_CASE("queries, keys and values go out of what they are packed in",
          "[views]") {
  for (int numRanks = 1; numRanks <= 4; ++numRanks) {
    INFO(numRanks << " ranks");
    ProgramBuilder p("unpack", {.numRanks = numRanks});
    auto qkv = p.tensor("qkv", DataType::F16,
                        {{"B", batches},
                         p.share({"S", tokens}),
                         {"C", 3},
                         {"H", heads},
                         {"D", depth}});
    for (int64_t c = 0; c < 3; ++c) {
      auto out = p.symmetricTensor(
          "out", DataType::F16,
          {{"B", batches}, p.share({"H", heads}), {"S", tokens}, {"D", depth}});
      p.allToAll(qkv.all().select(2, c), out.all(),
                 {.scatter = "H", .gather = "S", .permute = {0, 2, 1, 3}});
    }
    const KernelSource source = compile(p.build());
    // They depend on nothing of each other, and all bounds are proved.
    CHECK(source.text.find("barrierAll") == std::string::npos);
    CHECK(source.checks.empty());
    const Memory before = distinctMemory(source);
    Memory after = before;
    forEachRow(numRanks, [&](size_t c, size_t from, int64_t packed, size_t to,
                             int64_t unpacked) {
      copyElements(after[to][1 + c], unpacked, before[from][0], packed, depth,
                   2);
    });
    INFO(source.text);
    CHECK(differenceAfter(source, before, after, {.count = 2}) == "");
  }
}

TEST_CASE("queries, keys and values go back into what they are packed in",
          "[views]") {
  for (int numRanks = 1; numRanks <= 4; ++numRanks) {
    INFO(numRanks << " ranks");
    ProgramBuilder p("pack", {.numRanks = numRanks});
    auto qkv = p.symmetricTensor("qkv", DataType::F16,
                                 {{"B", batches},
                                  p.share({"S", tokens}),
                                  {"C", 3},
                                  {"H", heads},
                                  {"D", depth}});
    for (int64_t c = 0; c < 3; ++c) {
      auto in = p.tensor(
          "in", DataType::F16,
          {{"B", batches}, p.share({"H", heads}), {"S", tokens}, {"D", depth}});
      p.allToAll(in.all(), qkv.all().select(2, c),
                 {.scatter = "S", .gather = "H", .permute = {0, 2, 1, 3}});
    }
    const KernelSource source = compile(p.build());
    CHECK(source.text.find("barrierAll") == std::string::npos);
    CHECK(source.checks.empty());
    const Memory before = distinctMemory(source);
    Memory after = before;
    forEachRow(numRanks, [&](size_t c, size_t from, int64_t packed, size_t to,
                             int64_t unpacked) {
      copyElements(after[from][0], packed, before[to][1 + c], unpacked, depth,
                   2);
    });
    INFO(source.text);
    CHECK(differenceAfter(source, before, after, {.count = 2}) == "");
  }
}
