// The barrier of one block prints as it was read, also where blocks or ranks do
// different things.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

tile.kernel @k() attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 128 : i64} {
  // CHECK: tile.sync
  tile.sync
  %rank = tile.rank
  %block = tile.block_index 0
  %same = arith.cmpi eq, %rank, %block : index
  // CHECK: scf.if
  scf.if %same {
    // CHECK: tile.sync
    tile.sync
  }
  tile.return
}
