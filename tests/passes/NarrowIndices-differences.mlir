// Differences, and what is added to or multiplied with them, stay 64 bits wide
// however small they are: NVRTC 13.0 computes wrong addresses from narrow ones.
// What else comes of them is narrow.
// RUN: tilewire-opt %s --cuda-narrow-indices | FileCheck %s

// CHECK-LABEL: @differences
cuda.kernel @differences(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<4096xi16>},
    %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<4096xi16>, cuda.written})
    attributes {num_ranks = 1 : i64, threads = 32 : i64, max_blocks = 8 : i64} {
  %b = cuda.block_index : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %minus = arith.constant -2 : index
  // CHECK: arith.subi {{.*}} : i64
  %left = arith.subi %c17, %b : index
  // CHECK: arith.muli {{.*}} : i64
  %rows = arith.muli %left, %c16 : index
  // CHECK: arith.addi {{.*}} : i64
  %sum = arith.addi %rows, %b : index
  // CHECK: cuda.load {{.*}} i64
  %v = cuda.load %src[%sum] : !cuda.ptr<16>, index -> !cuda.vec<1, 16>
  // CHECK: arith.addi {{.*}} : i32
  %more = arith.addi %b, %c2 : index
  // CHECK: arith.addi {{.*}} : i64
  %less = arith.addi %more, %minus : index
  // CHECK: arith.remui {{.*}} : i32
  %rest = arith.remui %less, %c4 : index
  // CHECK: cuda.store {{.*}} i32
  cuda.store %v, %dst[%rest] : !cuda.vec<1, 16>, !cuda.ptr<16>, index
  cuda.return
}
