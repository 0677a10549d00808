// An all-to-all becomes one put by the whole grid: part `peer` of the scattered
// dimension goes to place `rank` of the gathered one; a plan given is kept.
// RUN: tilewire-opt %s --tile-expand-collectives | FileCheck %s

// CHECK-LABEL: tile.kernel @heads_to_sequence
// CHECK: %[[RANK:.*]] = tile.rank
// CHECK: tile.put_grid %[[PEER:.*]] {
// CHECK: %[[PART:.*]] = arith.constant 2 : index
// CHECK: %[[FIRST:.*]] = arith.muli %[[PEER]], %[[PART]] : index
// CHECK: %[[LENGTH:.*]] = arith.constant 16 : index
// CHECK: %[[PLACE:.*]] = arith.muli %[[RANK]], %[[LENGTH]] : index
// CHECK: tile.slice %src[0, %[[FIRST]], 0] sizes [2, 2, 16]
// CHECK: tile.transpose %{{.*}} [0, 1, 2]
// CHECK: tile.slice %dst[0, 0, %[[PLACE]]] sizes [2, 2, 16]
// CHECK: tile.yield
// CHECK-NOT: tile.all_to_all
tile.kernel @heads_to_sequence(%src: !tile.tensor<2x8x16xf16> {tile.name = "src"},
    %dst: !tile.tensor<2x2x64xf16, symmetric> {tile.name = "dst"}) attributes {num_ranks = 4 : i64} {
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2]
    : !tile.tensor<2x8x16xf16> -> !tile.tensor<2x2x64xf16, symmetric>
  tile.return
}

// CHECK-LABEL: tile.kernel @turned
// CHECK: tile.put_grid %{{.*}} plan <vector = 4, unroll = 2, order = source> {
// CHECK: tile.slice %src[0, 0, %{{.*}}] sizes [2, 16, 2]
// CHECK: tile.transpose %{{.*}} [2, 0, 1] : <2x16x2xf16> -> <2x2x16xf16>
// CHECK: tile.slice %dst[0, 0, %{{.*}}] sizes [2, 2, 16]
tile.kernel @turned(%src: !tile.tensor<2x16x8xf16> {tile.name = "src"},
    %dst: !tile.tensor<2x2x64xf16, symmetric> {tile.name = "dst"}) attributes {num_ranks = 4 : i64} {
  tile.all_to_all %src to %dst scatter 2 gather 1 permute [2, 0, 1]
    plan <vector = 4, unroll = 2, order = source>
    : !tile.tensor<2x16x8xf16> -> !tile.tensor<2x2x64xf16, symmetric>
  tile.return
}

// Parts of different sizes: the peer's of what is scattered, this rank's of what
// is gathered.
// CHECK-LABEL: tile.kernel @uneven
// CHECK: %[[RANK:.*]] = tile.rank
// CHECK: tile.put_grid %[[PEER:.*]] {
// CHECK: %[[HEADS:.*]] = arith.constant 7 : index
// CHECK-DAG: %[[HEAD:.*]] = tile.share_begin %[[HEADS]] on %[[PEER]]
// CHECK-DAG: %[[COUNT:.*]] = tile.share_size %[[HEADS]] on %[[PEER]]
// CHECK: %[[TOKENS:.*]] = arith.constant 57 : index
// CHECK-DAG: %[[TOKEN:.*]] = tile.share_begin %[[TOKENS]] on %[[RANK]]
// CHECK-DAG: %[[LENGTH:.*]] = tile.share_size %[[TOKENS]] on %[[RANK]]
// CHECK: tile.slice %src[0, 0, %[[HEAD]]] sizes [2, %[[LENGTH]], %[[COUNT]]]
// CHECK-SAME: -> <2x?x?xf16>
// CHECK: tile.transpose %{{.*}} [2, 0, 1] : <2x?x?xf16> -> <?x2x?xf16>
// CHECK: tile.slice %dst[0, 0, %[[TOKEN]]] sizes [%[[COUNT]], 2, %[[LENGTH]]]
tile.kernel @uneven(%src: !tile.tensor<2xshare(57)x7xf16> {tile.name = "src"},
    %dst: !tile.tensor<share(7)x2x57xf16, symmetric> {tile.name = "dst"}) attributes {num_ranks = 4 : i64} {
  tile.all_to_all %src to %dst scatter 2 gather 1 permute [2, 0, 1]
    : !tile.tensor<2xshare(57)x7xf16> -> !tile.tensor<share(7)x2x57xf16, symmetric>
  tile.return
}

