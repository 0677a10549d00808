// A thread has in flight what it has to move, as a power of two up to 8; blocks
// of a move by the whole grid share it out first.
// RUN: tilewire-opt %s --tile-plan-transfers | FileCheck %s

// CHECK-LABEL: @one_each(
// CHECK: plan <vector = 8, unroll = 1, order = destination>
tile.kernel @one_each(%src: !tile.tensor<256xf16>, %dst: !tile.tensor<256xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [256] : !tile.tensor<256xf16> -> !tile.tile<256xf16>
  %to = tile.slice %dst[0] sizes [256] : !tile.tensor<256xf16> -> !tile.tile<256xf16>
  tile.copy %from to %to : !tile.tile<256xf16> -> !tile.tile<256xf16>
  tile.return
}

// CHECK-LABEL: @two_each(
// CHECK: plan <vector = 8, unroll = 2, order = destination>
tile.kernel @two_each(%src: !tile.tensor<512xf16>, %dst: !tile.tensor<512xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [512] : !tile.tensor<512xf16> -> !tile.tile<512xf16>
  %to = tile.slice %dst[0] sizes [512] : !tile.tensor<512xf16> -> !tile.tile<512xf16>
  tile.copy %from to %to : !tile.tile<512xf16> -> !tile.tile<512xf16>
  tile.return
}

// CHECK-LABEL: @three_each(
// CHECK: plan <vector = 8, unroll = 4, order = destination>
tile.kernel @three_each(%src: !tile.tensor<768xf16>, %dst: !tile.tensor<768xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [768] : !tile.tensor<768xf16> -> !tile.tile<768xf16>
  %to = tile.slice %dst[0] sizes [768] : !tile.tensor<768xf16> -> !tile.tile<768xf16>
  tile.copy %from to %to : !tile.tile<768xf16> -> !tile.tile<768xf16>
  tile.return
}

// CHECK-LABEL: @many_each(
// CHECK: plan <vector = 8, unroll = 8, order = destination>
tile.kernel @many_each(%src: !tile.tensor<65536xf16>, %dst: !tile.tensor<65536xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [65536] : !tile.tensor<65536xf16> -> !tile.tile<65536xf16>
  %to = tile.slice %dst[0] sizes [65536] : !tile.tensor<65536xf16> -> !tile.tile<65536xf16>
  tile.copy %from to %to : !tile.tile<65536xf16> -> !tile.tile<65536xf16>
  tile.return
}

// CHECK-LABEL: @none(
// CHECK: plan <vector = 8, unroll = 1, order = destination>
tile.kernel @none(%src: !tile.tensor<0xf16>, %dst: !tile.tensor<0xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [0] : !tile.tensor<0xf16> -> !tile.tile<0xf16>
  %to = tile.slice %dst[0] sizes [0] : !tile.tensor<0xf16> -> !tile.tile<0xf16>
  tile.copy %from to %to : !tile.tile<0xf16> -> !tile.tile<0xf16>
  tile.return
}

// Few vectors: every thread of 264 blocks has one at most. Many: up to 8.
// CHECK-LABEL: @few
// CHECK-SAME: threads = 512
// CHECK: plan <vector = 8, unroll = 1, order = destination>
tile.kernel @few(%src: !tile.tensor<4x512xf16>, %dst: !tile.tensor<1x2048xf16, symmetric>) attributes {num_ranks = 4 : i64} {
  tile.put_grid %peer {
    %from = tile.slice %src[%peer, 0] sizes [1, 512] : !tile.tensor<4x512xf16> -> !tile.tile<1x512xf16>
    %to = tile.slice %dst[0, 0] sizes [1, 512] : !tile.tensor<1x2048xf16, symmetric> -> !tile.tile<1x512xf16, symmetric>
    tile.yield %from to %to : !tile.tile<1x512xf16> -> !tile.tile<1x512xf16, symmetric>
  }
  tile.return
}

// CHECK-LABEL: @many
// CHECK-SAME: threads = 64
// CHECK: plan <vector = 8, unroll = 8, order = destination>
tile.kernel @many(%src: !tile.tensor<4x1048576xf16>, %dst: !tile.tensor<1x4194304xf16, symmetric>)
    attributes {num_ranks = 4 : i64, threads = 64 : i64} {
  tile.put_grid %peer {
    %from = tile.slice %src[%peer, 0] sizes [1, 1048576] : !tile.tensor<4x1048576xf16> -> !tile.tile<1x1048576xf16>
    %to = tile.slice %dst[0, 0] sizes [1, 1048576]
      : !tile.tensor<1x4194304xf16, symmetric> -> !tile.tile<1x1048576xf16, symmetric>
    tile.yield %from to %to : !tile.tile<1x1048576xf16> -> !tile.tile<1x1048576xf16, symmetric>
  }
  tile.return
}

