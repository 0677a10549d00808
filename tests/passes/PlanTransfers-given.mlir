// A plan that the program gives is kept, and may be narrower than it could be.
// RUN: tilewire-opt %s --tile-plan-transfers | FileCheck %s

// CHECK-LABEL: @kept(
// CHECK: plan <vector = 2, unroll = 32, order = source>
tile.kernel @kept(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [64] : !tile.tensor<64xf16> -> !tile.tile<64xf16>
  %to = tile.slice %dst[0] sizes [64] : !tile.tensor<64xf16> -> !tile.tile<64xf16>
  tile.copy %from to %to plan <vector = 2, unroll = 32, order = source> : !tile.tile<64xf16> -> !tile.tile<64xf16>
  tile.return
}
