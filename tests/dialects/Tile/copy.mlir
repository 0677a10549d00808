// A copy prints its tiles and its plan.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
  %1 = tile.slice %dst[0, 0] sizes [2, 8]
    : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
  // CHECK: tile.copy %{{.*}} to %{{.*}} : <2x8xf16> -> <2x8xf16, symmetric>
  tile.copy %0 to %1 : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16, symmetric>
  // CHECK: tile.copy %{{.*}} to %{{.*}} plan <vector = 1, unroll = 1, order = destination>
  tile.copy %0 to %1 plan <vector = 1, unroll = 1, order = destination>
    : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16, symmetric>
  tile.return
}
