//===- Builder.h - writing tile programs in C++ ---------------------------===//
//
// Handles whose calls make tile IR. A mistake is a UserError at the call that
// made it, with the place in the user's program. Nothing here runs anything.
//
//   tw::ProgramBuilder p("scatter_rows", {.numRanks = 4});
//   auto src = p.tensor("src", tw::DataType::F16, {{"R", 64}, {"D", 128}});
//   auto dst = p.symmetricTensor("dst", tw::DataType::F16,
//                                {p.share({"R", 64}), {"C", 4 * 128}});
//   p.kernel({.grid = {4}, .threads = 128}, [&](tw::Block &block) {
//     auto [peer] = block.indices({"peer"});
//     block.putBlock(src.tile({peer * 16, 0}, {16, 128}),
//                    dst.tile({0, block.rank() * 128}, {16, 128}), peer);
//   });
//   tw::Program program = p.build();
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_BUILDER_H
#define TILEWIRE_BUILDER_H

#include <tilewire/DataType.h>
#include <tilewire/Export.h>
#include <tilewire/Extent.h>
#include <tilewire/Program.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace tilewire {

class BuilderState;

/// A count that a block computes: a constant, or a value of the program. Never
/// negative: arithmetic is modulo 2^64, and division is of unsigned numbers.
class TILEWIRE_API Index {
public:
  Index(int64_t constant) : constant(constant) {}

  /// The number, if it is a constant.
  std::optional<int64_t> asConstant() const {
    return state ? std::nullopt : std::optional(constant);
  }

  /// The same value, called `name` in the generated text.
  Index named(std::string_view name) const;

private:
  friend class BuilderState;
  Index(std::shared_ptr<BuilderState> state, void *value)
      : state(std::move(state)), value(value) {}

  std::shared_ptr<BuilderState> state; ///< null for a constant
  void *value = nullptr;
  int64_t constant = 0;
};

TILEWIRE_API Index operator+(const Index &lhs, const Index &rhs);
TILEWIRE_API Index operator-(const Index &lhs, const Index &rhs);
TILEWIRE_API Index operator*(const Index &lhs, const Index &rhs);
TILEWIRE_API Index operator/(const Index &lhs, const Index &rhs);
TILEWIRE_API Index operator%(const Index &lhs, const Index &rhs);
TILEWIRE_API Index min(const Index &lhs, const Index &rhs);
TILEWIRE_API Index max(const Index &lhs, const Index &rhs);

/// A tile of a tensor: what transfers move. `shape` is in elements.
class TILEWIRE_API Tile {
public:
  /// A part of this tile: `sizes` elements from `offsets`, one of each per
  /// dimension, checked against this tile's sizes.
  Tile tile(const std::vector<Index> &offsets, const std::vector<Index> &sizes,
            std::source_location place = std::source_location::current()) const;
  /// The same tile without dimensions `dims`, which have one element each.
  Tile drop(const std::vector<int64_t> &dims,
            std::source_location place = std::source_location::current()) const;
  /// The part at `index` of dimension `dim`, without that dimension.
  Tile
  select(int64_t dim, const Index &index,
         std::source_location place = std::source_location::current()) const;
  /// The same tile with its dimensions in another order: dimension i is
  /// dimension `permutation[i]` of this one. Moves nothing by itself.
  Tile
  transpose(const std::vector<int64_t> &permutation,
            std::source_location place = std::source_location::current()) const;

  /// Its sizes, in elements.
  std::vector<Index> shape() const;

private:
  friend class BuilderState;
  friend class TensorArgument;
  friend class Block;
  void checkDim(int64_t dim, std::source_location place) const;
  Tile(std::shared_ptr<BuilderState> state, void *value)
      : state(std::move(state)), value(value) {}

  std::shared_ptr<BuilderState> state;
  void *value;
};

/// A tensor that the program's launches are given.
class TILEWIRE_API TensorArgument {
public:
  /// `sizes` elements from `offsets`, one of each per dimension. Both are
  /// checked against the extents of the rank that a move reads or writes.
  Tile tile(const std::vector<Index> &offsets, const std::vector<Index> &sizes,
            std::source_location place = std::source_location::current()) const;

  /// All that this rank has. In a kernel's body, where it may be a peer's copy
  /// that is meant, ranks must have equal parts.
  Tile all(std::source_location place = std::source_location::current()) const;

  /// Says that a launch may give memory that overlaps that of other tensors
  /// which say so too.
  void mayAlias() const;

  const std::string &name() const { return tensorName; }
  const std::vector<Extent> &extents() const { return tensorExtents; }

private:
  friend class ProgramBuilder;
  friend class BuilderState;
  TensorArgument(std::shared_ptr<BuilderState> state, std::string name,
                 std::vector<Extent> extents, unsigned number)
      : state(std::move(state)), tensorName(std::move(name)),
        tensorExtents(std::move(extents)), number(number) {}

  std::shared_ptr<BuilderState> state;
  std::string tensorName;
  std::vector<Extent> tensorExtents;
  unsigned number;
};

/// What one block of a block-level kernel does; valid inside the body only.
class TILEWIRE_API Block {
public:
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;

  /// This block's index along each axis of the grid, by name; UserError when
  /// there are fewer or more names than axes.
  template <size_t axes>
  std::array<Index, axes>
  indices(const char *const (&names)[axes],
          std::source_location place = std::source_location::current()) {
    checkAxes(axes, place);
    return [&]<size_t... axis>(std::index_sequence<axis...>) {
      return std::array<Index, axes>{index(axis, names[axis], place)...};
    }
    (std::make_index_sequence<axes>());
  }