// Nothing to scatter and nothing to gather: offsets are constants.
// CHECK-LABEL: tile.kernel @empty
// CHECK: tile.slice %src[0, 0] sizes [0, 0]
// CHECK: tile.slice %dst[0, 0] sizes [0, 0]
tile.kernel @empty(%src: !tile.tensor<0x0xf16> {tile.name = "src"},
    %dst: !tile.tensor<0x0xf16, symmetric> {tile.name = "dst"}) attributes {num_ranks = 4 : i64} {
  tile.all_to_all %src to %dst scatter 0 gather 1 permute [0, 1]
    : !tile.tensor<0x0xf16> -> !tile.tensor<0x0xf16, symmetric>
  tile.return
}

// Of tiles: slices of them, the destination's with what the peer has.
// CHECK-LABEL: tile.kernel @tiles
// CHECK: %[[MINE:.*]] = tile.share_size %{{.*}} on
// CHECK: %[[Q:.*]] = tile.slice %src[0, 1, 0] sizes [%[[MINE]], 1, 7] permute [0, 2]
// CHECK: tile.put_grid %[[PEER:.*]] {
// CHECK: %[[PART:.*]] = tile.slice %[[Q]][0, %{{.*}}] sizes
// CHECK: tile.transpose %[[PART]] [1, 0]
// CHECK: %[[PEERS:.*]] = tile.share_size %{{.*}} on %[[PEER]]
// CHECK: %[[OUT:.*]] = tile.slice %dst[0, 0, 2] sizes [%[[PEERS]], 57, 1] permute [0, 1]
// CHECK: tile.slice %[[OUT]][0, %{{.*}}] sizes
tile.kernel @tiles(%src: !tile.tensor<share(57)x3x7xf16> {tile.name = "src"},
    %dst: !tile.tensor<share(7)x57x4xf16, symmetric> {tile.name = "dst"}) attributes {num_ranks = 4 : i64} {
  %c7 = arith.constant 7 : index
  %c57 = arith.constant 57 : index
  %rank = tile.rank
  %tokens = tile.share_size %c57 on %rank
  %q = tile.slice %src[0, 1, 0] sizes [%tokens, 1, 7] permute [0, 2]
    : !tile.tensor<share(57)x3x7xf16> -> !tile.tile<?x7xf16>
  %heads = tile.share_size %c7 on %rank
  %out = tile.slice %dst[0, 0, 2] sizes [%heads, 57, 1] permute [0, 1]
    : !tile.tensor<share(7)x57x4xf16, symmetric> -> !tile.tile<?x57xf16, symmetric>
  tile.all_to_all %q to %out scatter 1 gather 0 permute [1, 0]
    : !tile.tile<?x7xf16> -> !tile.tile<?x57xf16, symmetric>
  tile.return
}

// Ranks 2 * p and 2 * p + 1 both get part p.
// CHECK-LABEL: tile.kernel @replicas
// CHECK: tile.put_grid %[[PEER:.*]] {
// CHECK: %[[RANKS:.*]] = arith.constant 2 : index
// CHECK: %[[PART:.*]] = arith.divui %[[PEER]], %[[RANKS]] : index
// CHECK: %[[COUNT:.*]] = arith.constant 3 : index
// CHECK: %[[FIRST:.*]] = arith.muli %[[PART]], %[[COUNT]] : index
// CHECK: tile.slice %src[0, %[[FIRST]], 0] sizes [2, 3, 16]
// CHECK: tile.slice %dst[0, 0, %{{.*}}] sizes [2, 3, 16]
tile.kernel @replicas(%src: !tile.tensor<2x6x16xf16> {tile.name = "src"},
    %dst: !tile.tensor<2x3x64xf16, symmetric> {tile.name = "dst"}) attributes {num_ranks = 4 : i64} {
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2] replicas 2
    : !tile.tensor<2x6x16xf16> -> !tile.tensor<2x3x64xf16, symmetric>
  tile.return
}

// All get all.
// CHECK-LABEL: tile.kernel @everything
// CHECK: tile.slice %src[0, 0, 0] sizes [2, 6, 16]
// CHECK: tile.slice %dst[0, 0, %{{.*}}] sizes [2, 6, 16]
tile.kernel @everything(%src: !tile.tensor<2x6x16xf16> {tile.name = "src"},
    %dst: !tile.tensor<2x6x64xf16, symmetric> {tile.name = "dst"}) attributes {num_ranks = 4 : i64} {
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2] replicas 4
    : !tile.tensor<2x6x16xf16> -> !tile.tensor<2x6x64xf16, symmetric>
  tile.return
}
