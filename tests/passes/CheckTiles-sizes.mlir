// Sizes that are computed, and extents that ranks differ in: what is proved of
// shares costs nothing, and each slice keeps a bound of its sizes.
// RUN: tilewire-opt %s --tile-check-tiles | FileCheck %s

// A share's begin and its size are at most the total, whoever's it is, and a
// share of a tensor's extent is all that its rank has.
// CHECK-LABEL: @shares
// CHECK-NOT: tile.check
// CHECK: tile.slice %{{.*}}[0, %begin, 0] sizes [1, %size, 64] most [1, 8, 64]
// CHECK-NOT: tile.check
// CHECK: tile.slice %{{.*}}[%rank, 0, 0] sizes [1, %size, 64] most [1, 8, 64]
// CHECK-NEXT: tile.put_block
tile.kernel @shares(%a: !tile.tensor<1x30x64xf16>, %b: !tile.tensor<4xshare(30)x64xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 4>, threads = 32 : i64} {
  %c30 = arith.constant 30 : index
  %peer = tile.block_index 0
  %rank = tile.rank
  %begin = tile.share_begin %c30 on %peer
  %size = tile.share_size %c30 on %peer
  %from = tile.slice %a[0, %begin, 0] sizes [1, %size, 64] : !tile.tensor<1x30x64xf16> -> !tile.tile<1x?x64xf16>
  %to = tile.slice %b[%rank, 0, 0] sizes [1, %size, 64] : !tile.tensor<4xshare(30)x64xf16, symmetric> -> !tile.tile<1x?x64xf16, symmetric>
  tile.put_block %from to %to on %peer : !tile.tile<1x?x64xf16> -> !tile.tile<1x?x64xf16, symmetric>
  tile.return
}

// On every peer, as an all-to-all does.
// CHECK-LABEL: @all_peers
// CHECK-NOT: tile.check
// CHECK: sizes [%{{.*}}, %{{.*}}] most [8, 15]
// CHECK-NOT: tile.check
// CHECK: sizes [%{{.*}}, %{{.*}}] most [8, 15]
// CHECK-NEXT: tile.yield
tile.kernel @all_peers(%a: !tile.tensor<30xshare(57)xf16>, %b: !tile.tensor<share(30)x57xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  %rank = tile.rank
  tile.put_grid %peer {
    %c30 = arith.constant 30 : index
    %c57 = arith.constant 57 : index
    %head = tile.share_begin %c30 on %peer
    %heads = tile.share_size %c30 on %peer
    %token = tile.share_begin %c57 on %rank
    %tokens = tile.share_size %c57 on %rank
    %from = tile.slice %a[%head, 0] sizes [%heads, %tokens] : !tile.tensor<30xshare(57)xf16> -> !tile.tile<?x?xf16>
    %to = tile.slice %b[0, %token] sizes [%heads, %tokens] : !tile.tensor<share(30)x57xf16, symmetric> -> !tile.tile<?x?xf16, symmetric>
    tile.yield %from to %to : !tile.tile<?x?xf16> -> !tile.tile<?x?xf16, symmetric>
  }
  tile.return
}

// What is left of a number, from a counter on, and the counter itself.
// CHECK-LABEL: @rest
// CHECK-NOT: tile.check
// CHECK: sizes [%{{.*}}, %{{.*}}] most [8, 7]
// CHECK: sizes [%{{.*}}, %{{.*}}] most [8, 7]
// CHECK-NOT: tile.check
// CHECK: tile.copy
tile.kernel @rest(%a: !tile.tensor<8x64xf16>, %b: !tile.tensor<8x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %rest = arith.subi %c8, %i : index
    %from = tile.slice %a[%i, 0] sizes [%rest, %i] : !tile.tensor<8x64xf16> -> !tile.tile<?x?xf16>
    %to = tile.slice %b[%i, 0] sizes [%rest, %i] : !tile.tensor<8x64xf16> -> !tile.tile<?x?xf16>
    tile.copy %from to %to : !tile.tile<?x?xf16> -> !tile.tile<?x?xf16>
  }
  tile.return
}

// Of a constant size of a share it depends on the peer, and of this rank's share
// at another rank too.
// CHECK-LABEL: @peers
// CHECK: %[[C30:.*]] = arith.constant 30 : index
// CHECK: %[[EXTENT:.*]] = tile.share_size %[[C30]] on %block
// CHECK: %[[INSIDE:.*]] = arith.cmpi ule, %{{.*}}, %[[EXTENT]] : index
// CHECK: tile.check %[[INSIDE]], %{{.*}}, "size 0 of a tile of 'b' from 0 to the rank's extent"
// CHECK: tile.put_block
tile.kernel @peers(%a: !tile.tensor<8x64xf16>, %b: !tile.tensor<share(30)x64xf16, symmetric> {tile.name = "b"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 4>, threads = 32 : i64} {
  %peer = tile.block_index 0
  %from = tile.slice %a[0, 0] sizes [8, 64] : !tile.tensor<8x64xf16> -> !tile.tile<8x64xf16>
  %to = tile.slice %b[0, 0] sizes [8, 64] : !tile.tensor<share(30)x64xf16, symmetric> -> !tile.tile<8x64xf16, symmetric>
  tile.put_block %from to %to on %peer : !tile.tile<8x64xf16> -> !tile.tile<8x64xf16, symmetric>
  tile.return
}

// Sizes of which nothing says that they are equal.
// CHECK-LABEL: @unlike
// CHECK: %[[EQUAL:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// CHECK: tile.check %[[EQUAL]], %{{.*}}, "source and destination of equal sizes along dimension 0, by the source's"
// CHECK-NOT: tile.check
// CHECK: tile.copy
tile.kernel @unlike(%a: !tile.tensor<8x64xf16>, %b: !tile.tensor<8x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %c5 = arith.constant 5 : index
  %block = tile.block_index 0
  %size = arith.remui %block, %c5 : index
  %from = tile.slice %a[0, 0] sizes [%size, 64] : !tile.tensor<8x64xf16> -> !tile.tile<?x64xf16>
  %to = tile.slice %b[0, 0] sizes [%block, 64] : !tile.tensor<8x64xf16> -> !tile.tile<?x64xf16>
  tile.copy %from to %to : !tile.tile<?x64xf16> -> !tile.tile<?x64xf16>
  tile.return
}

// Whether what a share is asked of is a rank.
// CHECK-LABEL: @of_a_rank
// CHECK: %[[RANK:.*]] = arith.remui
// CHECK: %[[IS_RANK:.*]] = arith.cmpi ule, %[[RANK]], %{{.*}} : index
// CHECK-NEXT: tile.check %[[IS_RANK]], %[[RANK]], "a rank from 0 to 3"
// CHECK-NEXT: tile.share_begin %{{.*}} on %[[RANK]]
// CHECK-NOT: tile.check
// CHECK: tile.copy
tile.kernel @of_a_rank(%a: !tile.tensor<31x64xf16>, %b: !tile.tensor<8x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %c5 = arith.constant 5 : index
  %c30 = arith.constant 30 : index
  %block = tile.block_index 0
  %rank = arith.remui %block, %c5 : index
  %begin = tile.share_begin %c30 on %rank
  %from = tile.slice %a[%begin, 0] sizes [1, 64] : !tile.tensor<31x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %b[0, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
  tile.copy %from to %to : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16>
  tile.return
}
