// The vector is the widest, up to 16 bytes, that the element's width, the extent,
// the strides and the offset of both sides allow.
// RUN: tilewire-opt %s --tile-plan-transfers | FileCheck %s

// Element widths.

// CHECK-LABEL: @width_8(
// CHECK: plan <vector = 16, unroll = 1, order = destination>
tile.kernel @width_8(%src: !tile.tensor<64xi8>, %dst: !tile.tensor<64xi8>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [64] : !tile.tensor<64xi8> -> !tile.tile<64xi8>
  %to = tile.slice %dst[0] sizes [64] : !tile.tensor<64xi8> -> !tile.tile<64xi8>
  tile.copy %from to %to : !tile.tile<64xi8> -> !tile.tile<64xi8>
  tile.return
}

// CHECK-LABEL: @width_16(
// CHECK: plan <vector = 8, unroll = 1, order = destination>
tile.kernel @width_16(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [64] : !tile.tensor<64xf16> -> !tile.tile<64xf16>
  %to = tile.slice %dst[0] sizes [64] : !tile.tensor<64xf16> -> !tile.tile<64xf16>
  tile.copy %from to %to : !tile.tile<64xf16> -> !tile.tile<64xf16>
  tile.return
}

// CHECK-LABEL: @width_32(
// CHECK: plan <vector = 4, unroll = 1, order = destination>
tile.kernel @width_32(%src: !tile.tensor<64xf32>, %dst: !tile.tensor<64xf32>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [64] : !tile.tensor<64xf32> -> !tile.tile<64xf32>
  %to = tile.slice %dst[0] sizes [64] : !tile.tensor<64xf32> -> !tile.tile<64xf32>
  tile.copy %from to %to : !tile.tile<64xf32> -> !tile.tile<64xf32>
  tile.return
}

// CHECK-LABEL: @width_64(
// CHECK: plan <vector = 2, unroll = 1, order = destination>
tile.kernel @width_64(%src: !tile.tensor<64xf64>, %dst: !tile.tensor<64xf64>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [64] : !tile.tensor<64xf64> -> !tile.tile<64xf64>
  %to = tile.slice %dst[0] sizes [64] : !tile.tensor<64xf64> -> !tile.tile<64xf64>
  tile.copy %from to %to : !tile.tile<64xf64> -> !tile.tile<64xf64>
  tile.return
}

// Extents.

// CHECK-LABEL: @extent_1(
// CHECK: plan <vector = 1, unroll = 1, order = destination>
tile.kernel @extent_1(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [1] : !tile.tensor<64xf16> -> !tile.tile<1xf16>
  %to = tile.slice %dst[0] sizes [1] : !tile.tensor<64xf16> -> !tile.tile<1xf16>
  tile.copy %from to %to : !tile.tile<1xf16> -> !tile.tile<1xf16>
  tile.return
}

// CHECK-LABEL: @extent_2(
// CHECK: plan <vector = 2, unroll = 1, order = destination>
tile.kernel @extent_2(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [2] : !tile.tensor<64xf16> -> !tile.tile<2xf16>
  %to = tile.slice %dst[0] sizes [2] : !tile.tensor<64xf16> -> !tile.tile<2xf16>
  tile.copy %from to %to : !tile.tile<2xf16> -> !tile.tile<2xf16>
  tile.return
}

// CHECK-LABEL: @extent_3(
// CHECK: plan <vector = 1, unroll = 1, order = destination>
tile.kernel @extent_3(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [3] : !tile.tensor<64xf16> -> !tile.tile<3xf16>
  %to = tile.slice %dst[0] sizes [3] : !tile.tensor<64xf16> -> !tile.tile<3xf16>
  tile.copy %from to %to : !tile.tile<3xf16> -> !tile.tile<3xf16>
  tile.return
}

