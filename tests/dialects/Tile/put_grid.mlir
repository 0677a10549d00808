// A grid-wide put prints its region and plan, and is never dead code.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s
// RUN: tilewire-opt %s --canonicalize | FileCheck %s

// CHECK: tile.put_grid %[[PEER:.*]] {
// CHECK: tile.slice %{{.*}}[%[[PEER]], 0]
// CHECK: tile.yield %{{.*}} to %{{.*}} : <2x8xf16> -> <2x8xf16, symmetric>
// CHECK: tile.put_grid %{{.*}} plan <vector = 8, unroll = 2, order = destination> {
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  tile.put_grid %peer {
    %0 = tile.slice %src[%peer, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
    %1 = tile.slice %dst[0, 0] sizes [2, 8]
      : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
    tile.yield %0 to %1 : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16, symmetric>
  }
  tile.put_grid %peer plan <vector = 8, unroll = 2, order = destination> {
    %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
    %1 = tile.slice %dst[0, 0] sizes [2, 8]
      : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
    tile.yield %0 to %1 : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16, symmetric>
  }
  tile.return
}
