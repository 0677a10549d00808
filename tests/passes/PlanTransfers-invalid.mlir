// A given vector that extents, strides or offsets do not allow is refused.
// RUN: tilewire-opt %s --tile-plan-transfers --verify-diagnostics --split-input-file

// The extent.
tile.kernel @extent(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [12] : !tile.tensor<64xf16> -> !tile.tile<12xf16>
  %to = tile.slice %dst[0] sizes [12] : !tile.tensor<64xf16> -> !tile.tile<12xf16>
  // expected-error@+1 {{expected a plan with a vector of at most 4 elements (because of extents, strides and offsets), got 8}}
  tile.copy %from to %to plan <vector = 8, unroll = 1, order = destination> : !tile.tile<12xf16> -> !tile.tile<12xf16>
  tile.return
}

// -----

// The offset.
tile.kernel @offset(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[2] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
  %to = tile.slice %dst[0] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
  // expected-error@+1 {{expected a plan with a vector of at most 2 elements (because of extents, strides and offsets), got 8}}
  tile.copy %from to %to plan <vector = 8, unroll = 1, order = destination> : !tile.tile<32xf16> -> !tile.tile<32xf16>
  tile.return
}

// -----

// 16 bytes.
tile.kernel @bytes(%src: !tile.tensor<64xf32>, %dst: !tile.tensor<64xf32>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [64] : !tile.tensor<64xf32> -> !tile.tile<64xf32>
  %to = tile.slice %dst[0] sizes [64] : !tile.tensor<64xf32> -> !tile.tile<64xf32>
  // expected-error@+1 {{expected a plan with a vector of at most 4 elements (because of extents, strides and offsets), got 8}}
  tile.copy %from to %to plan <vector = 8, unroll = 1, order = destination> : !tile.tile<64xf32> -> !tile.tile<64xf32>
  tile.return
}

// -----

// Transposes that are not folded.
tile.kernel @turned(%src: !tile.tensor<4x4xf16>, %dst: !tile.tensor<4x4xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0, 0] sizes [4, 4] : !tile.tensor<4x4xf16> -> !tile.tile<4x4xf16>
  %to = tile.slice %dst[0, 0] sizes [4, 4] : !tile.tensor<4x4xf16> -> !tile.tile<4x4xf16>
  %turned = tile.transpose %from [1, 0] : !tile.tile<4x4xf16> -> !tile.tile<4x4xf16>
  // expected-error@+1 {{expected tiles that are slices of tensors; fold views first}}
  tile.copy %turned to %to : !tile.tile<4x4xf16> -> !tile.tile<4x4xf16>
  tile.return
}
