// Transposes become the permutation of the slice they look at, composed with
// the one it has; the identity leaves none, and a slice used elsewhere stays.
// Offsets of slices of slices add up, and what the verifier could not see of
// their bounds is stated before the move.
// RUN: tilewire-opt %s --tile-fold-views | FileCheck %s

// CHECK-LABEL: tile.kernel @composes
// CHECK: %[[SLICE:.*]] = tile.slice %src[0, 0, 0] sizes [2, 8, 4] permute [2, 1, 0]
// CHECK-NOT: tile.transpose
// CHECK: tile.copy %[[SLICE]]
tile.kernel @composes(%src: !tile.tensor<8x16x4xf16> {tile.name = "src"}, %dst: !tile.tensor<8x16x4xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0, 0] sizes [2, 8, 4] permute [1, 0, 2]
    : !tile.tensor<8x16x4xf16> -> !tile.tile<8x2x4xf16>
  %1 = tile.transpose %0 [1, 0, 2] : !tile.tile<8x2x4xf16> -> !tile.tile<2x8x4xf16>
  %2 = tile.transpose %1 [2, 1, 0] : !tile.tile<2x8x4xf16> -> !tile.tile<4x8x2xf16>
  tile.copy %2 to %2 : !tile.tile<4x8x2xf16> -> !tile.tile<4x8x2xf16>
  tile.return
}

// CHECK-LABEL: tile.kernel @undoes
// CHECK: tile.slice %src[0, 0, 0] sizes [2, 8, 4] :
// CHECK-NEXT: tile.copy
tile.kernel @undoes(%src: !tile.tensor<8x16x4xf16> {tile.name = "src"}, %dst: !tile.tensor<8x16x4xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0, 0] sizes [2, 8, 4] permute [1, 0, 2]
    : !tile.tensor<8x16x4xf16> -> !tile.tile<8x2x4xf16>
  %1 = tile.transpose %0 [1, 0, 2] : !tile.tile<8x2x4xf16> -> !tile.tile<2x8x4xf16>
  tile.copy %1 to %1 : !tile.tile<2x8x4xf16> -> !tile.tile<2x8x4xf16>
  tile.return
}

// CHECK-LABEL: tile.kernel @shares
// CHECK: %[[PLAIN:.*]] = tile.slice %src[0, 0, 0] sizes [2, 2, 4] :
// CHECK: %[[TURNED:.*]] = tile.slice %src[0, 0, 0] sizes [2, 2, 4] permute [1, 0, 2]
// CHECK: tile.copy %[[PLAIN]] to %[[TURNED]]
tile.kernel @shares(%src: !tile.tensor<8x16x4xf16> {tile.name = "src"}, %dst: !tile.tensor<8x16x4xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0, 0] sizes [2, 2, 4] : !tile.tensor<8x16x4xf16> -> !tile.tile<2x2x4xf16>
  %1 = tile.transpose %0 [1, 0, 2] : !tile.tile<2x2x4xf16> -> !tile.tile<2x2x4xf16>
  tile.copy %0 to %1 : !tile.tile<2x2x4xf16> -> !tile.tile<2x2x4xf16>
  tile.return
}

// The dimensions of the inner slice are those that the outer one shows.
// CHECK-LABEL: tile.kernel @slice_of_turned_slice
// CHECK-NOT: tile.check
// CHECK: %[[SLICE:.*]] = tile.slice %src[5, 9, 1] sizes [2, 3, 1] permute [1, 0]
// CHECK-SAME: : !tile.tensor<8x16x4xf16> -> <3x2xf16>
// CHECK-NEXT: tile.copy %[[SLICE]]
tile.kernel @slice_of_turned_slice(%src: !tile.tensor<8x16x4xf16> {tile.name = "src"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 128 : i64} {
  %0 = tile.slice %src[4, 2, 1] sizes [4, 12, 1] permute [1, 0]
    : !tile.tensor<8x16x4xf16> -> !tile.tile<12x4xf16>
  %1 = tile.slice %0[7, 1] sizes [3, 2] : !tile.tile<12x4xf16> -> !tile.tile<3x2xf16>
  tile.copy %1 to %1 : !tile.tile<3x2xf16> -> !tile.tile<3x2xf16>
  tile.return
}

// CHECK-LABEL: tile.kernel @computed
// CHECK: %[[BLOCK:.*]] = tile.block_index 0
// CHECK: %[[RANK:.*]] = tile.rank
// CHECK: %[[ROW:.*]] = arith.addi %[[RANK]], %[[BLOCK]] : index
// CHECK: %[[SLICE:.*]] = tile.slice %src[%[[ROW]], 2] sizes [1, %[[BLOCK]]] most [1, 8] permute [1]
// CHECK: %[[LAST:.*]] = arith.constant 3 : index
// CHECK: %[[INSIDE:.*]] = arith.cmpi ule, %[[BLOCK]], %[[LAST]] : index
// CHECK: tile.check %[[INSIDE]], %[[BLOCK]], "offset 0 of a slice of a tile of 'src' from 0 to 3"
// CHECK: %[[FITS:.*]] = arith.cmpi ule, %[[BLOCK]], %[[RANK]] : index
// CHECK: tile.check %[[FITS]], %[[BLOCK]], "size 1 of a slice of a tile of 'src' from 0 to the tile's"
// CHECK: %[[REST:.*]] = arith.subi %[[RANK]], %[[BLOCK]] : index
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[BEFORE:.*]] = arith.cmpi ule, %[[TWO]], %[[REST]] : index
// CHECK: tile.check %[[BEFORE]], %[[TWO]], "offset 1 of a slice of a tile of 'src' from 0 to the tile's less its size"
// CHECK: tile.copy %[[SLICE]] to %[[SLICE]]
tile.kernel @computed(%src: !tile.tensor<8x8xf16> {tile.name = "src"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 128 : i64} {
  %block = tile.block_index 0
  %rank = tile.rank
  %0 = tile.slice %src[%rank, 0] sizes [4, %rank] : !tile.tensor<8x8xf16> -> !tile.tile<4x?xf16>
  %1 = tile.slice %0[%block, 2] sizes [1, %block] permute [1] : !tile.tile<4x?xf16> -> !tile.tile<?xf16>
  tile.copy %1 to %1 : !tile.tile<?xf16> -> !tile.tile<?xf16>
  tile.return
}