// CHECK-LABEL: @extent_12(
// CHECK: plan <vector = 4, unroll = 1, order = destination>
tile.kernel @extent_12(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [12] : !tile.tensor<64xf16> -> !tile.tile<12xf16>
  %to = tile.slice %dst[0] sizes [12] : !tile.tensor<64xf16> -> !tile.tile<12xf16>
  tile.copy %from to %to : !tile.tile<12xf16> -> !tile.tile<12xf16>
  tile.return
}

// CHECK-LABEL: @extent_20(
// CHECK: plan <vector = 4, unroll = 1, order = destination>
tile.kernel @extent_20(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [20] : !tile.tensor<64xf16> -> !tile.tile<20xf16>
  %to = tile.slice %dst[0] sizes [20] : !tile.tensor<64xf16> -> !tile.tile<20xf16>
  tile.copy %from to %to : !tile.tile<20xf16> -> !tile.tile<20xf16>
  tile.return
}

// CHECK-LABEL: @extent_24(
// CHECK: plan <vector = 8, unroll = 1, order = destination>
tile.kernel @extent_24(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [24] : !tile.tensor<64xf16> -> !tile.tile<24xf16>
  %to = tile.slice %dst[0] sizes [24] : !tile.tensor<64xf16> -> !tile.tile<24xf16>
  tile.copy %from to %to : !tile.tile<24xf16> -> !tile.tile<24xf16>
  tile.return
}

// Rows: their length is a stride.

// CHECK-LABEL: @row_of_6(
// CHECK: plan <vector = 2, unroll = 1, order = destination>
tile.kernel @row_of_6(%src: !tile.tensor<4x6xf16>, %dst: !tile.tensor<4x16xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0, 0] sizes [4, 4] : !tile.tensor<4x6xf16> -> !tile.tile<4x4xf16>
  %to = tile.slice %dst[0, 0] sizes [4, 4] : !tile.tensor<4x16xf16> -> !tile.tile<4x4xf16>
  tile.copy %from to %to : !tile.tile<4x4xf16> -> !tile.tile<4x4xf16>
  tile.return
}

// CHECK-LABEL: @row_of_8(
// CHECK: plan <vector = 4, unroll = 1, order = destination>
tile.kernel @row_of_8(%src: !tile.tensor<4x8xf16>, %dst: !tile.tensor<4x16xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0, 0] sizes [4, 4] : !tile.tensor<4x8xf16> -> !tile.tile<4x4xf16>
  %to = tile.slice %dst[0, 0] sizes [4, 4] : !tile.tensor<4x16xf16> -> !tile.tile<4x4xf16>
  tile.copy %from to %to : !tile.tile<4x4xf16> -> !tile.tile<4x4xf16>
  tile.return
}

// CHECK-LABEL: @row_of_12(
// CHECK: plan <vector = 4, unroll = 1, order = destination>
tile.kernel @row_of_12(%src: !tile.tensor<4x12xf16>, %dst: !tile.tensor<4x16xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0, 0] sizes [4, 4] : !tile.tensor<4x12xf16> -> !tile.tile<4x4xf16>
  %to = tile.slice %dst[0, 0] sizes [4, 4] : !tile.tensor<4x16xf16> -> !tile.tile<4x4xf16>
  tile.copy %from to %to : !tile.tile<4x4xf16> -> !tile.tile<4x4xf16>
  tile.return
}

// CHECK-LABEL: @row_of_15(
// CHECK: plan <vector = 1, unroll = 1, order = destination>
tile.kernel @row_of_15(%src: !tile.tensor<4x15xf16>, %dst: !tile.tensor<4x16xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0, 0] sizes [4, 8] : !tile.tensor<4x15xf16> -> !tile.tile<4x8xf16>
  %to = tile.slice %dst[0, 0] sizes [4, 8] : !tile.tensor<4x16xf16> -> !tile.tile<4x8xf16>
  tile.copy %from to %to : !tile.tile<4x8xf16> -> !tile.tile<4x8xf16>
  tile.return
}
