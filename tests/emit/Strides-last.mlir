// No vectors where elements do not lie side by side.
// RUN: tilewire-emit %s > %t.cu && FileCheck %s < %t.cu
// RUN: %nvrtc %t.cu

// CHECK: const unsigned threadOffset = threadIdx.x * 2;
// CHECK: tw::load<1>(src, threadOffset)
tile.kernel @k(%src: !tile.tensor<64xf16, strides [2]> {tile.name = "src"}, %dst: !tile.tensor<64xf16> {tile.name = "dst"})
    attributes {num_ranks = 1 : i64, grid = array<i64: 1>, threads = 64 : i64} {
  %a = tile.slice %src[0] sizes [64] : !tile.tensor<64xf16, strides [2]> -> !tile.tile<64xf16>
  %b = tile.slice %dst[0] sizes [64] : !tile.tensor<64xf16> -> !tile.tile<64xf16>
  tile.copy %a to %b : !tile.tile<64xf16> -> !tile.tile<64xf16>
  tile.return
}
