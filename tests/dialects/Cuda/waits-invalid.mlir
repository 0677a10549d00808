// A wait stands directly in a kernel.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = memref<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = memref<64xf16, #tile.symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %true = arith.constant true
  scf.if %true {
    // expected-error@+1 {{'cuda.enter_all' op expects parent op 'cuda.kernel'}}
    cuda.enter_all 0
  }
  cuda.return
}

// -----

cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = memref<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = memref<64xf16, #tile.symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %true = arith.constant true
  scf.if %true {
    // expected-error@+1 {{'cuda.leave_all' op expects parent op 'cuda.kernel'}}
    cuda.leave_all 0
  }
  cuda.return
}
