// A transpose of a tile that is chosen at run time is refused.
// RUN: tilewire-opt %s --tile-fold-transposes --verify-diagnostics

tile.kernel @chosen(%src: memref<8x16x4xf16> {tile.name = "src"}, %dst: memref<8x16x4xf16, #tile.symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %true = arith.constant true
  %0 = tile.slice %src[0, 0, 0] sizes [2, 2, 4] : memref<8x16x4xf16> -> !tile.tile<2x2x4xf16>
  %1 = arith.select %true, %0, %0 : !tile.tile<2x2x4xf16>
  // expected-error@+1 {{expected the transpose of a tile.slice or of another transpose}}
  %2 = tile.transpose %1 [1, 0, 2] : !tile.tile<2x2x4xf16> -> !tile.tile<2x2x4xf16>
  tile.return
}
