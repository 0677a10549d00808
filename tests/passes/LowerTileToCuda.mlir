// A kernel's blocks become a loop by the grid, so that any number of them runs it;
// the launch is told how many have work, and which tensors are written.
// RUN: tilewire-opt %s --lower-tile-to-cuda | FileCheck %s

// CHECK-LABEL: cuda.kernel @grid_stride
// CHECK-SAME: cuda.tensor = !tile.tensor<64x64xf16>, tile.name = "src"}
// CHECK-SAME: cuda.tensor = !tile.tensor<64x64xf16, symmetric>, cuda.written, tile.name = "dst"}
// CHECK-SAME: max_blocks = 24 : i64, num_ranks = 4 : i64, threads = 32 : i64}
// CHECK: %[[BLOCK:.*]] = cuda.block_index : index
// CHECK: %[[END:.*]] = arith.constant 24 : index
// CHECK: %[[STEP:.*]] = cuda.num_blocks : index
// CHECK: scf.for %{{.*}} = %[[BLOCK]] to %[[END]] step %[[STEP]] {
// CHECK-NOT: tile.
tile.kernel @grid_stride(%src: !tile.tensor<64x64xf16> {tile.name = "src"},
    %dst: !tile.tensor<64x64xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 24>, threads = 32 : i64} {
  %peer = tile.rank
  %from = tile.slice %src[0, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %dst[0, 0] sizes [1, 64]
    : !tile.tensor<64x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  tile.put_block %from to %to on %peer plan <vector = 8, unroll = 1, order = destination>
    : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
  tile.return
}

// Three axes: the first varies fastest.
// CHECK-LABEL: cuda.kernel @axes
// CHECK-SAME: max_blocks = 24 : i64
// CHECK: scf.for %[[BLOCK:.*]] = %{{.*}} to
// CHECK: arith.remui %[[BLOCK]], %c2{{.*}} : index
// CHECK: %[[REST:.*]] = arith.divui %[[BLOCK]], %c2{{.*}} : index
// CHECK: arith.remui %[[REST]], %c3{{.*}} : index
// CHECK: %[[LAST:.*]] = arith.divui %[[BLOCK]], %c6{{.*}} : index
// CHECK-NOT: arith.remui
// CHECK: cuda.on_peer
tile.kernel @axes(%src: !tile.tensor<64x64xf16> {tile.name = "src"},
    %dst: !tile.tensor<64x64xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 2, 3, 4>, threads = 32 : i64} {
  %x = tile.block_index 0
  %y = tile.block_index 1
  %z = tile.block_index 2
  %xy = arith.addi %x, %y : index
  %peer = arith.addi %xy, %z : index
  %from = tile.slice %src[0, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %dst[0, 0] sizes [1, 64]
    : !tile.tensor<64x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  tile.put_block %from to %to on %peer plan <vector = 8, unroll = 1, order = destination>
    : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
  tile.return
}

// Blocks that meet run all at once: no loop.
// CHECK-LABEL: cuda.kernel @meets
// CHECK-SAME: max_blocks = 8 : i64, needs_all_blocks
// CHECK-NOT: scf.for
// CHECK: cuda.barrier_all 0
tile.kernel @meets(%src: !tile.tensor<64x64xf16> {tile.name = "src"},
    %dst: !tile.tensor<64x64xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %peer = tile.rank
  %from = tile.slice %src[0, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %dst[0, 0] sizes [1, 64]
    : !tile.tensor<64x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  tile.put_block %from to %to on %peer plan <vector = 8, unroll = 1, order = destination>
    : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
  tile.barrier_all
  tile.return
}

// Entry and exit stand outside the loop, and waits are numbered in order.
// CHECK-LABEL: cuda.kernel @completes
// CHECK-NEXT: cuda.enter_all 0
// CHECK: scf.for
// CHECK: cuda.store
// CHECK-NOT: scf.for
// CHECK: cuda.leave_all 1
// CHECK-NEXT: cuda.return
tile.kernel @completes(%src: !tile.tensor<64x64xf16> {tile.name = "src"},
    %dst: !tile.tensor<64x64xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64, completion} {
  %peer = tile.rank
  %from = tile.slice %src[0, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %dst[0, 0] sizes [1, 64]
    : !tile.tensor<64x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  tile.put_block %from to %to on %peer plan <vector = 8, unroll = 1, order = destination>
    : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
  tile.return
}

// A grid without blocks does nothing but enter and leave, even if it would meet.
// CHECK-LABEL: cuda.kernel @no_blocks
// CHECK-SAME: max_blocks = 1 : i64
// CHECK-NEXT: cuda.enter_all 0
// CHECK-NEXT: cuda.leave_all 1
// CHECK-NEXT: cuda.return
tile.kernel @no_blocks(%src: !tile.tensor<64x64xf16> {tile.name = "src"},
    %dst: !tile.tensor<64x64xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 0, 4>, threads = 32 : i64, completion} {
  %peer = tile.rank
  %from = tile.slice %src[0, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %dst[0, 0] sizes [1, 64]
    : !tile.tensor<64x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  tile.put_block %from to %to on %peer plan <vector = 8, unroll = 1, order = destination>
    : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
  tile.barrier_all
  tile.return
}

// An empty tile moves nothing.
// CHECK-LABEL: cuda.kernel @no_elements
// CHECK-NOT: cuda.load
// CHECK: cuda.return
tile.kernel @no_elements(%src: !tile.tensor<64x64xf16> {tile.name = "src"},
    %dst: !tile.tensor<64x64xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %peer = tile.rank
  %from = tile.slice %src[0, 0] sizes [1, 0] : !tile.tensor<64x64xf16> -> !tile.tile<1x0xf16>
  %to = tile.slice %dst[0, 0] sizes [1, 0]
    : !tile.tensor<64x64xf16, symmetric> -> !tile.tile<1x0xf16, symmetric>
  tile.put_block %from to %to on %peer plan <vector = 8, unroll = 1, order = destination>
    : !tile.tile<1x0xf16> -> !tile.tile<1x0xf16, symmetric>
  tile.return
}
