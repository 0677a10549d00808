// A sync stands where all threads of the block meet it.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// C1: no grid.
tile.kernel @k() attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected a kernel with a grid around it}}
  tile.sync
  tile.return
}

// -----

// C2: in a branch that threads take differently.
tile.kernel @k() attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 128 : i64} {
  %t = tile.thread_index
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    // expected-error@+1 {{expected the same for all threads of the block (because they do it together), got what depends on the thread}}
    tile.sync
  }
  tile.return
}
