// A comment prints its text.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // CHECK: cuda.comment "src to dst, on every peer"
  cuda.comment "src to dst, on every peer"
  cuda.return
}
