// Builtin variables belong to a kernel, and are of an index's width.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// C1 of cuda.thread_index: a kernel of tiles.
tile.kernel @k() attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected a cuda.kernel around it}}
  %0 = cuda.thread_index : index
  tile.return
}

// -----

// C1 of cuda.block_index: a kernel of tiles.
tile.kernel @k() attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected a cuda.kernel around it}}
  %0 = cuda.block_index : index
  tile.return
}

// -----

// C1 of cuda.num_blocks: a kernel of tiles.
tile.kernel @k() attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected a cuda.kernel around it}}
  %0 = cuda.num_blocks : index
  tile.return
}

// -----

// C1 of cuda.rank: a kernel of tiles.
tile.kernel @k() attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected a cuda.kernel around it}}
  %0 = cuda.rank : index
  tile.return
}

// -----

cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{must be index, i32 or i64, but got 'i16'}}
  %0 = cuda.rank : i16
  cuda.return
}
