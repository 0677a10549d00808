// The barrier of all blocks of all ranks prints as it was read: in a kernel with
// a grid and one without, and in loops that are the same for all.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

// CHECK-LABEL: @with_grid
tile.kernel @with_grid() attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // CHECK: tile.barrier_all
  tile.barrier_all
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ranks = tile.num_ranks
  // CHECK: scf.for
  scf.for %i = %c0 to %ranks step %c1 {
    // CHECK: tile.barrier_all
    tile.barrier_all
  }
  tile.return
}

// CHECK-LABEL: @without_grid
tile.kernel @without_grid() attributes {num_ranks = 4 : i64} {
  // CHECK: tile.barrier_all
  tile.barrier_all
  tile.return
}
