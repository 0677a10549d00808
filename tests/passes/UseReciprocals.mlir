// Divisions that are marked, of 32 bits, whose dividend is below 2^31 become
// products with a reciprocal that is prepared before the loop; others stay.
// RUN: tilewire-opt %s --cuda-use-reciprocals | FileCheck %s

// CHECK-LABEL: cuda.kernel @k
// CHECK: %[[N:.*]] = cuda.parameter "N" : i32
// CHECK: %[[BY:.*]] = cuda.divisor %[[N]]
// CHECK: %[[T:.*]] = cuda.thread_index : i32
// CHECK: scf.for unsigned %[[I:.*]] =
// CHECK: cuda.quotient %[[T]], %{{.*}}
// CHECK: cuda.remainder %[[T]], %{{.*}}
// CHECK: arith.divui %[[T]], %[[N]] : i32
// CHECK: arith.divui %{{.*}}, %[[N]] : i32
// CHECK: arith.divui %{{.*}}, %{{.*}} : i64
// A divisor that the loop changes.
// CHECK: arith.divui %[[T]], %{{.*}} : i32
// A division outside of loops.
// CHECK: arith.divui %[[T]], %[[N]] : i32
cuda.kernel @k(%dst: !cuda.ptr<16> {tile.name = "dst",
    cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 64 : i64, max_blocks = 1 : i64,
                parameters = [#tile.parameter<"N", most = 4096>, #tile.parameter<"M", most = 4294967295>]} {
  %n = cuda.parameter "N" : i32
  %t = cuda.thread_index : i32
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  scf.for unsigned %i = %c0 to %c8 step %c1 : i32 {
    %q = arith.divui %t, %n {cuda.invariant} : i32
    %r = arith.remui %t, %n {cuda.invariant} : i32
    %user = arith.divui %t, %n : i32
    %m = cuda.parameter "M" : i32
    %far = arith.divui %m, %n {cuda.invariant} : i32
    %wide = arith.extui %m : i32 to i64
    %n64 = arith.extui %n : i32 to i64
    %wider = arith.divui %wide, %n64 {cuda.invariant} : i64
    %s = arith.addi %q, %r : i32
    %s2 = arith.addi %s, %user : i32
    %s3 = arith.addi %s2, %far : i32
    %s4 = arith.extui %s3 : i32 to i64
    %s5 = arith.addi %s4, %wider : i64
    cuda.check 0, %true, %s5, "x" : i64
    %own = arith.addi %i, %c8 : i32
    %changing = arith.divui %t, %own {cuda.invariant} : i32
    %own64 = arith.extui %changing : i32 to i64
    cuda.check 1, %true, %own64, "y" : i64
  }
  %outside = arith.divui %t, %n {cuda.invariant} : i32
  %outside64 = arith.extui %outside : i32 to i64
  cuda.check 2, %true, %outside64, "z" : i64
  cuda.return
}
