// What the passes before leave undone is refused.
// RUN: tilewire-opt %s --lower-tile-to-cuda --verify-diagnostics --split-input-file

tile.kernel @k(%src: !tile.tensor<64x64xf16> {tile.name = "src"},
    %dst: !tile.tensor<64x64xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %peer = tile.rank
  %from = tile.slice %src[0, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %dst[0, 0] sizes [1, 64]
    : !tile.tensor<64x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  // expected-error@+1 {{expected a plan; plan transfers first}}
  tile.put_block %from to %to on %peer
    : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
  tile.return
}

// -----

tile.kernel @k(%src: !tile.tensor<64x64xf16> {tile.name = "src"},
    %dst: !tile.tensor<64x64xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %peer = tile.rank
  %from = tile.slice %src[0, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %dst[0, 0] sizes [1, 64]
    : !tile.tensor<64x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  // expected-error@+1 {{can't be lowered to cuda; run the passes before this one}}
  %turned = tile.transpose %from [0, 1] : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16>
  tile.put_block %turned to %to on %peer plan <vector = 8, unroll = 1, order = destination>
    : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
  tile.return
}

// -----

// A plan that nothing checked: more than 16 bytes, and more than the offset has.
tile.kernel @k(%src: !tile.tensor<64xf32>, %dst: !tile.tensor<64xf32>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [64] : !tile.tensor<64xf32> -> !tile.tile<64xf32>
  %to = tile.slice %dst[0] sizes [64] : !tile.tensor<64xf32> -> !tile.tile<64xf32>
  // expected-error@+1 {{expected a plan with a vector of at most 4 elements (because of extents, strides and offsets), got 8}}
  tile.copy %from to %to plan <vector = 8, unroll = 1, order = destination> : !tile.tile<64xf32> -> !tile.tile<64xf32>
  tile.return
}

// -----

tile.kernel @k(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16, symmetric>)
    attributes {num_ranks = 4 : i64, threads = 32 : i64} {
  // expected-error@+1 {{expected a plan with a vector of at most 2 elements (because of extents, strides and offsets), got 8}}
  tile.put_grid %peer plan <vector = 8, unroll = 1, order = destination> {
    %from = tile.slice %src[2] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
    %to = tile.slice %dst[0] sizes [32]
      : !tile.tensor<64xf16, symmetric> -> !tile.tile<32xf16, symmetric>
    tile.yield %from to %to : !tile.tile<32xf16> -> !tile.tile<32xf16, symmetric>
  }
  tile.return
}

// -----

tile.kernel @k(%src: !tile.tensor<8x4xf16>, %dst: !tile.tensor<2x16xf16, symmetric>) attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{can't be lowered to cuda; run the passes before this one}}
  tile.all_to_all %src to %dst scatter 0 gather 1 permute [0, 1]
    : !tile.tensor<8x4xf16> -> !tile.tensor<2x16xf16, symmetric>
  tile.return
}

// -----

// More chunks than the loop over them counts.
tile.kernel @k(%src: !tile.tensor<2305843009213693952x3xi8> {tile.name = "src"},
    %dst: !tile.tensor<2305843009213693952x3xi8, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 72 : i64, threads = 1 : i64} {
  // expected-error@+1 {{expected fewer than 2^63 chunks of work in all, got 2305843009213693952 for each of 72 ranks; give the kernel more threads}}
  tile.put_grid %peer plan <vector = 1, unroll = 1, order = destination> {
    %from = tile.slice %src[0, 0] sizes [2305843009213693952, 1]
      : !tile.tensor<2305843009213693952x3xi8> -> !tile.tile<2305843009213693952x1xi8>
    %to = tile.slice %dst[0, 0] sizes [2305843009213693952, 1]
      : !tile.tensor<2305843009213693952x3xi8, symmetric> -> !tile.tile<2305843009213693952x1xi8, symmetric>
    tile.yield %from to %to
      : !tile.tile<2305843009213693952x1xi8> -> !tile.tile<2305843009213693952x1xi8, symmetric>
  }
  tile.return
}
