// An index takes 32 bits where a range analysis proves that it and all that it is
// computed from fit, and 64 elsewhere; a cast stands where the width changes.
// RUN: tilewire-opt %s --cuda-narrow-indices --split-input-file | FileCheck %s

// Builtin variables are narrow; so is what fits 2^32 - 1: 65535 * 65537.
// CHECK-LABEL: @product_below
// CHECK: %[[BLOCK:.*]] = cuda.block_index : i32
// CHECK: arith.muli %[[BLOCK]], %{{.*}} : i32
cuda.kernel @product_below(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %0 = cuda.block_index : index
  %c = arith.constant 65537 : index
  %1 = arith.muli %0, %c : index
  %p1 = cuda.on_peer %dst, %1 : !cuda.ptr<16>, index
  cuda.return
}

// -----

// 65535 * 65538 does not.
// CHECK-LABEL: @product_above
// CHECK: %[[BLOCK:.*]] = cuda.block_index : i32
// CHECK: %[[WIDE:.*]] = arith.extui %[[BLOCK]] : i32 to i64
// CHECK: arith.muli %[[WIDE]], %{{.*}} : i64
cuda.kernel @product_above(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %0 = cuda.block_index : index
  %c = arith.constant 65538 : index
  %1 = arith.muli %0, %c : index
  %p1 = cuda.on_peer %dst, %1 : !cuda.ptr<16>, index
  cuda.return
}

// -----

// rank - 1 wraps on rank 0, so it is wide; the remainder is narrow again.
// CHECK-LABEL: @previous_rank
// CHECK: %[[WIDE:.*]] = arith.extui %{{.*}} : i32 to i64
// CHECK: %[[BEFORE:.*]] = arith.subi %[[WIDE]], %{{.*}} : i64
// CHECK: %[[PEER:.*]] = arith.remui %[[BEFORE]], %{{.*}} : i64
// CHECK: %[[CUT:.*]] = arith.trunci %[[PEER]] : i64 to i32
// CHECK: cuda.on_peer %dst, %[[CUT]] : <16>, i32
cuda.kernel @previous_rank(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %0 = cuda.rank : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %1 = arith.subi %0, %c1 : index
  %2 = arith.remui %1, %c4 : index
  %p2 = cuda.on_peer %dst, %2 : !cuda.ptr<16>, index
  cuda.return
}

// -----

// rank - 1 + 4 ranks never wraps as a whole, but its first step does.
// CHECK-LABEL: @previous_rank_plus_ranks
// CHECK: arith.subi %{{.*}} : i64
// CHECK: arith.addi %{{.*}} : i64
cuda.kernel @previous_rank_plus_ranks(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %0 = cuda.rank : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %1 = arith.subi %0, %c1 : index
  %2 = arith.addi %1, %c4 : index
  %3 = arith.remui %2, %c4 : index
  %p3 = cuda.on_peer %dst, %3 : !cuda.ptr<16>, index
  cuda.return
}

// -----

// What was cut is not widened again but taken as it was.
// CHECK-LABEL: @cut_and_wide
// CHECK: %[[WIDE:.*]] = arith.remui %{{.*}} : i64
// CHECK-NOT: arith.extui %{{.*}}
// CHECK: arith.muli %[[WIDE]], %{{.*}} : i64
cuda.kernel @cut_and_wide(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %0 = cuda.rank : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %big = arith.constant 4294967296 : index
  %1 = arith.subi %0, %c1 : index
  %2 = arith.remui %1, %c4 : index
  %3 = arith.muli %2, %big : index
  %p3 = cuda.on_peer %dst, %3 : !cuda.ptr<16>, index
  cuda.return
}

// -----

// A shift by 32 or more is defined at 64 bits only.
// CHECK-LABEL: @shifts
// CHECK: arith.shrui %{{.*}} : i64
// CHECK: arith.shrui %{{.*}} : i32
cuda.kernel @shifts(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %0 = cuda.thread_index : index
  %1 = arith.shrui %0, %0 : index
  %c31 = arith.constant 31 : index
  %2 = arith.shrui %0, %c31 : index
  %p1 = cuda.on_peer %dst, %1 : !cuda.ptr<16>, index
  %p2 = cuda.on_peer %dst, %2 : !cuda.ptr<16>, index
  cuda.return
}

// -----

// A comparison is as wide as its wider side.
// CHECK-LABEL: @comparisons
// CHECK: arith.cmpi ult, %{{.*}} : i32
// CHECK: arith.cmpi ult, %{{.*}} : i64
cuda.kernel @comparisons(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %0 = cuda.rank : index
  %c5 = arith.constant 5 : index
  %big = arith.constant 4294967296 : index
  %1 = arith.cmpi ult, %0, %c5 : index
  %2 = arith.cmpi ult, %0, %big : index
  cuda.return
}

// -----

// What is narrow already stays as it is.
// CHECK-LABEL: @again
// CHECK: arith.cmpi ult, %{{.*}} : i32
// CHECK-NOT: arith.extui
cuda.kernel @again(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %0 = cuda.rank : i32
  %c5 = arith.constant 5 : i32
  %1 = arith.cmpi ult, %0, %c5 : i32
  cuda.return
}
