// An integer division by a constant zero is refused in kernels of both dialects,
// also where a constant shows only after folding.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file --tilewire-simplify

tile.kernel @k() attributes {num_ranks = 2 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %rank = tile.rank
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'arith.divui' op expected a divisor other than 0, got 0}}
  %0 = arith.divui %rank, %c0 : index
  tile.return
}

// -----

tile.kernel @k() attributes {num_ranks = 2 : i64} {
  %rank = tile.rank
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'arith.remsi' op expected a divisor other than 0, got 0}}
  %0 = arith.remsi %rank, %c0 : index
  tile.return
}

// -----

cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %rank = cuda.rank : i32
  %c0 = arith.constant 0 : i32
  // expected-error@+1 {{'arith.remui' op expected a divisor other than 0, got 0}}
  %0 = arith.remui %rank, %c0 : i32
  cuda.return
}

// -----

cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %rank = cuda.rank : i64
  %c0 = arith.constant 0 : i64
  // expected-error@+1 {{'arith.floordivsi' op expected a divisor other than 0, got 0}}
  %0 = arith.floordivsi %rank, %c0 : i64
  cuda.return
}

// -----

tile.kernel @k(%src: !tile.tensor<4xf16>, %dst: !tile.tensor<4xf16>)
    attributes {num_ranks = 1 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %block = tile.block_index 0
  %ranks = tile.num_ranks
  %c1 = arith.constant 1 : index
  %others = arith.subi %ranks, %c1 : index
  // expected-error@+1 {{'arith.divui' op expected a divisor other than 0, got 0}}
  %0 = arith.divui %block, %others : index
  %from = tile.slice %src[%0] sizes [1] : !tile.tensor<4xf16> -> !tile.tile<1xf16>
  %to = tile.slice %dst[%0] sizes [1] : !tile.tensor<4xf16> -> !tile.tile<1xf16>
  tile.copy %from to %to : !tile.tile<1xf16> -> !tile.tile<1xf16>
  tile.return
}
