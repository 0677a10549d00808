// Rows and columns swapped: walked as the destination lies, without vectors.
// RUN: tilewire-emit %s > %t.cu && FileCheck %s < %t.cu
// RUN: %nvrtc %t.cu

// CHECK: tw::load<1>(src, {{.*}} * 64
tile.kernel @k(%src: !tile.tensor<64x64xf16, strides [1, 64]> {tile.name = "src"}, %dst: !tile.tensor<64x64xf16> {tile.name = "dst"})
    attributes {num_ranks = 1 : i64, grid = array<i64: 1>, threads = 64 : i64} {
  %a = tile.slice %src[0, 0] sizes [64, 64] : !tile.tensor<64x64xf16, strides [1, 64]> -> !tile.tile<64x64xf16>
  %b = tile.slice %dst[0, 0] sizes [64, 64] : !tile.tensor<64x64xf16> -> !tile.tile<64x64xf16>
  tile.copy %a to %b : !tile.tile<64x64xf16> -> !tile.tile<64x64xf16>
  tile.return
}
