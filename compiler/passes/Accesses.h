//===- Accesses.h - what moves touch --------------------------------------===//
//
// The memory that one side of a move reads or writes, and whether two of them
// may be the same. For the passes that order moves.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_PASSES_ACCESSES_H
#define TILEWIRE_COMPILER_PASSES_ACCESSES_H

#include "compiler/passes/LinearForms.h"

namespace tilewire {

/// One side of a move.
struct Access {
  mlir::Operation *move;
  tile::SliceOp slice;
  mlir::Value peer; ///< whose copy; null for this rank's
  bool isWrite;
};

/// What `op` reads and writes of tensors; nothing for what is no move. Its
/// tiles are slices of tensors: views are folded.
llvm::SmallVector<Access, 2> accessesOf(mlir::Operation *op);

/// The tensor's name in messages, as the text calls it where it can.
std::string nameInMessages(mlir::Value tensor);

/// A slice along one dimension.
struct Span {
  mlir::OpFoldResult offset, size;
};

/// Whether the spans are proved to have nothing in common.
bool areApart(const LinearForms &forms, const Span &first, const Span &second,
              const Executions &executions);

/// Whether the two may touch the same memory when they are executed so.
bool mayOverlap(const LinearForms &forms, const Access &first,
                const Access &second, const Executions &executions);

/// Whether `mayOverlap`, and one of them writes.
bool mayConflict(const LinearForms &forms, const Access &first,
                 const Access &second, const Executions &executions);

/// Whether both are proved to be of the same elements of one tensor, or of none
/// in common, on one rank or several.
bool areIdenticalOrApart(const LinearForms &forms, const Access &first,
                         const Access &second, const Executions &executions);

/// Whether both may be of one rank's copy.
bool mayBeOfOneRank(const LinearForms &forms, const Access &first,
                    const Access &second, const Executions &executions);

} // namespace tilewire

#endif // TILEWIRE_COMPILER_PASSES_ACCESSES_H
