// A barrier stands where all blocks meet it.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// C1: no grid.
tile.kernel @k() attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected to stand directly in the body of a kernel with a grid, so that all blocks meet it}}
  tile.barrier_all
  tile.return
}

// -----

// C1: under a condition.
tile.kernel @k() attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %true = arith.constant true
  scf.if %true {
    // expected-error@+1 {{expected to stand directly in the body of a kernel with a grid, so that all blocks meet it}}
    tile.barrier_all
  }
  tile.return
}
