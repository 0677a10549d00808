// A wait stands directly in a kernel, between entering and leaving.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %true = arith.constant true
  scf.if %true {
    // expected-error@+1 {{'cuda.enter_all' op expects parent op 'cuda.kernel'}}
    cuda.enter_all 0
  }
  cuda.return
}

// -----

cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %true = arith.constant true
  scf.if %true {
    // expected-error@+1 {{'cuda.leave_all' op expects parent op 'cuda.kernel'}}
    cuda.leave_all 0
  }
  cuda.return
}

// -----

// cuda.kernel C4: leaving before entering.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{'cuda.leave_all' op expected to be the last wait of the kernel, got it before 'cuda.enter_all'}}
  cuda.leave_all 0
  cuda.enter_all 1
  cuda.return
}

// -----

// cuda.kernel C4: entering twice.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.enter_all 0
  // expected-error@+1 {{'cuda.enter_all' op expected to be the first wait of the kernel, got it after 'cuda.enter_all'}}
  cuda.enter_all 1
  cuda.leave_all 2
  cuda.return
}

// -----

// cuda.kernel C4: leaving twice.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.enter_all 0
  // expected-error@+1 {{'cuda.leave_all' op expected to be the last wait of the kernel, got it before 'cuda.leave_all'}}
  cuda.leave_all 1
  cuda.leave_all 2
  cuda.return
}

// -----

// cuda.kernel C4: a barrier before entering.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.barrier_all 0
  // expected-error@+1 {{'cuda.enter_all' op expected to be the first wait of the kernel, got it after 'cuda.barrier_all'}}
  cuda.enter_all 1
  cuda.leave_all 2
  cuda.return
}

// -----

// cuda.kernel C4: a barrier after leaving.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.enter_all 0
  // expected-error@+1 {{'cuda.leave_all' op expected to be the last wait of the kernel, got it before 'cuda.barrier_all'}}
  cuda.leave_all 1
  cuda.barrier_all 2
  cuda.return
}

// -----

// cuda.kernel C4: entering without leaving.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{expected a 'cuda.leave_all' at the end of the kernel, got none}}
  cuda.enter_all 0
  cuda.barrier_all 1
  cuda.return
}

// -----

// cuda.kernel C4: leaving without entering.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.barrier_all 0
  // expected-error@+1 {{expected a 'cuda.enter_all' at the start of the kernel, got none}}
  cuda.leave_all 1
  cuda.return
}
