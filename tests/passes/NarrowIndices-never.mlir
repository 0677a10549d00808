// What stands in a loop that never runs is not looked at: the range analysis
// knows nothing of its counter.
// RUN: tilewire-opt %s --cuda-narrow-indices | FileCheck %s

// CHECK-LABEL: @never
cuda.kernel @never() attributes {num_ranks = 1 : i64, threads = 32 : i64, max_blocks = 1 : i64} {
  %rank = cuda.rank : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %end = arith.addi %rank, %c1 : index
  // CHECK: scf.for unsigned
  scf.for %i = %c1 to %end step %c1 {
    %last = arith.addi %i, %c5 : index
    // CHECK: scf.for unsigned
    scf.for %j = %c1 to %last step %c1 {
    }
  }
  cuda.return
}
