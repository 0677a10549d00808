// A view's offsets are those of its strides, and so is the width of its vectors.
// RUN: tilewire-emit %s > %t.cu && FileCheck %s < %t.cu
// RUN: %nvrtc %t.cu

// Rows with padding: as wide as the padding allows.
// CHECK: //   src  [4, 64] of 16 bits, strides [100, 1]
// CHECK: const unsigned [[INDEX:.*]] = d0 * 100 + d1;
// CHECK: tw::load<4>(src, [[INDEX]])
tile.kernel @k(%src: !tile.tensor<4x64xf16, strides [100, 1]> {tile.name = "src"}, %dst: !tile.tensor<4x64xf16> {tile.name = "dst"})
    attributes {num_ranks = 1 : i64, grid = array<i64: 1>, threads = 64 : i64} {
  %a = tile.slice %src[0, 0] sizes [4, 64] : !tile.tensor<4x64xf16, strides [100, 1]> -> !tile.tile<4x64xf16>
  %b = tile.slice %dst[0, 0] sizes [4, 64] : !tile.tensor<4x64xf16> -> !tile.tile<4x64xf16>
  tile.copy %a to %b : !tile.tile<4x64xf16> -> !tile.tile<4x64xf16>
  tile.return
}
