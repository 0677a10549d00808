// Turns of a loop are ordered as what stands in them is; branches and barriers
// count.
// RUN: tilewire-opt %s --tile-plan-transfers --tile-insert-syncs | FileCheck %s

// Each turn reads what the one before wrote.
// CHECK-LABEL: @next_turn
tile.kernel @next_turn(%a: !tile.tensor<16x60xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  // CHECK: scf.for
  scf.for %i = %c0 to %c7 step %c1 {
    %j = arith.addi %i, %c2 : index
    %from = tile.slice %a[%i, 0] sizes [2, 60] : !tile.tensor<16x60xf16> -> !tile.tile<2x60xf16>
    %to = tile.slice %a[%j, 0] sizes [2, 60] : !tile.tensor<16x60xf16> -> !tile.tile<2x60xf16>
    // CHECK: tile.sync
    // CHECK-NEXT: tile.copy
    tile.copy %from to %to : !tile.tile<2x60xf16> -> !tile.tile<2x60xf16>
  }
  tile.return
}

// So it does row by row, where each element stays with its thread.
// CHECK-LABEL: @with_thread
// CHECK-NOT: tile.sync
tile.kernel @with_thread(%a: !tile.tensor<16x60xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %j = arith.addi %i, %c1 : index
    %from = tile.slice %a[%i, 0] sizes [1, 60] : !tile.tensor<16x60xf16> -> !tile.tile<1x60xf16>
    %to = tile.slice %a[%j, 0] sizes [1, 60] : !tile.tensor<16x60xf16> -> !tile.tile<1x60xf16>
    tile.copy %from to %to : !tile.tile<1x60xf16> -> !tile.tile<1x60xf16>
  }
  tile.return
}

// Two rows at a time: no turn touches those of another, in either loop.
// CHECK-LABEL: @own_rows
// CHECK-NOT: tile.sync
tile.kernel @own_rows(%a: !tile.tensor<64x60xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c32 step %c8 {
    scf.for %j = %c0 to %c8 step %c2 {
      %row = arith.addi %i, %j : index
      %below = arith.addi %row, %c32 : index
      %from = tile.slice %a[%row, 0] sizes [2, 60] : !tile.tensor<64x60xf16> -> !tile.tile<2x60xf16>
      %to = tile.slice %a[%below, 0] sizes [2, 60] : !tile.tensor<64x60xf16> -> !tile.tile<2x60xf16>
      tile.copy %from to %to : !tile.tile<2x60xf16> -> !tile.tile<2x60xf16>
    }
  }
  tile.return
}

// The inner loop's rows are those of every turn of the outer one, shifted.
// CHECK-LABEL: @outer_turn
tile.kernel @outer_turn(%a: !tile.tensor<8x64xf16>, %b: !tile.tensor<8x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  // CHECK: scf.for
  scf.for %i = %c0 to %c4 step %c1 {
    // CHECK: scf.for
    scf.for %j = %c0 to %c4 step %c2 {
      %from = tile.slice %a[%i, 0] sizes [2, 64] : !tile.tensor<8x64xf16> -> !tile.tile<2x64xf16>
      %row = arith.addi %i, %j : index
      %to = tile.slice %b[%row, 0] sizes [2, 64] : !tile.tensor<8x64xf16> -> !tile.tile<2x64xf16>
      // CHECK: tile.sync
      // CHECK-NEXT: tile.copy
      tile.copy %from to %to : !tile.tile<2x64xf16> -> !tile.tile<2x64xf16>
    }
  }
  tile.return
}

// After a branch that may have written; not after a barrier or a sync.
// CHECK-LABEL: @branch
tile.kernel @branch(%a: !tile.tensor<8x64xf16>, %b: !tile.tensor<64x8xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 2>, threads = 32 : i64} {
  %block = tile.block_index 0
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %block, %c0 : index
  %all = tile.slice %a[0, 0] sizes [8, 64] : !tile.tensor<8x64xf16> -> !tile.tile<8x64xf16>
  %turned = tile.slice %b[0, 0] sizes [64, 8] permute [1, 0] : !tile.tensor<64x8xf16> -> !tile.tile<8x64xf16>
  // CHECK: scf.if
  scf.if %first {
    // CHECK-NEXT: tile.copy
    tile.copy %turned to %all : !tile.tile<8x64xf16> -> !tile.tile<8x64xf16>
  }
  // CHECK: tile.sync
  // CHECK-NEXT: tile.copy
  tile.copy %all to %turned : !tile.tile<8x64xf16> -> !tile.tile<8x64xf16>
  // CHECK-NEXT: tile.barrier_all
  // CHECK-NEXT: tile.copy
  tile.barrier_all
  tile.copy %turned to %all : !tile.tile<8x64xf16> -> !tile.tile<8x64xf16>
  // CHECK-NEXT: tile.sync
  // CHECK-NEXT: tile.copy
  // CHECK-NEXT: tile.return
  tile.sync
  tile.copy %all to %turned : !tile.tile<8x64xf16> -> !tile.tile<8x64xf16>
  tile.return
}
