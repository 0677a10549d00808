// Four rows that lie far from each other: 32 bits reach all of them.
// RUN: tilewire-emit %s > %t.cu && FileCheck %s < %t.cu
// RUN: %nvrtc %t.cu

// CHECK: const unsigned [[INDEX:.*]] = d0 * 600000000 + d1;
// CHECK: tw::load<8>(src, [[INDEX]])
tile.kernel @k(%src: !tile.tensor<4x64xf16, strides [600000000, 1]> {tile.name = "src"}, %dst: !tile.tensor<4x64xf16> {tile.name = "dst"})
    attributes {num_ranks = 1 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %a = tile.slice %src[0, 0] sizes [4, 64] : !tile.tensor<4x64xf16, strides [600000000, 1]> -> !tile.tile<4x64xf16>
  %b = tile.slice %dst[0, 0] sizes [4, 64] : !tile.tensor<4x64xf16> -> !tile.tile<4x64xf16>
  tile.copy %a to %b : !tile.tile<4x64xf16> -> !tile.tile<4x64xf16>
  tile.return
}
