// A transfer becomes loads and stores of the planned vector, a guard where threads
// are left over, a loop where one round is not enough.
// RUN: tilewire-opt %s --lower-tile-to-cuda | FileCheck %s

// As many vectors as threads: neither guard nor loop.
// CHECK-LABEL: cuda.kernel @one_round
// CHECK: scf.for
// CHECK-NOT: scf.
// CHECK: cuda.load %src[%{{.*}}] : <16>, index -> <2, 16>
// CHECK-NEXT: cuda.store
tile.kernel @one_round(%src: !tile.tensor<64x64xf16> {tile.name = "src"},
    %dst: !tile.tensor<64x64xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %peer = tile.rank
  %from = tile.slice %src[0, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %dst[0, 0] sizes [1, 64]
    : !tile.tensor<64x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  tile.put_block %from to %to on %peer plan <vector = 2, unroll = 1, order = destination>
    : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
  tile.return
}

// Fewer: a guard.
// CHECK-LABEL: cuda.kernel @guarded
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %thread{{.*}}, %c8
// CHECK: scf.if %[[INSIDE]] {
// CHECK: cuda.load
tile.kernel @guarded(%src: !tile.tensor<64x64xf16> {tile.name = "src"},
    %dst: !tile.tensor<64x64xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %peer = tile.rank
  %from = tile.slice %src[0, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %dst[0, 0] sizes [1, 64]
    : !tile.tensor<64x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  tile.put_block %from to %to on %peer plan <vector = 8, unroll = 1, order = destination>
    : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
  tile.return
}

// More: a loop, here without a guard as rounds are whole.
// CHECK-LABEL: cuda.kernel @rounds
// CHECK: scf.for
// CHECK: scf.for %{{.*}} = %thread{{.*}} to %c64{{.*}} step %c32
// CHECK-NOT: scf.if
// CHECK: cuda.load %src[%{{.*}}] : <16>, index -> <1, 16>
tile.kernel @rounds(%src: !tile.tensor<64x64xf16> {tile.name = "src"},
    %dst: !tile.tensor<64x64xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %peer = tile.rank
  %from = tile.slice %src[0, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %dst[0, 0] sizes [1, 64]
    : !tile.tensor<64x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  tile.put_block %from to %to on %peer plan <vector = 1, unroll = 1, order = destination>
    : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
  tile.return
}

// Unrolled: all loads before the first store, through registers.
// CHECK-LABEL: cuda.kernel @unrolled
// CHECK: %[[HELD:.*]] = cuda.registers : <2, <1, 16>>
// CHECK: scf.for
// CHECK: cuda.load
// CHECK: cuda.set
// CHECK: } {cuda.unroll}
// CHECK: scf.for
// CHECK: cuda.get %[[HELD]]
// CHECK: cuda.store
// CHECK: } {cuda.unroll}
tile.kernel @unrolled(%src: !tile.tensor<64x64xf16> {tile.name = "src"},
    %dst: !tile.tensor<64x64xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %peer = tile.rank
  %from = tile.slice %src[0, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %dst[0, 0] sizes [1, 64]
    : !tile.tensor<64x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  tile.put_block %from to %to on %peer plan <vector = 1, unroll = 2, order = destination>
    : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
  tile.return
}

// By the whole grid: chunks in turn to each peer, starting at the next rank.
// CHECK-LABEL: cuda.kernel @by_grid
// CHECK-SAME: max_blocks = 64 : i64
// CHECK: %[[NEXT:.*]] = arith.addi %rank
// CHECK: scf.for %[[CHUNK:.*]] = %block to %c64{{.*}} step %num_blocks
// CHECK: %[[TURN:.*]] = arith.addi %[[NEXT]], %[[CHUNK]]
// CHECK: %[[PEER:.*]] = arith.remui %[[TURN]], %c4
// CHECK: cuda.on_peer %dst, %[[PEER]]
tile.kernel @by_grid(%src: !tile.tensor<4x4096xf16> {tile.name = "src"},
    %dst: !tile.tensor<1x16384xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, threads = 32 : i64} {
  tile.put_grid %peer plan <vector = 8, unroll = 1, order = destination> {
    %from = tile.slice %src[%peer, 0] sizes [1, 4096] : !tile.tensor<4x4096xf16> -> !tile.tile<1x4096xf16>
    %to = tile.slice %dst[0, 0] sizes [1, 4096]
      : !tile.tensor<1x16384xf16, symmetric> -> !tile.tile<1x4096xf16, symmetric>
    tile.yield %from to %to : !tile.tile<1x4096xf16> -> !tile.tile<1x4096xf16, symmetric>
  }
  tile.return
}

// By the whole grid, of nothing.
// CHECK-LABEL: cuda.kernel @nothing_by_grid
// CHECK-NOT: scf.
// CHECK: cuda.return
tile.kernel @nothing_by_grid(%src: !tile.tensor<4x0xf16> {tile.name = "src"},
    %dst: !tile.tensor<1x0xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, threads = 32 : i64} {
  tile.put_grid %peer plan <vector = 8, unroll = 1, order = destination> {
    %from = tile.slice %src[%peer, 0] sizes [1, 0] : !tile.tensor<4x0xf16> -> !tile.tile<1x0xf16>
    %to = tile.slice %dst[0, 0] sizes [1, 0]
      : !tile.tensor<1x0xf16, symmetric> -> !tile.tile<1x0xf16, symmetric>
    tile.yield %from to %to : !tile.tile<1x0xf16> -> !tile.tile<1x0xf16, symmetric>
  }
  tile.return
}
