// Sixteen rows that lie far from each other: 64 bits reach all of them.
// RUN: tilewire-emit %s > %t.cu && FileCheck %s < %t.cu
// RUN: %nvrtc %t.cu

// CHECK: const size_t [[INDEX:.*]] = size_t(d0) * 600000000 + size_t(d1);
// CHECK: tw::load<8>(src, [[INDEX]])
tile.kernel @k(%src: !tile.tensor<16x64xf16, strides [600000000, 1]> {tile.name = "src"}, %dst: !tile.tensor<16x64xf16> {tile.name = "dst"})
    attributes {num_ranks = 1 : i64, grid = array<i64: 1>, threads = 128 : i64} {
  %a = tile.slice %src[0, 0] sizes [16, 64] : !tile.tensor<16x64xf16, strides [600000000, 1]> -> !tile.tile<16x64xf16>
  %b = tile.slice %dst[0, 0] sizes [16, 64] : !tile.tensor<16x64xf16> -> !tile.tile<16x64xf16>
  tile.copy %a to %b : !tile.tile<16x64xf16> -> !tile.tile<16x64xf16>
  tile.return
}
