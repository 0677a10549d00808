// Of an offset known at run time only, the planner knows what divides it.
// RUN: tilewire-opt %s --tile-plan-transfers | FileCheck %s

// CHECK-LABEL: @unknown(
// CHECK: plan <vector = 1, unroll = 2, order = destination>
tile.kernel @unknown(%src: !tile.tensor<1024xf16>, %dst: !tile.tensor<1024xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %b = tile.block_index 0
  %from = tile.slice %src[%b] sizes [64] : !tile.tensor<1024xf16> -> !tile.tile<64xf16>
  %to = tile.slice %dst[0] sizes [64] : !tile.tensor<1024xf16> -> !tile.tile<64xf16>
  tile.copy %from to %to : !tile.tile<64xf16> -> !tile.tile<64xf16>
  tile.return
}

// CHECK-LABEL: @multiple_of_4(
// CHECK: plan <vector = 4, unroll = 1, order = destination>
tile.kernel @multiple_of_4(%src: !tile.tensor<1024xf16>, %dst: !tile.tensor<1024xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %b = tile.block_index 0
  %c4 = arith.constant 4 : index
  %o = arith.muli %b, %c4 : index
  %from = tile.slice %src[%o] sizes [64] : !tile.tensor<1024xf16> -> !tile.tile<64xf16>
  %to = tile.slice %dst[0] sizes [64] : !tile.tensor<1024xf16> -> !tile.tile<64xf16>
  tile.copy %from to %to : !tile.tile<64xf16> -> !tile.tile<64xf16>
  tile.return
}

// CHECK-LABEL: @multiple_of_12(
// CHECK: plan <vector = 4, unroll = 1, order = destination>
tile.kernel @multiple_of_12(%src: !tile.tensor<1024xf16>, %dst: !tile.tensor<1024xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %b = tile.block_index 0
  %c12 = arith.constant 12 : index
  %o = arith.muli %b, %c12 : index
  %from = tile.slice %src[%o] sizes [64] : !tile.tensor<1024xf16> -> !tile.tile<64xf16>
  %to = tile.slice %dst[0] sizes [64] : !tile.tensor<1024xf16> -> !tile.tile<64xf16>
  tile.copy %from to %to : !tile.tile<64xf16> -> !tile.tile<64xf16>
  tile.return
}

// CHECK-LABEL: @multiple_of_2_times_4(
// CHECK: plan <vector = 8, unroll = 1, order = destination>
tile.kernel @multiple_of_2_times_4(%src: !tile.tensor<1024xf16>, %dst: !tile.tensor<1024xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %b = tile.block_index 0
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %p = arith.muli %b, %c2 : index
  %o = arith.muli %p, %c4 : index
  %from = tile.slice %src[%o] sizes [64] : !tile.tensor<1024xf16> -> !tile.tile<64xf16>
  %to = tile.slice %dst[0] sizes [64] : !tile.tensor<1024xf16> -> !tile.tile<64xf16>
  tile.copy %from to %to : !tile.tile<64xf16> -> !tile.tile<64xf16>
  tile.return
}

// CHECK-LABEL: @sum(
// CHECK: plan <vector = 2, unroll = 1, order = destination>
tile.kernel @sum(%src: !tile.tensor<1024xf16>, %dst: !tile.tensor<1024xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %b = tile.block_index 0
  %c8 = arith.constant 8 : index
  %c2 = arith.constant 2 : index
  %p = arith.muli %b, %c8 : index
  %o = arith.addi %p, %c2 : index
  %from = tile.slice %src[%o] sizes [64] : !tile.tensor<1024xf16> -> !tile.tile<64xf16>
  %to = tile.slice %dst[0] sizes [64] : !tile.tensor<1024xf16> -> !tile.tile<64xf16>
  tile.copy %from to %to : !tile.tile<64xf16> -> !tile.tile<64xf16>
  tile.return
}

// CHECK-LABEL: @difference(
// CHECK: plan <vector = 4, unroll = 1, order = destination>
tile.kernel @difference(%src: !tile.tensor<1024xf16>, %dst: !tile.tensor<1024xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %b = tile.block_index 0
  %c8 = arith.constant 8 : index
  %c4 = arith.constant 4 : index
  %p = arith.muli %b, %c8 : index
  %o = arith.subi %p, %c4 : index
  %from = tile.slice %src[%o] sizes [64] : !tile.tensor<1024xf16> -> !tile.tile<64xf16>
  %to = tile.slice %dst[0] sizes [64] : !tile.tensor<1024xf16> -> !tile.tile<64xf16>
  tile.copy %from to %to : !tile.tile<64xf16> -> !tile.tile<64xf16>
  tile.return
}

// The quotient of a multiple is not one.
// CHECK-LABEL: @quotient(
// CHECK: plan <vector = 1, unroll = 2, order = destination>
tile.kernel @quotient(%src: !tile.tensor<1024xf16>, %dst: !tile.tensor<1024xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %b = tile.block_index 0
  %c8 = arith.constant 8 : index
  %c2 = arith.constant 2 : index
  %p = arith.muli %b, %c8 : index
  %o = arith.divui %p, %c2 : index
  %from = tile.slice %src[%o] sizes [64] : !tile.tensor<1024xf16> -> !tile.tile<64xf16>
  %to = tile.slice %dst[0] sizes [64] : !tile.tensor<1024xf16> -> !tile.tile<64xf16>
  tile.copy %from to %to : !tile.tile<64xf16> -> !tile.tile<64xf16>
  tile.return
}

// Odd factors wrap, powers of two divide on.
// CHECK-LABEL: @wraps(
// CHECK: plan <vector = 1, unroll = 2, order = destination>
tile.kernel @wraps(%src: !tile.tensor<1024xf16>, %dst: !tile.tensor<1024xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %b = tile.block_index 0
  %big = arith.constant 6148914691236517205 : index
  %o = arith.muli %b, %big : index
  %from = tile.slice %src[%o] sizes [64] : !tile.tensor<1024xf16> -> !tile.tile<64xf16>
  %to = tile.slice %dst[0] sizes [64] : !tile.tensor<1024xf16> -> !tile.tile<64xf16>
  tile.copy %from to %to : !tile.tile<64xf16> -> !tile.tile<64xf16>
  tile.return
}

// Whole rows are as even as a row is long.
// CHECK-LABEL: @rows(
// CHECK: plan <vector = 8, unroll = 1, order = destination>
tile.kernel @rows(%src: !tile.tensor<64x24xf16>, %dst: !tile.tensor<64x24xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %b = tile.block_index 0
  %from = tile.slice %src[%b, 0] sizes [1, 24] : !tile.tensor<64x24xf16> -> !tile.tile<1x24xf16>
  %to = tile.slice %dst[0, 0] sizes [1, 24] : !tile.tensor<64x24xf16> -> !tile.tile<1x24xf16>
  tile.copy %from to %to : !tile.tile<1x24xf16> -> !tile.tile<1x24xf16>
  tile.return
}
