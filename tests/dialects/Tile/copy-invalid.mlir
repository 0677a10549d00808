// Each constraint of tile.copy is checked.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// C1: unequal shapes.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %2 = tile.slice %src[0, 0] sizes [1, 8] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xf16>
  %1 = tile.slice %dst[0, 0] sizes [2, 8]
    : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
  // expected-error@+1 {{expected source and destination of equal shape and element type, got '!tile.tile<1x8xf16>' and '!tile.tile<2x8xf16, symmetric>'}}
  tile.copy %2 to %1 : !tile.tile<1x8xf16> -> !tile.tile<2x8xf16, symmetric>
  tile.return
}

// -----

// C2: no grid.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
  %1 = tile.slice %dst[0, 0] sizes [2, 8]
    : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
  // expected-error@+1 {{expected a kernel with a grid around it}}
  tile.copy %0 to %1 : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16, symmetric>
  tile.return
}

// -----

// C3: a tile of each thread's own.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 4 : i64} {
  %thread = tile.thread_index
  %0 = tile.slice %src[%thread, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
  %1 = tile.slice %dst[0, 0] sizes [2, 8]
    : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
  // expected-error@+1 {{expected the same for all threads of the block (because they do it together), got what depends on the thread}}
  tile.copy %0 to %1 : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16, symmetric>
  tile.return
}
