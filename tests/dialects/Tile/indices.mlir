// The ops that say who runs print as they were read, with names to match.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s


// CHECK: %rank = tile.rank
// CHECK: %num_ranks = tile.num_ranks
// CHECK: %block = tile.block_index 1
// CHECK: %thread = tile.thread_index
tile.kernel @k() attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %0 = tile.rank
  %1 = tile.num_ranks
  %2 = tile.block_index 1
  %3 = tile.thread_index
  tile.return
}
