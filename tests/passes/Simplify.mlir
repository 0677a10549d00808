// What folds away or is equal to something else leaves its name to what stays,
// unless that has a name.
// RUN: tilewire-opt %s --tilewire-simplify --mlir-print-debuginfo --mlir-use-nameloc-as-prefix | FileCheck %s

// CHECK-LABEL: cuda.kernel @k
cuda.kernel @k(%dst: !cuda.ptr<32> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf32>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %t = cuda.thread_index : index
  // CHECK: %row = arith.remui
  // CHECK-NOT: arith.muli
  %0 = arith.remui %t, %c8 : index
  %1 = arith.muli %0, %c1 : index loc("row")
  // CHECK: %first = arith.divui
  // CHECK-NOT: arith.divui
  %2 = arith.divui %t, %c8 : index loc("first")
  %3 = arith.divui %t, %c8 : index loc("second")
  // CHECK: %sum = arith.addi %{{row|first}}, %{{row|first}}
  // CHECK-NOT: arith.addi
  %4 = arith.addi %1, %2 : index
  %5 = arith.addi %1, %3 : index loc("sum")
  // CHECK: cuda.load %dst[%sum]
  // CHECK: cuda.store %{{.*}}, %dst[%sum]
  %v = cuda.load %dst[%4] : !cuda.ptr<32>, index -> !cuda.vec<1, 32>
  cuda.store %v, %dst[%5] : !cuda.vec<1, 32>, !cuda.ptr<32>, index
  cuda.return
}
