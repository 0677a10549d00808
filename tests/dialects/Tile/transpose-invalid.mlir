// Each constraint of tile.transpose is checked.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// C1: a dimension twice.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
  // expected-error@+1 {{expected a permutation of 2 dimensions (because the tile is '!tile.tile<2x8xf16>'), got [0, 0]}}
  %2 = tile.transpose %0 [0, 0] : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16>
  tile.return
}

// -----

// C1: a dimension too many.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
  // expected-error@+1 {{expected a permutation of 2 dimensions (because the tile is '!tile.tile<2x8xf16>'), got [0, 1, 2]}}
  %2 = tile.transpose %0 [0, 1, 2] : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16>
  tile.return
}

// -----

// The result is the permuted tile.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{inferred type(s) '!tile.tile<8x2xf16>' are incompatible with return type(s) of operation '!tile.tile<2x8xf16>'}}
  %2 = tile.transpose %0 [1, 0] : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16>
  tile.return
}