  /// This block's index along `axis`; axis 0 varies fastest.
  Index index(size_t axis, std::string_view name,
              std::source_location place = std::source_location::current());
  /// This rank, from 0.
  Index rank(std::source_location place = std::source_location::current());
  /// `extent` of all ranks together: a number, or the parameter that it is.
  Index whole(const Extent &extent,
              std::source_location place = std::source_location::current());
  /// How many of `extent` `rank` owns, and the first of them: a share's part,
  /// or a number's as if it were cut over the ranks.
  Index shareSize(const Extent &extent, const Index &rank,
                  std::source_location place = std::source_location::current());
  Index
  shareBegin(const Extent &extent, const Index &rank,
             std::source_location place = std::source_location::current());
  /// This thread's number in its block, from 0.
  Index thread(std::source_location place = std::source_location::current());

  /// Puts `source` to `destination` on `peer`, all threads together. The
  /// destination's tensor is symmetric; shapes are equal.
  void putBlock(const Tile &source, const Tile &destination, const Index &peer,
                std::source_location place = std::source_location::current());
  /// Copies on this rank, all threads together; shapes are equal.
  void copy(const Tile &source, const Tile &destination,
            std::source_location place = std::source_location::current());
  /// Waits for all threads of the block. Moves of one block take effect in
  /// program order without it.
  void sync(std::source_location place = std::source_location::current());
  /// Waits for all blocks of all ranks; in loops whose bounds are the same for
  /// all of them.
  void barrierAll(std::source_location place = std::source_location::current());

  /// Runs `body` for begin, begin + step, ... below `end`. Constant bounds are
  /// not negative, and a constant step is positive.
  void forRange(const Index &begin, const Index &end, const Index &step,
                const std::function<void(Index)> &body,
                std::source_location place = std::source_location::current());

private:
  friend class ProgramBuilder;
  void checkAxes(size_t numNames, std::source_location place);
  explicit Block(std::shared_ptr<BuilderState> state)
      : state(std::move(state)) {}

  std::shared_ptr<BuilderState> state;
};

/// Grid and threads of a block-level kernel. The grid is logical, 1 to 3 axes:
/// the runtime runs as many blocks at once as fit.
struct Grid {
  std::vector<int64_t> grid;
  int64_t threads = 128;
};

/// An all-to-all: dimension names are the source's.
struct AllToAll {
  std::string scatter; ///< cut over the ranks
  std::string gather;  ///< put together from the ranks
  /// Dimension i of the destination is dimension permute[i] of the source;
  /// empty for the same order.
  std::vector<int64_t> permute = {};
  /// Ranks that get each part, one after another: with R of them, the source is
  /// cut into numRanks / R equal parts, and rank r gets part r / R.
  int64_t replicas = 1;
};

/// What is unusual about a tensor.
struct TensorOptions {
  /// How many elements further on the next index of each dimension is, from 0,
  /// where one stands for all; empty for a dense tensor. Such a tensor is a
  /// view of other memory. One that is written has no two indices at one place.
  std::vector<int64_t> strides = {};
};

struct ProgramOptions {
  int numRanks = 1;
  /// Enter and leave together, so that streams alone order the program and its
  /// neighbours; without, the user sees to it.
  bool completion = true;
};

/// Writes one program: tensors, then one kernel or collectives.
class TILEWIRE_API ProgramBuilder {
public:
  ProgramBuilder(std::string name, ProgramOptions options = {},
                 std::source_location place = std::source_location::current());
  ~ProgramBuilder();
  ProgramBuilder(const ProgramBuilder &) = delete;
  ProgramBuilder &operator=(const ProgramBuilder &) = delete;

  int numRanks() const;

  /// Each rank's part of a dimension that is cut over the ranks: the balanced
  /// partition, in which some may have one element more than others, or none.
  Extent
  share(const Extent &whole,
        std::source_location place = std::source_location::current()) const;

  /// A number that each launch gives, from 0 to `most.value`, the same on every
  /// rank: an extent of that name for tensors and shares. The program has
  /// completion, as ranks compare what they were given where they enter.
  Extent
  parameter(const Extent &most,
            std::source_location place = std::source_location::current());

  /// A tensor in each rank's own memory.
  TensorArgument
  tensor(std::string name, DataType dtype, std::vector<Extent> extents,
         TensorOptions options = {},
         std::source_location place = std::source_location::current());
  /// A tensor at the same offset of every rank's symmetric heap.
  TensorArgument
  symmetricTensor(std::string name, DataType dtype, std::vector<Extent> extents,
                  TensorOptions options = {},
                  std::source_location place = std::source_location::current());

  /// Block level: `body` says what one block of the grid does; it isn't asked
  /// when the grid is empty.
  void kernel(const Grid &grid, const std::function<void(Block &)> &body,
              std::source_location place = std::source_location::current());

  /// Tensor level: scatters one dimension of `source` over the ranks and
  /// gathers another into `destination`; the compiler plans everything.
  void allToAll(const TensorArgument &source, const TensorArgument &destination,
                const AllToAll &options,
                std::source_location place = std::source_location::current());

  /// The same of parts of tensors, such as the queries in packed queries, keys
  /// and values: `qkv.all().select(2, 0)`.
  void allToAll(const Tile &source, const Tile &destination,
                const AllToAll &options,
                std::source_location place = std::source_location::current());

  /// The verified program; UserError when it is empty or a rule is broken. The
  /// builder is spent afterwards.
  Program build();

private:
  TensorArgument addTensor(std::string name, DataType dtype,
                           std::vector<Extent> extents, bool symmetric,
                           const TensorOptions &options,
                           std::source_location place);
  struct Operand;
  void allToAll(const Operand &source, const Operand &destination,
                const AllToAll &options, std::source_location place);

  std::shared_ptr<BuilderState> state;
};

} // namespace tilewire

#endif // TILEWIRE_BUILDER_H
