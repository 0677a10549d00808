// A transpose prints its permutation; two fold into one, and the identity goes.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

// RUN: tilewire-opt %s --canonicalize | FileCheck %s --check-prefix=FOLDED

tile.kernel @k(%src: !tile.tensor<8x16x4xf16>, %dst: !tile.tensor<8x16x4xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0, 0] sizes [2, 8, 4] : !tile.tensor<8x16x4xf16> -> !tile.tile<2x8x4xf16>
  // CHECK: tile.transpose %{{.*}} [1, 2, 0] : <2x8x4xf16> -> <8x4x2xf16>
  // FOLDED: %[[SLICE:.*]] = tile.slice
  // FOLDED-NEXT: %[[TURNED:.*]] = tile.transpose %[[SLICE]] [2, 0, 1]
  // FOLDED-NOT: tile.transpose
  %1 = tile.transpose %0 [1, 2, 0] : !tile.tile<2x8x4xf16> -> !tile.tile<8x4x2xf16>
  %2 = tile.transpose %1 [1, 2, 0] : !tile.tile<8x4x2xf16> -> !tile.tile<4x2x8xf16>
  %3 = tile.transpose %2 [0, 1, 2] : !tile.tile<4x2x8xf16> -> !tile.tile<4x2x8xf16>
  %4 = tile.slice %dst[0, 0, 0] sizes [4, 2, 4] : !tile.tensor<8x16x4xf16> -> !tile.tile<4x2x4xf16>
  %5 = tile.slice %dst[0, 0, 0] sizes [8, 4, 2] permute [1, 2, 0] : !tile.tensor<8x16x4xf16> -> !tile.tile<4x2x8xf16>
  // FOLDED: tile.copy %[[TURNED]]
  tile.copy %3 to %5 : !tile.tile<4x2x8xf16> -> !tile.tile<4x2x8xf16>
  tile.return
}
