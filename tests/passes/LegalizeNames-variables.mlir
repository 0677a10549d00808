// A value that the user named is a variable of that name; one without is spelled
// where it is used, if once and there. A name is unlike all in its scope, and
// scopes side by side share names.
// RUN: tilewire-opt %s --cuda-legalize-names --mlir-print-debuginfo --mlir-use-nameloc-as-prefix | FileCheck %s

// CHECK-LABEL: cuda.kernel @k(%dst
cuda.kernel @k(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %r = cuda.rank : i32
  %c3 = arith.constant 3 : i32
  %t = cuda.thread_index : i32
  // CHECK: %peer = arith.addi
  %0 = arith.addi %r, %c3 : i32 loc("peer")
  // CHECK: %i = arith.muli
  %1 = arith.muli %0, %c3 : i32 loc("i")
  // CHECK: scf.for unsigned %i2 =
  scf.for unsigned %i = %t to %1 step %c3 : i32 {
    // CHECK: %i3 = arith.muli
    %2 = arith.muli %i, %0 : i32 loc("i")
    // CHECK: %remote = cuda.on_peer
    %p = cuda.on_peer %dst, %2 : !cuda.ptr<16>, i32
    // CHECK: %element = cuda.load
    %v = cuda.load %p[%2] : !cuda.ptr<16>, i32 -> !cuda.vec<1, 16>
    cuda.comment "a statement between a load and its use keeps the load's place"
    cuda.store %v, %p[%2] : !cuda.vec<1, 16>, !cuda.ptr<16>, i32
  }
  // CHECK: scf.for unsigned %i2 =
  scf.for unsigned %i = %t to %1 step %c3 : i32 {
    // CHECK: %index = arith.addi
    // CHECK: %[[INLINE:[0-9]+]] = arith.muli
    // CHECK: %element = cuda.load %dst[%[[INLINE]]]
    %2 = arith.addi %i, %0 : i32
    %3 = arith.muli %i, %0 : i32
    %v = cuda.load %dst[%3] : !cuda.ptr<16>, i32 -> !cuda.vec<1, 16>
    cuda.store %v, %dst[%2] : !cuda.vec<1, 16>, !cuda.ptr<16>, i32
    cuda.store %v, %dst[%2] : !cuda.vec<1, 16>, !cuda.ptr<16>, i32
  }
  cuda.return
}
