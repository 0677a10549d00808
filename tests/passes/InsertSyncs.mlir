// A sync stands between two moves of a block where the second touches what the
// first wrote, or writes what it read, and nowhere else.
// RUN: tilewire-opt %s --tile-plan-transfers --tile-insert-syncs | FileCheck %s

// Reading what was written: by other threads, as it is read along columns.
// CHECK-LABEL: @read_after_write
tile.kernel @read_after_write(%a: !tile.tensor<64x64xf16>, %b: !tile.tensor<64x64xf16>, %c: !tile.tensor<64x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %from = tile.slice %a[0, 0] sizes [64, 64] : !tile.tensor<64x64xf16> -> !tile.tile<64x64xf16>
  %mid = tile.slice %b[0, 0] sizes [64, 64] : !tile.tensor<64x64xf16> -> !tile.tile<64x64xf16>
  %turned = tile.slice %b[0, 0] sizes [64, 64] permute [1, 0] : !tile.tensor<64x64xf16> -> !tile.tile<64x64xf16>
  %to = tile.slice %c[0, 0] sizes [64, 64] : !tile.tensor<64x64xf16> -> !tile.tile<64x64xf16>
  // CHECK: tile.copy
  // CHECK-NEXT: tile.sync
  // CHECK-NEXT: tile.copy
  // CHECK-NOT: tile.sync
  tile.copy %from to %mid : !tile.tile<64x64xf16> -> !tile.tile<64x64xf16>
  tile.copy %turned to %to : !tile.tile<64x64xf16> -> !tile.tile<64x64xf16>
  tile.return
}

// Writing what was read, and writing what was written.
// CHECK-LABEL: @write_after
tile.kernel @write_after(%a: !tile.tensor<8x64xf16>, %b: !tile.tensor<8x64xf16>, %c: !tile.tensor<8x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %from = tile.slice %a[0, 0] sizes [4, 64] : !tile.tensor<8x64xf16> -> !tile.tile<4x64xf16>
  %to = tile.slice %b[0, 0] sizes [4, 64] : !tile.tensor<8x64xf16> -> !tile.tile<4x64xf16>
  %over = tile.slice %a[1, 0] sizes [4, 64] : !tile.tensor<8x64xf16> -> !tile.tile<4x64xf16>
  %other = tile.slice %c[0, 0] sizes [4, 64] : !tile.tensor<8x64xf16> -> !tile.tile<4x64xf16>
  %also = tile.slice %a[2, 0] sizes [4, 64] : !tile.tensor<8x64xf16> -> !tile.tile<4x64xf16>
  // CHECK: tile.copy
  // CHECK-NEXT: tile.sync
  // CHECK-NEXT: tile.copy
  // CHECK-NEXT: tile.sync
  // CHECK-NEXT: tile.copy
  tile.copy %from to %to : !tile.tile<4x64xf16> -> !tile.tile<4x64xf16>
  tile.copy %other to %over : !tile.tile<4x64xf16> -> !tile.tile<4x64xf16>
  tile.copy %other to %also : !tile.tile<4x64xf16> -> !tile.tile<4x64xf16>
  tile.return
}

// None: other rows, other tensors, elements that stay with their threads, and
// what only reads.
// CHECK-LABEL: @independent
// CHECK-NOT: tile.sync
tile.kernel @independent(%a: !tile.tensor<8x64xf16>, %b: !tile.tensor<8x64xf16>, %c: !tile.tensor<8x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 4>, threads = 32 : i64} {
  %row = tile.block_index 0
  %c4 = arith.constant 4 : index
  %later = arith.addi %row, %c4 : index
  %a0 = tile.slice %a[%row, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
  %a4 = tile.slice %a[%later, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
  %b0 = tile.slice %b[%row, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
  %c0 = tile.slice %c[%row, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
  tile.copy %a0 to %b0 : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16>
  tile.copy %b0 to %a4 : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16>
  tile.copy %a4 to %c0 : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16>
  tile.return
}

// A put may be to this rank itself; one that never is does not conflict.
// CHECK-LABEL: @peers
tile.kernel @peers(%a: !tile.tensor<4x64xf16>, %b: !tile.tensor<8x64xf16, symmetric>, %c: !tile.tensor<64x4xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 4>, threads = 32 : i64} {
  %peer = tile.block_index 0
  %rank = tile.rank
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = arith.addi %rank, %c1 : index
  %next = arith.remui %n, %c4 : index
  %from = tile.slice %a[0, 0] sizes [4, 64] : !tile.tensor<4x64xf16> -> !tile.tile<4x64xf16>
  %to = tile.slice %b[0, 0] sizes [4, 64] : !tile.tensor<8x64xf16, symmetric> -> !tile.tile<4x64xf16, symmetric>
  %turned = tile.slice %b[0, 0] sizes [4, 64] permute [1, 0] : !tile.tensor<8x64xf16, symmetric> -> !tile.tile<64x4xf16, symmetric>
  %out = tile.slice %c[0, 0] sizes [64, 4] : !tile.tensor<64x4xf16> -> !tile.tile<64x4xf16>
  // CHECK: tile.put_block
  // CHECK-NEXT: tile.copy
  tile.put_block %from to %to on %next : !tile.tile<4x64xf16> -> !tile.tile<4x64xf16, symmetric>
  tile.copy %turned to %out : !tile.tile<64x4xf16, symmetric> -> !tile.tile<64x4xf16>
  // CHECK-NEXT: tile.sync
  // CHECK-NEXT: tile.put_block
  // CHECK-NEXT: tile.sync
  // CHECK-NEXT: tile.copy
  tile.put_block %from to %to on %peer : !tile.tile<4x64xf16> -> !tile.tile<4x64xf16, symmetric>
  tile.copy %turned to %out : !tile.tile<64x4xf16, symmetric> -> !tile.tile<64x4xf16>
  tile.return
}

// What tensors that may alias share is not known.
// CHECK-LABEL: @aliases
tile.kernel @aliases(%a: !tile.tensor<8x64xf16> {tile.may_alias}, %b: !tile.tensor<8x64xf16> {tile.may_alias}, %c: !tile.tensor<8x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %a0 = tile.slice %a[0, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
  %b4 = tile.slice %b[4, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
  %c0 = tile.slice %c[0, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
  // CHECK: tile.copy
  // CHECK-NEXT: tile.sync
  // CHECK-NEXT: tile.copy
  tile.copy %c0 to %a0 : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16>
  tile.copy %b4 to %c0 : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16>
  tile.return
}
