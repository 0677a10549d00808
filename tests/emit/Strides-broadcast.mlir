// A stride of 0: one row for all goes in vectors, one element for all does not.
// RUN: tilewire-emit %s > %t.cu && FileCheck %s < %t.cu
// RUN: %nvrtc %t.cu

// CHECK: tw::load<8>(src,
// CHECK: tw::load<1>(src,
tile.kernel @k(%src: !tile.tensor<64x64xf16, strides [0, 1]> {tile.name = "src"}, %dst: !tile.tensor<64x64xf16> {tile.name = "dst"})
    attributes {num_ranks = 1 : i64, grid = array<i64: 1>, threads = 64 : i64} {
  %a = tile.slice %src[0, 0] sizes [64, 64] : !tile.tensor<64x64xf16, strides [0, 1]> -> !tile.tile<64x64xf16>
  %b = tile.slice %dst[0, 0] sizes [64, 64] : !tile.tensor<64x64xf16> -> !tile.tile<64x64xf16>
  tile.copy %a to %b : !tile.tile<64x64xf16> -> !tile.tile<64x64xf16>
  %t = tile.transpose %a [1, 0] : !tile.tile<64x64xf16> -> !tile.tile<64x64xf16>
  tile.copy %t to %b : !tile.tile<64x64xf16> -> !tile.tile<64x64xf16>
  tile.return
}
