// Syncs and checks print as they were read.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %block = cuda.block_index : index
  %c5 = arith.constant 5 : index
  %inside = arith.cmpi ult, %block, %c5 : index
  // CHECK: cuda.check 0, %{{.*}}, %{{.*}}, "a block below 5" : index
  cuda.check 0, %inside, %block, "a block below 5" : index
  // CHECK: cuda.sync
  cuda.sync
  cuda.return
}
