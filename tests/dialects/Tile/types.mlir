// Every element type that DataType names can be moved.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

tile.kernel @elements(%a0: !tile.tensor<4xf16>,
    %a1: !tile.tensor<4xbf16>,
    %a2: !tile.tensor<4xf32>,
    %a3: !tile.tensor<4xf64>,
    %a4: !tile.tensor<4xf8E4M3FN>,
    %a5: !tile.tensor<4xf8E5M2>,
    %a6: !tile.tensor<4xi8>,
    %a7: !tile.tensor<4xui8>,
    %a8: !tile.tensor<4xi16>,
    %a9: !tile.tensor<4xi32>,
    %a10: !tile.tensor<4xi64>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // CHECK: <2xf16>
  %0 = tile.slice %a0[0] sizes [2] : !tile.tensor<4xf16> -> !tile.tile<2xf16>
  // CHECK: <2xbf16>
  %1 = tile.slice %a1[0] sizes [2] : !tile.tensor<4xbf16> -> !tile.tile<2xbf16>
  // CHECK: <2xf32>
  %2 = tile.slice %a2[0] sizes [2] : !tile.tensor<4xf32> -> !tile.tile<2xf32>
  // CHECK: <2xf64>
  %3 = tile.slice %a3[0] sizes [2] : !tile.tensor<4xf64> -> !tile.tile<2xf64>
  // CHECK: <2xf8E4M3FN>
  %4 = tile.slice %a4[0] sizes [2] : !tile.tensor<4xf8E4M3FN> -> !tile.tile<2xf8E4M3FN>
  // CHECK: <2xf8E5M2>
  %5 = tile.slice %a5[0] sizes [2] : !tile.tensor<4xf8E5M2> -> !tile.tile<2xf8E5M2>
  // CHECK: <2xi8>
  %6 = tile.slice %a6[0] sizes [2] : !tile.tensor<4xi8> -> !tile.tile<2xi8>
  // CHECK: <2xui8>
  %7 = tile.slice %a7[0] sizes [2] : !tile.tensor<4xui8> -> !tile.tile<2xui8>
  // CHECK: <2xi16>
  %8 = tile.slice %a8[0] sizes [2] : !tile.tensor<4xi16> -> !tile.tile<2xi16>
  // CHECK: <2xi32>
  %9 = tile.slice %a9[0] sizes [2] : !tile.tensor<4xi32> -> !tile.tile<2xi32>
  // CHECK: <2xi64>
  %10 = tile.slice %a10[0] sizes [2] : !tile.tensor<4xi64> -> !tile.tile<2xi64>
  tile.return
}

// Strides print before the space; what a stride of one index is does not matter.
// CHECK: tile.kernel @strides(%{{.*}}: !tile.tensor<4x8xf16, strides [16, 1]>,
// CHECK-SAME: %{{.*}}: !tile.tensor<4x1x8xf16, strides [1, 0, 4], symmetric>,
// CHECK-SAME: %{{.*}}: !tile.tensor<0xshare(9)xf16, strides [0, 3]>)
tile.kernel @strides(%a: !tile.tensor<4x8xf16, strides [16, 1]>,
    %b: !tile.tensor<4x1x8xf16, strides [1, 0, 4], symmetric>,
    %c: !tile.tensor<0xshare(9)xf16, strides [0, 3]>)
    attributes {num_ranks = 2 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %rank = tile.rank
  %from = tile.slice %a[0, 0] sizes [4, 8] : !tile.tensor<4x8xf16, strides [16, 1]> -> !tile.tile<4x8xf16>
  %to = tile.slice %b[0, 0, 0] sizes [4, 1, 8] permute [0, 2]
    : !tile.tensor<4x1x8xf16, strides [1, 0, 4], symmetric> -> !tile.tile<4x8xf16, symmetric>
  tile.put_block %from to %to on %rank : !tile.tile<4x8xf16> -> !tile.tile<4x8xf16, symmetric>
  tile.return
}
