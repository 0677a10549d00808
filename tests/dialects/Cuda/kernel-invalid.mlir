// Each constraint of cuda.kernel is checked.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// C1: an argument that is no pointer.
// expected-error@+1 {{expected argument 0 to be a pointer with a tensor as attribute 'cuda.tensor', got 'index'}}
cuda.kernel @k(%n: index {cuda.tensor = !tile.tensor<4xf16>})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}

// -----

// C1: a pointer without its tensor.
// expected-error@+1 {{expected argument 0 to be a pointer with a tensor as attribute 'cuda.tensor', got '!cuda.ptr<16>'}}
cuda.kernel @k(%p: !cuda.ptr<16>)
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}

// -----

// C1: a tensor that is none.
// expected-error@+1 {{expected argument 0 to be a pointer with a tensor as attribute 'cuda.tensor', got '!cuda.ptr<16>'}}
cuda.kernel @k(%p: !cuda.ptr<16> {cuda.tensor = !tile.tile<4xf16>})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}

// -----

// C1: elements of another width.
// expected-error@+1 {{expected argument 0 to point to elements of 32 bits (because it is '!tile.tensor<4xf32>'), got '!cuda.ptr<16>'}}
cuda.kernel @k(%p: !cuda.ptr<16> {cuda.tensor = !tile.tensor<4xf32>})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}

// -----

// C1: a result.
// expected-error@+1 {{expected no results, got 1}}
cuda.kernel @k() -> index
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}

// -----

// C2: no ranks.
// expected-error@+1 {{expected 'num_ranks' from 1 to 72, got 0}}
cuda.kernel @k()
    attributes {num_ranks = 0 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}

// -----

// C2: too many threads.
// expected-error@+1 {{expected 'threads' from 1 to 1024, got 2048}}
cuda.kernel @k()
    attributes {num_ranks = 4 : i64, threads = 2048 : i64, max_blocks = 8 : i64} {
  cuda.return
}

// -----

// C2: no blocks.
// expected-error@+1 {{expected 'max_blocks' from 1 to 2147483647, got 0}}
cuda.kernel @k()
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 0 : i64} {
  cuda.return
}

// -----

// C3: a number left out.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.enter_all 0
  // expected-error@+1 {{expected wait number 1 (because waits are numbered in the order of the body), got 2}}
  cuda.leave_all 2
  cuda.return
}

// -----

// C3: a number beyond all waits.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{expected wait number 0 (because waits are numbered in the order of the body), got 4000000000}}
  cuda.barrier_all 4000000000
  cuda.return
}
