// Transposes become the permutation of the slice they look at, composed with
// the one it has; the identity leaves none, and a slice used elsewhere stays.
// RUN: tilewire-opt %s --tile-fold-transposes | FileCheck %s

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
