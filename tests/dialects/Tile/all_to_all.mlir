// A collective prints its dimensions, its permutation, replicas and its plan.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

tile.kernel @k(%src: !tile.tensor<2x8x4xf16>, %dst: !tile.tensor<2x2x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // CHECK: tile.all_to_all %{{.*}} to %{{.*}} scatter 1 gather 2 permute [0, 1, 2] : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x2x16xf16, symmetric>
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2]
    : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x2x16xf16, symmetric>
  // CHECK: tile.all_to_all {{.*}} permute [0, 1, 2] plan <vector = 4, unroll = 1, order = source>
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2]
    plan <vector = 4, unroll = 1, order = source>
    : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x2x16xf16, symmetric>
  tile.return
}

// Of tiles.
tile.kernel @parts(%src: !tile.tensor<share(9)x3x8xf16>, %dst: !tile.tensor<8x9xf16, symmetric>) attributes {num_ranks = 1 : i64} {
  %c9 = arith.constant 9 : index
  %rank = tile.rank
  %size = tile.share_size %c9 on %rank
  %a = tile.slice %src[0, 2, 0] sizes [%size, 1, 8] permute [0, 2] : !tile.tensor<share(9)x3x8xf16> -> !tile.tile<?x8xf16>
  // CHECK: tile.all_to_all %{{.*}} to %{{.*}} scatter 1 gather 0 permute [1, 0] : !tile.tile<?x8xf16> -> !tile.tensor<8x9xf16, symmetric>
  tile.all_to_all %a to %dst scatter 1 gather 0 permute [1, 0] : !tile.tile<?x8xf16> -> !tile.tensor<8x9xf16, symmetric>
  tile.return
}

// Replicas of 1 go without saying.
tile.kernel @replicas(%src: !tile.tensor<2x2xshare(5)xf16>, %dst: !tile.tensor<2x1x5xf16, symmetric>,
                      %all: !tile.tensor<2x2x5xf16, symmetric>, %part: !tile.tensor<2xshare(2)x5xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // CHECK: tile.all_to_all {{.*}} permute [0, 1, 2] replicas 2 : !tile.tensor<2x2xshare(5)xf16> -> !tile.tensor<2x1x5xf16, symmetric>
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2] replicas 2
    : !tile.tensor<2x2xshare(5)xf16> -> !tile.tensor<2x1x5xf16, symmetric>
  // CHECK: tile.all_to_all {{.*}} permute [0, 1, 2] replicas 4 plan <vector = 1, unroll = 1, order = source>
  tile.all_to_all %src to %all scatter 1 gather 2 permute [0, 1, 2] replicas 4
    plan <vector = 1, unroll = 1, order = source>
    : !tile.tensor<2x2xshare(5)xf16> -> !tile.tensor<2x2x5xf16, symmetric>
  // CHECK: tile.all_to_all {{.*}} permute [0, 1, 2] : !tile.tensor<2x2xshare(5)xf16> -> !tile.tensor<2xshare(2)x5xf16, symmetric>
  tile.all_to_all %src to %part scatter 1 gather 2 permute [0, 1, 2] replicas 1
    : !tile.tensor<2x2xshare(5)xf16> -> !tile.tensor<2xshare(2)x5xf16, symmetric>
  tile.return
}
