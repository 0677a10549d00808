//===- Passes.td - the passes of the compiler -------------*- tablegen -*-===//
//
// One pass, one file, one verb. The summary says the effect, the description
// what is refused.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_PASSES_TD
#define TILEWIRE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandCollectives : Pass<"tile-expand-collectives", "::mlir::ModuleOp"> {
  let summary = "Turns each collective into what the blocks of the grid do.";
  let description = [{
    `tile.all_to_all` becomes one `tile.put_grid` whose region cuts the part of
    the peer out of the source and its place out of the peer's destination, as
    slices of slices where those are tiles. A plan given to the collective is kept. Nothing is refused.
  }];
}

def FoldViews : Pass<"tile-fold-views", "::mlir::ModuleOp"> {
  let summary = "Makes one slice of slices and transposes of each other.";
  let description = [{
    Afterwards every transfer reads and writes slices of tensors: offsets are
    added up, and the permutation says the rest. That a slice of a tile lies
    within that tile is stated by `tile.check` before each transfer that uses
    it, for `-tile-check-tiles` to prove or to refuse. Nothing is refused.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CheckTiles : Pass<"tile-check-tiles", "::mlir::ModuleOp"> {
  let summary = "Proves that tiles lie within tensors and apart, or checks it.";
  let description = [{
    Refused, with the user's place: an offset or size of which a range analysis
    proves that some block takes it outside of its tensor, a peer, or the rank of
    a share, that is proved not to be one of the ranks, sizes of source and
    destination that are proved to differ, a move within one tensor whose source
    and destination are proved to overlap without being identical, and a
    `tile.check` of the program that is proved to fail. One that is proved to
    hold is taken away.
    Where neither this nor the opposite can be proved, `tile.check` is inserted
    before the move.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def InsertBarriers : Pass<"tile-insert-barriers", "::mlir::ModuleOp"> {
  let summary = "Lets ranks meet between collectives that depend on each other.";
  let description = [{
    In a kernel without a grid, `tile.barrier_all` is inserted before a move that
    reads what one since the last barrier writes, or writes what one reads or
    writes, on any rank. Refused: a `tile.put_grid` whose source and destination
    are not proved to lie apart.
  }];
}

def InsertSyncs : Pass<"tile-insert-syncs", "::mlir::ModuleOp"> {
  let summary = "Lets the block's threads meet where its moves depend on others.";
  let description = [{
    In a kernel with a grid, `tile.sync` is inserted before a move that reads what
    one since the last sync or barrier writes, or writes what one reads or writes,
    in program order and around loops. Tiles of one tensor are told apart by
    their offsets, as sums of multiples of what differs; where that does not tell
    them apart, a sync is inserted, unless both are the same elements and each is
    with the same thread both times. One more is inserted after 128 tiles that no
    sync separates. Nothing is refused.
  }];
}

def PlanTransfers : Pass<"tile-plan-transfers", "::mlir::ModuleOp"> {
  let summary = "Decides how each transfer is carried out.";
  let description = [{
    Sets the `#tile.plan` of each transfer that has none, and `threads` of a
    kernel without a grid. The vector is the widest that extents, strides and
    known divisors of the offsets allow on both sides, up to 16 bytes; the
    unroll is how many loads a thread has to do, rounded up to a power of two, 8
    at most; in a move by the whole grid, what it would have to do if 264 blocks
    shared the move. Refused: a given plan whose vector those don't allow.
  }];
}

def LowerTileToCuda : Pass<"lower-tile-to-cuda", "::mlir::ModuleOp"> {
  let summary = "Lowers planned tile kernels to cuda kernels.";
  let description = [{
    The text is grid-stride: the logical grid becomes a loop over its blocks, so
    that any number of resident blocks runs it. With `barrier_all` there is no
    loop, and the launch must give all blocks. Refused: a transfer without a
    plan or with one that `tile-plan-transfers` refuses, a tile that is not a slice, an op that an earlier pass replaces
    (`tile.all_to_all`, `tile.transpose`), and a move by the whole grid of 2^63
    chunks or more.
  }];
  let dependentDialects = ["::tilewire::cuda::CudaDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def UseReciprocals : Pass<"cuda-use-reciprocals", "::mlir::ModuleOp"> {
  let summary = "Turns divisions by what a kernel does not change into products.";
  let description = [{
    Those that `-lower-tile-to-cuda` marks `cuda.invariant`, of 32 bits, whose
    dividend a range analysis proves to be below 2^31, in loops that do not
    compute the divisor. A GPU divides in about
    twenty instructions, and multiplies in two.
  }];
  let dependentDialects = ["::tilewire::cuda::CudaDialect"];
}

def NarrowIndices : Pass<"cuda-narrow-indices", "::mlir::ModuleOp"> {
  let summary = "Gives each index the narrowest width that is proved.";
  let description = [{
    A range analysis finds the indices that fit 32 unsigned bits; they become
    `i32`, the others `i64`, with a cast only where the width changes. A loop's
    counter fits when its bound plus its step does, so that the last increment
    can't wrap; a shift fits when its amount is below 32. Differences, and sums
    and multiples of them, stay `i64`: NVRTC 13.0 computes wrong addresses from
    narrow ones.

    Refused: a signed loop whose bounds may be negative, since the text counts
    unsigned, and any loop whose step may be 0 or whose counter may wrap at its
    own width, since it would not end. What stands in a loop that never runs is
    not looked at.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def Simplify : Pass<"tilewire-simplify", "::mlir::ModuleOp"> {
  let summary = "Folds and merges what is equal, and keeps the user's names.";
  let description = [{
    MLIR's canonicalization and common subexpression elimination. Where an op
    that has a name gives way to one that has none, the name goes over: `x * 1`
    named `row` leaves `x` with that name. Nothing is refused.
  }];
}

def LegalizeNames : Pass<"cuda-legalize-names", "::mlir::ModuleOp"> {
  let summary = "Decides which values get a variable, and its name.";
  let description = [{
    Afterwards a value with a name location is a variable of that name, legal in
    C++ and unlike every other in its scope; one without is spelled where it is
    used. A name that the user gave is kept where it can be. What nobody named
    is a variable all the same where it is used more than once, where its use is
    too far away, or where the expression would grow too long: it is called
    after what it is, such as `held` for what was loaded. What the compiler
    names gets out of the way of the user's own names. Refused: a name of more
    than 1,024 characters.
  }];
}

def CheckPrintable : Pass<"cuda-check-printable", "::mlir::ModuleOp"> {
  let summary = "Refuses what the emitter can't spell.";
  let description = [{
    Refused, with the op and the reason:
    - a signed division, remainder, minimum, maximum or comparison: indices are
      unsigned, and `arith-unsigned-when-equivalent` turns those that may be;
    - any other op that is not of the cuda dialect, `scf.for`, `scf.if`,
      `scf.yield`, or in `arith` one of `constant`, `addi`, `subi`, `muli`,
      `divui`, `remui`, `minui`, `maxui`, `andi`, `ori`, `xori`, `shli`,
      `shrui`, `cmpi`, `select`, `extui` and `trunci`;
    - a loop or branch that carries values;
    - a result that is no index, i1, i32, i64 or cuda type, and arithmetic on
      truth values (i1);
    - a choice (`select`) of arrays or pointers;
    - a `cuda.sync` or `cuda.barrier_all` in a loop or branch that differs among
      those who meet there;
    - a loop that counts neither in index nor unsigned.
  }];
}

#endif // TILEWIRE_PASSES_TD
