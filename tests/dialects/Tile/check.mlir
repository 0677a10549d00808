// A check prints as it was read.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

tile.kernel @k() attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 128 : i64} {
  %block = tile.block_index 0
  %c5 = arith.constant 5 : index
  %inside = arith.cmpi ult, %block, %c5 : index
  // CHECK: tile.check %{{.*}}, %{{.*}}, "a block below 5"
  tile.check %inside, %block, "a block below 5"
  tile.return
}
