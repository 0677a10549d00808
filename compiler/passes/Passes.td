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
    the peer out of the source and its place out of the peer's destination. A
    plan given to the collective is kept. Nothing is refused.
  }];
}

def FoldTransposes : Pass<"tile-fold-transposes", "::mlir::ModuleOp"> {
  let summary = "Folds each transpose into the slice it looks at.";
  let description = [{
    Afterwards every transfer reads and writes slices, whose permutation says
    all. Refused: a transpose of anything but a slice or another transpose.
  }];
}

def PlanTransfers : Pass<"tile-plan-transfers", "::mlir::ModuleOp"> {
  let summary = "Decides how each transfer is carried out.";
  let description = [{
    Sets the `#tile.plan` of each transfer that has none, and `threads` of a
    kernel without a grid. The vector is the widest that extents, strides and
    known divisors of the offsets allow on both sides, up to 16 bytes; the
    unroll is what one thread has to do, up to 8 loads in flight. Refused: a
    given plan whose vector those don't allow.
  }];
}

def LowerTileToCuda : Pass<"lower-tile-to-cuda", "::mlir::ModuleOp"> {
  let summary = "Lowers planned tile kernels to cuda kernels.";
  let description = [{
    The text is grid-stride: the logical grid becomes a loop over its blocks, so
    that any number of resident blocks runs it. With `barrier_all` there is no
    loop, and the launch must give all blocks. Refused: a transfer without a
    plan, and a tile that is not a slice.
  }];
  let dependentDialects = ["::tilewire::cuda::CudaDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def NarrowIndices : Pass<"cuda-narrow-indices", "::mlir::ModuleOp"> {
  let summary = "Gives each index the narrowest width that is proved.";
  let description = [{
    A range analysis finds the indices that fit 32 unsigned bits; they become
    `i32`, the others `i64`, with a cast only where the width changes. A loop's
    counter fits when its bound plus its step does, so that the last increment
    can't wrap; a shift fits when its amount is below 32. Refused: a signed loop
    whose bounds may be negative, since the text counts unsigned.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def Simplify : Pass<"cuda-simplify", "::mlir::ModuleOp"> {
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
    used. A name that the user gave is kept where it can be. Nothing is refused.
  }];
}

def CheckPrintable : Pass<"cuda-check-printable", "::mlir::ModuleOp"> {
  let summary = "Refuses what the emitter can't spell.";
  let description = [{
    Refused, with the op and the reason: an op outside the set that the emitter
    knows, a type that is no index, i1, i32, i64 or cuda type, a loop or branch
    that carries values, and a signed division, remainder or comparison (indices
    are unsigned; `arith-unsigned-when-equivalent` turns those that may be).
    What follows only adds casts and names.
  }];
}

#endif // TILEWIRE_PASSES_TD
