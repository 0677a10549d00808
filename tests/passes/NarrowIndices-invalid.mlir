// A signed loop that may have a negative bound is refused: counting unsigned, it
// would run on to 2^64. It may be asked for as an unsigned one.
// RUN: tilewire-opt %s --cuda-narrow-indices --verify-diagnostics --split-input-file

// An upper bound of -1 on rank 0.
cuda.kernel @k(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %0 = cuda.rank : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.subi %0, %c1 : index
  // expected-error-re@+1 {{expected an upper bound that is never negative (because indices are unsigned in the text), got one from -1 to 2, computed at {{.*}}invalid.mlir:11; count without a difference, as from j to i in place of 0 to i - j}}
  scf.for %i = %c0 to %end step %c1 {
    %p = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  cuda.return
}

// -----

// A lower bound of -5.
cuda.kernel @k(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %0 = cuda.rank : index
  %c-5 = arith.constant -5 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{expected a lower bound that is never negative (because indices are unsigned in the text), got one from -5 to -5, computed at}}
  scf.for %i = %c-5 to %0 step %c1 {
    %p = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  cuda.return
}

// -----

// No error: an unsigned loop.
cuda.kernel @k(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
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
cuda.kernel @k(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
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

// -----

// From 3 * 2^62 the last increment, past an end of 2^64 - 1, is to 2^64.
cuda.kernel @k(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %c0 = arith.constant 0 : index
  %end = arith.constant -1 : index
  %step = arith.constant 4611686018427387904 : index
  // expected-error@+1 {{expected a bound and a step whose sum less 1 fits 64 bits (because the counter would wrap and the loop not end), got up to 18446744073709551615 and 4611686018427387904}}
  scf.for unsigned %i = %c0 to %end step %step {
    %p = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  cuda.return
}

// -----

// The least that may wrap, of an end that is not known.
cuda.kernel @k(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %rank = cuda.rank : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %end = arith.subi %rank, %c1 : index
  // expected-error@+1 {{got up to 18446744073709551615 and 2}}
  scf.for unsigned %i = %c0 to %end step %c2 {
    %p = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  cuda.return
}

// -----

// A signed loop, of a step of -1.
cuda.kernel @k(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %step = arith.constant -1 : index
  // expected-error@+1 {{expected a positive step, got -1}}
  scf.for %i = %c0 to %c8 step %step {
    %p = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  cuda.return
}

// -----

// Counters of a width, whose own width wraps.
cuda.kernel @k()
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %c0 = arith.constant 0 : i32
  %end = arith.constant -1 : i32
  %step = arith.constant 2 : i32
  // expected-error@+1 {{expected a bound and a step whose sum less 1 fits 32 bits (because the counter would wrap and the loop not end), got up to 4294967295 and 2}}
  scf.for unsigned %i = %c0 to %end step %step : i32 {
    cuda.comment "once"
  }
  cuda.return
}

// -----

cuda.kernel @k()
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %rank = cuda.rank : i64
  %c0 = arith.constant 0 : i64
  %c8 = arith.constant 8 : i64
  // expected-error@+1 {{expected a step that is never 0}}
  scf.for unsigned %i = %c0 to %c8 step %rank : i64 {
    cuda.comment "once"
  }
  cuda.return
}

// -----

// No error: the last increments that fit, a loop that never runs, and one step.
cuda.kernel @k(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.constant -1 : index
  %half = arith.constant -9223372036854775808 : index
  scf.for unsigned %i = %c0 to %last step %c1 {
    %p = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  scf.for unsigned %i = %c0 to %half step %half {
    %p = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  scf.for unsigned %i = %c0 to %c0 step %last {
    %p = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  %n0 = arith.constant 0 : i32
  %n1 = arith.constant 1 : i32
  %end = arith.constant -1 : i32
  scf.for unsigned %i = %n0 to %end step %n1 : i32 {
    cuda.comment "once"
  }
  cuda.return
}
