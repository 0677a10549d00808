// An offset or a peer that turns out to be a constant out of range is refused.
// RUN: tilewire-opt %s --tilewire-simplify --verify-diagnostics --split-input-file

tile.kernel @k(%src: !tile.tensor<8xf16>, %dst: !tile.tensor<8xf16>)
    attributes {num_ranks = 1 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : index
  %block = tile.block_index 0
  %zero = arith.muli %block, %c0 : index
  %far = arith.addi %zero, %c100 : index
  // expected-error@+1 {{expected offset 0 from 0 to 7 (because 1 elements of 8 are taken), got 100}}
  %from = tile.slice %src[%far] sizes [1] : !tile.tensor<8xf16> -> !tile.tile<1xf16>
  %to = tile.slice %dst[%block] sizes [1] : !tile.tensor<8xf16> -> !tile.tile<1xf16>
  tile.copy %from to %to : !tile.tile<1xf16> -> !tile.tile<1xf16>
  tile.return
}

// -----

// The number that means a computed offset.
tile.kernel @k(%src: !tile.tensor<8xf16>, %dst: !tile.tensor<8xf16>)
    attributes {num_ranks = 1 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %least = arith.constant -9223372036854775808 : index
  %block = tile.block_index 0
  %zero = arith.subi %block, %block : index
  %far = arith.addi %zero, %least : index
  %from = tile.slice %src[%block] sizes [1] : !tile.tensor<8xf16> -> !tile.tile<1xf16>
  // expected-error@+1 {{expected offset 0 from 0 to 7 (because 1 elements of 8 are taken), got -9223372036854775808}}
  %to = tile.slice %dst[%far] sizes [1] : !tile.tensor<8xf16> -> !tile.tile<1xf16>
  tile.copy %from to %to : !tile.tile<1xf16> -> !tile.tile<1xf16>
  tile.return
}

// -----

// In a loop that runs.
tile.kernel @k(%src: !tile.tensor<8xf16>, %dst: !tile.tensor<8xf16>)
    attributes {num_ranks = 1 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c1 = arith.constant 1 : index
  %block = tile.block_index 0
  scf.for %i = %c8 to %c9 step %c1 {
    // expected-error@+1 {{expected offset 0 from 0 to 7 (because 1 elements of 8 are taken), got 8}}
    %from = tile.slice %src[%i] sizes [1] : !tile.tensor<8xf16> -> !tile.tile<1xf16>
    %to = tile.slice %dst[%block] sizes [1] : !tile.tensor<8xf16> -> !tile.tile<1xf16>
    tile.copy %from to %to : !tile.tile<1xf16> -> !tile.tile<1xf16>
  }
  tile.return
}

// -----

tile.kernel @k(%src: !tile.tensor<8xf16>, %dst: !tile.tensor<8xf16, symmetric>)
    attributes {num_ranks = 2 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %block = tile.block_index 0
  %zero = arith.muli %block, %c0 : index
  %far = arith.addi %zero, %c2 : index
  %from = tile.slice %src[%block] sizes [1] : !tile.tensor<8xf16> -> !tile.tile<1xf16>
  %to = tile.slice %dst[%block] sizes [1] : !tile.tensor<8xf16, symmetric> -> !tile.tile<1xf16, symmetric>
  // expected-error@+1 {{expected a peer from 0 to 1 (because the kernel has 2 ranks), got 2}}
  tile.put_block %from to %to on %far : !tile.tile<1xf16> -> !tile.tile<1xf16, symmetric>
  tile.return
}
