// A put prints its tiles, its peer and its plan.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
  %1 = tile.slice %dst[0, 0] sizes [2, 8]
    : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
  %peer = tile.block_index 1
  // CHECK: tile.put_block %{{.*}} to %{{.*}} on %{{.*}} : <2x8xf16> -> <2x8xf16, symmetric>
  tile.put_block %0 to %1 on %peer : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16, symmetric>
  // CHECK: tile.put_block %{{.*}} to %{{.*}} on %{{.*}} plan <vector = 8, unroll = 4, order = source>
  tile.put_block %0 to %1 on %peer plan <vector = 8, unroll = 4, order = source>
    : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16, symmetric>
  tile.return
}
