// A multiple of something that has a name is called its offset; a condition says
// what it is for.
// RUN: tilewire-opt %s --cuda-legalize-names --mlir-print-debuginfo --mlir-use-nameloc-as-prefix | FileCheck %s

// CHECK-LABEL: cuda.kernel @k
cuda.kernel @k(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %r = cuda.rank : i32
  %t = cuda.thread_index : i32
  %c8 = arith.constant 8 : i32
  // CHECK: %inBounds = arith.cmpi
  %in = arith.cmpi ult, %t, %c8 : i32
  // CHECK: %row = arith.addi
  %row = arith.addi %t, %r : i32 loc("row")
  // CHECK: %rowOffset = arith.muli %row
  // CHECK: %rankOffset = arith.muli
  // CHECK: %threadOffset = arith.muli
  // CHECK: %index = arith.muli %row, %row
  // CHECK: %rowOffset2 = arith.muli %row
  %0 = arith.muli %row, %c8 : i32
  %1 = arith.muli %r, %c8 : i32
  %2 = arith.muli %t, %c8 : i32
  %3 = arith.muli %row, %row : i32
  %c4 = arith.constant 4 : i32
  %4 = arith.muli %row, %c4 : i32
  scf.if %in {
    %v = cuda.load %dst[%0] : !cuda.ptr<16>, i32 -> !cuda.vec<1, 16>
    cuda.store %v, %dst[%0] : !cuda.vec<1, 16>, !cuda.ptr<16>, i32
    cuda.store %v, %dst[%1] : !cuda.vec<1, 16>, !cuda.ptr<16>, i32
    cuda.store %v, %dst[%2] : !cuda.vec<1, 16>, !cuda.ptr<16>, i32
    cuda.store %v, %dst[%3] : !cuda.vec<1, 16>, !cuda.ptr<16>, i32
    cuda.store %v, %dst[%4] : !cuda.vec<1, 16>, !cuda.ptr<16>, i32
  }
  scf.if %in {
    cuda.comment "the condition is used again"
  }
  cuda.return
}
