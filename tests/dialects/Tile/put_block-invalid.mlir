// Each constraint of tile.put_block is checked.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// C1: unequal shapes.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %2 = tile.slice %src[0, 0] sizes [1, 8] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xf16>
  %1 = tile.slice %dst[0, 0] sizes [2, 8]
    : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
  %p = arith.constant 0 : index
  // expected-error@+1 {{expected source and destination of equal shape and element type, got '!tile.tile<1x8xf16>' and '!tile.tile<2x8xf16, symmetric>'}}
  tile.put_block %2 to %1 on %p : !tile.tile<1x8xf16> -> !tile.tile<2x8xf16, symmetric>
  tile.return
}

// -----

// C1: unequal element types.
tile.kernel @k(%src: !tile.tensor<8x16xbf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xbf16> -> !tile.tile<2x8xbf16>
  %1 = tile.slice %dst[0, 0] sizes [2, 8]
    : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
  %p = arith.constant 0 : index
  // expected-error@+1 {{expected source and destination of equal shape and element type, got '!tile.tile<2x8xbf16>' and '!tile.tile<2x8xf16, symmetric>'}}
  tile.put_block %0 to %1 on %p : !tile.tile<2x8xbf16> -> !tile.tile<2x8xf16, symmetric>
  tile.return
}

// -----

// C2: a destination that peers do not have.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
  %p = arith.constant 0 : index
  // expected-error@+1 {{expected a symmetric destination (because a peer is written to), got '!tile.tile<2x8xf16>'; make its tensor with symmetricTensor}}
  tile.put_block %0 to %0 on %p : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16>
  tile.return
}

// -----

// C3: a peer beyond the ranks.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
  %1 = tile.slice %dst[0, 0] sizes [2, 8]
    : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
  %p = arith.constant 4 : index
  // expected-error@+1 {{expected a peer from 0 to 3 (because the kernel has 4 ranks), got 4}}
  tile.put_block %0 to %1 on %p : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16, symmetric>
  tile.return
}

// -----

// C3: a negative peer.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
  %1 = tile.slice %dst[0, 0] sizes [2, 8]
    : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
  %p = arith.constant -1 : index
  // expected-error@+1 {{expected a peer from 0 to 3 (because the kernel has 4 ranks), got -1}}
  tile.put_block %0 to %1 on %p : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16, symmetric>
  tile.return
}

// -----

// C4: no grid.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
  %1 = tile.slice %dst[0, 0] sizes [2, 8]
    : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
  %p = arith.constant 0 : index
  // expected-error@+1 {{expected a kernel with a grid around it}}
  tile.put_block %0 to %1 on %p : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16, symmetric>
  tile.return
}

// -----

// C5: a peer of each thread's own.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
  %1 = tile.slice %dst[0, 0] sizes [2, 8]
    : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
  %thread = tile.thread_index
  %c4 = arith.constant 4 : index
  %p = arith.remui %thread, %c4 : index
  // expected-error@+1 {{expected the same for all threads of the block (because they do it together), got what depends on the thread}}
  tile.put_block %0 to %1 on %p : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16, symmetric>
  tile.return
}

// -----

// C5: a loop that each thread goes round another number of times.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
  %1 = tile.slice %dst[0, 0] sizes [2, 8]
    : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
  %thread = tile.thread_index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %thread step %c1 {
    // expected-error@+1 {{expected the same for all threads of the block (because they do it together), got what depends on the thread}}
    tile.put_block %0 to %1 on %c0 : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16, symmetric>
  }
  tile.return
}
