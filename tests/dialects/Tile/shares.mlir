// What a rank owns of a total prints as it was read, with names to match.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @k
tile.kernel @k() attributes {num_ranks = 4 : i64, grid = array<i64: 4>, threads = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c30 = arith.constant 30 : index
  %peer = tile.block_index 0
  // CHECK: %size = tile.share_size %{{.*}} on %block
  %0 = tile.share_size %c30 on %peer
  // CHECK: %begin = tile.share_begin %{{.*}} on %block
  %1 = tile.share_begin %c30 on %peer
  // A total may be nothing, and it may be computed.
  // CHECK: tile.share_size %c0 on %block
  %2 = tile.share_size %c0 on %peer
  // CHECK: tile.share_begin %size on %c0
  %3 = tile.share_begin %0 on %c0
  tile.return
}