// Between powers of two it is rounded up: 198 (of three), 264 and 165 blocks have
// work, one for each of an H200's 132 multiprocessors and more.
// CHECK-LABEL: @three_of_264
// CHECK-SAME: threads = 64
// CHECK: plan <vector = 8, unroll = 4, order = destination>
tile.kernel @three_of_264(%src: !tile.tensor<4x101376xf16>, %dst: !tile.tensor<1x405504xf16, symmetric>)
    attributes {num_ranks = 4 : i64, threads = 64 : i64} {
  tile.put_grid %peer {
    %from = tile.slice %src[%peer, 0] sizes [1, 101376] : !tile.tensor<4x101376xf16> -> !tile.tile<1x101376xf16>
    %to = tile.slice %dst[0, 0] sizes [1, 101376]
      : !tile.tensor<1x405504xf16, symmetric> -> !tile.tile<1x101376xf16, symmetric>
    tile.yield %from to %to : !tile.tile<1x101376xf16> -> !tile.tile<1x101376xf16, symmetric>
  }
  tile.return
}

// CHECK-LABEL: @four_of_264
// CHECK-SAME: threads = 64
// CHECK: plan <vector = 8, unroll = 4, order = destination>
tile.kernel @four_of_264(%src: !tile.tensor<4x135168xf16>, %dst: !tile.tensor<1x540672xf16, symmetric>)
    attributes {num_ranks = 4 : i64, threads = 64 : i64} {
  tile.put_grid %peer {
    %from = tile.slice %src[%peer, 0] sizes [1, 135168] : !tile.tensor<4x135168xf16> -> !tile.tile<1x135168xf16>
    %to = tile.slice %dst[0, 0] sizes [1, 135168]
      : !tile.tensor<1x540672xf16, symmetric> -> !tile.tile<1x135168xf16, symmetric>
    tile.yield %from to %to : !tile.tile<1x135168xf16> -> !tile.tile<1x135168xf16, symmetric>
  }
  tile.return
}

// CHECK-LABEL: @five_of_264
// CHECK-SAME: threads = 64
// CHECK: plan <vector = 8, unroll = 8, order = destination>
tile.kernel @five_of_264(%src: !tile.tensor<4x168960xf16>, %dst: !tile.tensor<1x675840xf16, symmetric>)
    attributes {num_ranks = 4 : i64, threads = 64 : i64} {
  tile.put_grid %peer {
    %from = tile.slice %src[%peer, 0] sizes [1, 168960] : !tile.tensor<4x168960xf16> -> !tile.tile<1x168960xf16>
    %to = tile.slice %dst[0, 0] sizes [1, 168960]
      : !tile.tensor<1x675840xf16, symmetric> -> !tile.tile<1x168960xf16, symmetric>
    tile.yield %from to %to : !tile.tile<1x168960xf16> -> !tile.tile<1x168960xf16, symmetric>
  }
  tile.return
}

// More than can be counted: a product beyond 2^64 is still many.
// CHECK-LABEL: @uncountable
// CHECK: plan <vector = 1, unroll = 8, order = destination>
tile.kernel @uncountable(%src: !tile.tensor<2305843009213693952x3xi8>,
    %dst: !tile.tensor<2305843009213693952x3xi8, symmetric>)
    attributes {num_ranks = 72 : i64, threads = 64 : i64} {
  tile.put_grid %peer {
    %from = tile.slice %src[0, 0] sizes [2305843009213693952, 1]
      : !tile.tensor<2305843009213693952x3xi8> -> !tile.tile<2305843009213693952x1xi8>
    %to = tile.slice %dst[0, 0] sizes [2305843009213693952, 1]
      : !tile.tensor<2305843009213693952x3xi8, symmetric> -> !tile.tile<2305843009213693952x1xi8, symmetric>
    tile.yield %from to %to
      : !tile.tile<2305843009213693952x1xi8> -> !tile.tile<2305843009213693952x1xi8, symmetric>
  }
  tile.return
}
