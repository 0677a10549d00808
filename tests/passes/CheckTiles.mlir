// What is proved costs nothing; what can be neither proved nor refused is
// checked when the kernel runs.
// RUN: tilewire-opt %s --tile-check-tiles | FileCheck %s

// Sums of multiples of the rank, the block and loop counters.
// CHECK-LABEL: @proved
// CHECK-NOT: tile.check
tile.kernel @proved(%a: !tile.tensor<60x64xf16>, %b: !tile.tensor<60x64xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 5>, threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c15 = arith.constant 15 : index
  %rank = tile.rank
  %block = tile.block_index 0
  %ofRank = arith.muli %rank, %c15 : index
  %ofBlock = arith.muli %block, %c3 : index
  %start = arith.addi %ofRank, %ofBlock : index
  scf.for %i = %c0 to %c3 step %c1 {
    %row = arith.addi %start, %i : index
    %end = arith.constant 59 : index
    %mirrored = arith.subi %end, %row : index
    %from = tile.slice %a[%row, 0] sizes [1, 64] : !tile.tensor<60x64xf16> -> !tile.tile<1x64xf16>
    %to = tile.slice %b[%mirrored, 0] sizes [1, 64] : !tile.tensor<60x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
    tile.put_block %from to %to on %rank : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
  }
  tile.return
}

// The lower half of the blocks alone: which they are the compiler does not see.
// CHECK-LABEL: @offset
tile.kernel @offset(%a: !tile.tensor<60x64xf16> {tile.name = "a"}, %b: !tile.tensor<64x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 64>, threads = 32 : i64} {
  // CHECK: %[[ROW:.*]] = tile.block_index 0
  %row = tile.block_index 0
  %c60 = arith.constant 60 : index
  %below = arith.cmpi ult, %row, %c60 : index
  scf.if %below {
    %from = tile.slice %a[%row, 0] sizes [1, 64] : !tile.tensor<60x64xf16> -> !tile.tile<1x64xf16>
    %to = tile.slice %b[%row, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
    // CHECK: %[[LAST:.*]] = arith.constant 59 : index
    // CHECK: %[[INSIDE:.*]] = arith.cmpi ule, %[[ROW]], %[[LAST]] : index
    // CHECK: tile.check %[[INSIDE]], %[[ROW]], "offset 0 of a tile of 'a' from 0 to 59"
    // CHECK-NOT: tile.check
    tile.copy %from to %to : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16>
  }
  tile.return
}

// Within one tensor: apart, identical, or to another rank.
// CHECK-LABEL: @within
// CHECK-NOT: tile.check
tile.kernel @within(%a: !tile.tensor<8x64xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 4>, threads = 32 : i64} {
  %block = tile.block_index 0
  %rank = tile.rank
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = arith.addi %rank, %c1 : index
  %next = arith.remui %n, %c4 : index
  %later = arith.addi %block, %c4 : index
  %row = tile.slice %a[%block, 0] sizes [1, 64] : !tile.tensor<8x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  %other = tile.slice %a[%later, 0] sizes [1, 64] : !tile.tensor<8x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  tile.copy %row to %other : !tile.tile<1x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  tile.copy %row to %row : !tile.tile<1x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  %top = tile.slice %a[0, 0] sizes [7, 64] : !tile.tensor<8x64xf16, symmetric> -> !tile.tile<7x64xf16, symmetric>
  %bottom = tile.slice %a[1, 0] sizes [7, 64] : !tile.tensor<8x64xf16, symmetric> -> !tile.tile<7x64xf16, symmetric>
  tile.put_block %top to %bottom on %next : !tile.tile<7x64xf16, symmetric> -> !tile.tile<7x64xf16, symmetric>
  tile.return
}

// CHECK-LABEL: @may_overlap
tile.kernel @may_overlap(%a: !tile.tensor<8x64xf16, symmetric> {tile.name = "a"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 4>, threads = 32 : i64} {
  %peer = tile.block_index 0
  %c2 = arith.constant 2 : index
  %odd = arith.remui %peer, %c2 : index
  %top = tile.slice %a[0, 0] sizes [7, 64] : !tile.tensor<8x64xf16, symmetric> -> !tile.tile<7x64xf16, symmetric>
  %bottom = tile.slice %a[%odd, 0] sizes [7, 64] : !tile.tensor<8x64xf16, symmetric> -> !tile.tile<7x64xf16, symmetric>
  // CHECK: %[[SAME:.*]] = arith.cmpi eq
  // CHECK: %[[OTHER:.*]] = arith.cmpi ne
  // CHECK: arith.ori
  // CHECK: tile.check {{.*}}, "source and destination of a move within 'a' that are identical or do not overlap, by the destination's offset 0"
  // CHECK-NEXT: tile.put_block
  tile.put_block %top to %bottom on %peer : !tile.tile<7x64xf16, symmetric> -> !tile.tile<7x64xf16, symmetric>
  tile.return
}

// Which peer the compiler does not see.
// CHECK-LABEL: @peer
tile.kernel @peer(%a: !tile.tensor<8x64xf16>, %b: !tile.tensor<8x64xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %peer = tile.block_index 0
  %c4 = arith.constant 4 : index
  %isRank = arith.cmpi ult, %peer, %c4 : index
  scf.if %isRank {
    %from = tile.slice %a[0, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
    %to = tile.slice %b[0, 0] sizes [1, 64]
      : !tile.tensor<8x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
    // CHECK: %[[IS_RANK:.*]] = arith.cmpi ule
    // CHECK-NEXT: tile.check %[[IS_RANK]], %{{.*}}, "a peer from 0 to 3"
    // CHECK-NEXT: tile.put_block
    tile.put_block %from to %to on %peer
      : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
  }
  tile.return
}

// Loops that never run, though their bounds are no constants, and grids without
// blocks: what they would touch is nobody's fault.
// CHECK-LABEL: @never
// CHECK-NOT: tile.check
tile.kernel @never(%a: !tile.tensor<8x64xf16>, %b: !tile.tensor<8x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 4>, threads = 32 : i64} {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %block = tile.block_index 0
  // From 5 to 5 at most.
  %first = arith.addi %block, %c5 : index
  scf.for %i = %first to %c5 step %c1 {
    %before = arith.subi %c1, %i : index
    %from = tile.slice %a[%before, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
    %to = tile.slice %b[%before, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
    tile.copy %from to %to : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16>
  }
  tile.return
}

// CHECK-LABEL: @no_blocks
// CHECK-NOT: tile.check
tile.kernel @no_blocks(%a: !tile.tensor<8x64xf16>, %b: !tile.tensor<8x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 2147483647, 2147483647, 0>, threads = 32 : i64} {
  %block = tile.block_index 0
  %from = tile.slice %a[%block, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %b[%block, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
  tile.copy %from to %to : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16>
  tile.return
}

// What folding stated of slices of tiles: the proved goes with what it alone
// computed, and the rest stays.
// CHECK-LABEL: @given
// CHECK-NOT: arith.subi
// CHECK: %[[OPEN:.*]] = arith.cmpi ule
// CHECK-NEXT: tile.check %[[OPEN]], %{{.*}}, "open"
// CHECK-NOT: tile.check
tile.kernel @given(%a: !tile.tensor<8x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %block = tile.block_index 0
  %rank = tile.rank
  %rest = arith.subi %c8, %rank : index
  %proved = arith.cmpi ule, %rank, %rest : index
  tile.check %proved, %rank, "proved"
  %odd = arith.remui %block, %c8 : index
  %open = arith.cmpi ule, %odd, %c4 : index
  tile.check %open, %odd, "open"
  tile.return
}
