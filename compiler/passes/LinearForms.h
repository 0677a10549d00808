//===- LinearForms.h - indices as sums of what differs --------------------===//
//
// Each index of a tile kernel as a constant plus multiples of leaves: the rank,
// the block's indices, loop counters, and what else is no sum. With the leaves'
// ranges this bounds offsets and tells tiles apart. For the passes that check
// and order moves; knows no move.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_PASSES_LINEARFORMS_H
#define TILEWIRE_COMPILER_PASSES_LINEARFORMS_H

#include "dialects/Tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace mlir {
class DataFlowSolver;
}

namespace tilewire {

/// Integers from `min` to `max`, both included.
struct Interval {
  int64_t min, max;
};

/// The counter's values when the loop's bounds are constants and it runs.
std::optional<Interval> constantTurns(mlir::scf::ForOp loop);

/// `constant` plus each leaf times its factor. Equal to the index as integers
/// where that is below 2^63, and modulo 2^64 always.
struct LinearForm {
  int64_t constant = 0;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> terms;
};

/// Two executions of the kernel's ops by one block, the second later.
struct Executions {
  mlir::Operation *first, *second;
  /// The loop whose next turns the second is in; null when both are in one.
  mlir::scf::ForOp crossed;
  /// Whether ranks and blocks may differ too: then no leaf is alike.
  bool byAnyone = false;
};

class LinearForms {
public:
  /// A failure only when the range analysis fails.
  static mlir::FailureOr<LinearForms> of(tile::KernelOp kernel);

  LinearForm of(mlir::OpFoldResult index) const;

  /// The values that `form` takes; nothing when they are not known.
  std::optional<Interval> rangeOf(const LinearForm &form) const;

  /// `lhs` plus `factor` times `rhs`; nothing when a factor overflows or it has
  /// too many terms.
  static std::optional<LinearForm>
  sum(const LinearForm &lhs, const LinearForm &rhs, int64_t factor = 1);

  /// Whether `form` takes both ends of its range whenever the kernel runs: all
  /// leaves do, and none depends on another.
  bool reachesEnds(const LinearForm &form) const;

  /// The values of `second` less `first`.
  std::optional<Interval> difference(const LinearForm &first,
                                     const LinearForm &second,
                                     const Executions &executions) const;

  /// The index on each rank, where it depends on nothing else; empty otherwise.
  llvm::ArrayRef<int64_t> onEachRank(mlir::OpFoldResult index) const;

private:
  struct Leaf {
    std::optional<Interval> range;
    bool reachesEnds = false;
    bool isOfRank = false;
    /// The innermost loop whose turn it depends on.
    mlir::scf::ForOp loop = {};
  };

  /// One rank's share of a total: its begin and its size, of which either may
  /// not be computed. Together they are its end.
  struct Share {
    LinearForm total, rank;
    std::optional<Interval> end;
    mlir::Value begin, size;
  };
  enum class Likeness { Same, Later, Unlike };

  void addOp(mlir::Operation *op, mlir::DataFlowSolver &solver);
  void addShare(mlir::Operation *op, Leaf leaf, mlir::DataFlowSolver &solver);
  void addCounter(mlir::scf::ForOp loop, mlir::DataFlowSolver &solver);
  void addLeaf(mlir::Value value, Leaf leaf);
  std::optional<Interval> takeShare(const Share &share, LinearForm &form) const;
  std::optional<LinearForm> combine(mlir::Operation *op) const;
  void evaluateOnRanks(mlir::Operation *op);
  mlir::scf::ForOp innermostLoop(mlir::Operation *op) const;
  Likeness compare(mlir::Value leaf, const Executions &executions) const;

  int64_t numRanks = 1;
  llvm::DenseMap<mlir::Value, LinearForm> forms;
  llvm::DenseMap<mlir::Value, Leaf> leaves;
  llvm::DenseMap<mlir::Value, mlir::scf::ForOp> loops; ///< that a value is of
  llvm::DenseMap<mlir::Value, llvm::SmallVector<int64_t>> rankTables;
  llvm::SmallVector<Share> shares;
  mlir::Value rank; ///< stands for each tile.rank
  llvm::SmallDenseMap<mlir::Attribute, mlir::Value> parameters;
  llvm::SmallDenseMap<int64_t, mlir::Value> axes; ///< and each block index
};

} // namespace tilewire

#endif // TILEWIRE_COMPILER_PASSES_LINEARFORMS_H
