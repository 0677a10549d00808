// Builtin variables print with their width and suggest their names.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // CHECK: %thread = cuda.thread_index : index
  %0 = cuda.thread_index : index
  // CHECK: %block = cuda.block_index : i32
  %1 = cuda.block_index : i32
  // CHECK: %num_blocks = cuda.num_blocks : i64
  %2 = cuda.num_blocks : i64
  // CHECK: %rank = cuda.rank : index
  %3 = cuda.rank : index
  cuda.return
}
