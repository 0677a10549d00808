// The barrier of all blocks of all ranks prints as it was read.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

tile.kernel @k() attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // CHECK: tile.barrier_all
  tile.barrier_all
  tile.return
}
