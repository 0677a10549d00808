// A slice prints its offsets, constant or not, its sizes and its permutation.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %b = tile.block_index 0
  // CHECK: tile.slice %{{.*}}[%{{.*}}, 4] sizes [1, 8] : !tile.tensor<8x16xf16> -> <1x8xf16>
  %0 = tile.slice %src[%b, 4] sizes [1, 8] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xf16>
  // CHECK: tile.slice %{{.*}}[0, 0] sizes [2, 8] permute [1, 0] : !tile.tensor<8x16xf16, symmetric> -> <8x2xf16, symmetric>
  %1 = tile.slice %dst[0, 0] sizes [2, 8] permute [1, 0]
    : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<8x2xf16, symmetric>
  // An empty slice may start at the end.
  // CHECK: tile.slice %{{.*}}[8, 16] sizes [0, 0] : !tile.tensor<8x16xf16> -> <0x0xf16>
  %2 = tile.slice %src[8, 16] sizes [0, 0] : !tile.tensor<8x16xf16> -> !tile.tile<0x0xf16>
  // Sizes may be computed, and bounded once more is known of them.
  // CHECK: tile.slice %{{.*}}[%{{.*}}, 0] sizes [1, %{{.*}}] : !tile.tensor<8x16xf16> -> <1x?xf16>
  %3 = tile.slice %src[%b, 0] sizes [1, %b] : !tile.tensor<8x16xf16> -> !tile.tile<1x?xf16>
  // CHECK: tile.slice %{{.*}}[0, %{{.*}}] sizes [%{{.*}}, 8] most [7, 8] permute [1, 0] : !tile.tensor<8x16xf16, symmetric> -> <8x?xf16, symmetric>
  %4 = tile.slice %dst[0, %b] sizes [%b, 8] most [7, 8] permute [1, 0]
    : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<8x?xf16, symmetric>
  // Without a dimension of one element, and without any.
  // CHECK: %[[ROW:.*]] = tile.slice %{{.*}}[%{{.*}}, 0] sizes [1, 16] permute [1] : !tile.tensor<8x16xf16> -> <16xf16>
  %5 = tile.slice %src[%b, 0] sizes [1, 16] permute [1] : !tile.tensor<8x16xf16> -> !tile.tile<16xf16>
  // CHECK: tile.slice %{{.*}}[0, 0] sizes [1, 1] permute [] : !tile.tensor<8x16xf16> -> <f16>
  %6 = tile.slice %src[0, 0] sizes [1, 1] permute [] : !tile.tensor<8x16xf16> -> !tile.tile<f16>
  // CHECK: tile.slice %[[ROW]][2] sizes [%{{.*}}] : !tile.tile<16xf16> -> <?xf16>
  %7 = tile.slice %5[2] sizes [%b] : !tile.tile<16xf16> -> !tile.tile<?xf16>
  tile.return
}

// Of a share a slice takes up to what the rank has that has the most.
tile.kernel @share(%src: !tile.tensor<8xshare(9)xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // CHECK: tile.slice %{{.*}}[0, 0] sizes [8, 3] : !tile.tensor<8xshare(9)xf16> -> <8x3xf16>
  %0 = tile.slice %src[0, 0] sizes [8, 3] : !tile.tensor<8xshare(9)xf16> -> !tile.tile<8x3xf16>
  tile.return
}
