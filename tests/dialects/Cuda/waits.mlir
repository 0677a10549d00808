// The three waits print their numbers.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // CHECK: cuda.enter_all 0
  cuda.enter_all 0
  // CHECK: cuda.barrier_all 1
  cuda.barrier_all 1
  // CHECK: cuda.leave_all 2
  cuda.leave_all 2
  cuda.return
}
