// Block and thread indices need a grid, and an axis of it.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// tile.block_index C1: no grid.
tile.kernel @k() attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected a kernel with a grid around it}}
  %0 = tile.block_index 0
  tile.return
}

// -----

// tile.block_index C1: an axis that the grid lacks.
tile.kernel @k() attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected an axis from 0 to 1 (because the grid has 2), got 2}}
  %0 = tile.block_index 2
  tile.return
}

// -----

// tile.block_index C1: a negative axis.
tile.kernel @k() attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected an axis from 0 to 1 (because the grid has 2), got -1}}
  %0 = tile.block_index -1
  tile.return
}

// -----

// tile.thread_index C1: no grid.
tile.kernel @k() attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected a kernel with a grid around it}}
  %0 = tile.thread_index
  tile.return
}

// -----

// No kernel of tiles at all.
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{expected a kernel with a grid around it}}
  %0 = tile.thread_index
  cuda.return
}
