// A signed loop that may have a negative bound is refused: counting unsigned, it
// would run on to 2^64. It may be asked for as an unsigned one.
// RUN: tilewire-opt %s --cuda-narrow-indices --verify-diagnostics --split-input-file

// An upper bound of -1 on rank 0.
cuda.kernel @k(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = memref<64xf16, #tile.symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %0 = cuda.rank : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.subi %0, %c1 : index
  // expected-error@+1 {{expected bounds that are never negative (because indices are unsigned in the text), got one that may be}}
  scf.for %i = %c0 to %end step %c1 {
    %p = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  cuda.return
}

// -----

// A lower bound of -5.
cuda.kernel @k(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = memref<64xf16, #tile.symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %0 = cuda.rank : index
  %c-5 = arith.constant -5 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{expected bounds that are never negative (because indices are unsigned in the text), got one that may be}}
  scf.for %i = %c-5 to %0 step %c1 {
    %p = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  cuda.return
}

// -----

// No error: an unsigned loop.
cuda.kernel @k(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = memref<64xf16, #tile.symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %0 = cuda.rank : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.subi %0, %c1 : index
  scf.for unsigned %i = %c0 to %end step %c1 {
    %p = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  cuda.return
}

// -----

// A step that is 0 on rank 0: the loop would not end.
cuda.kernel @k(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = memref<64xf16, #tile.symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %step = cuda.rank : index
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{expected a step that is never 0 (because the loop would not end), got one that may be}}
  scf.for %i = %c0 to %c4 step %step {
    %p = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  cuda.return
}
