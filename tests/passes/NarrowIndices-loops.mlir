// A counter takes 32 bits when even its last increment, to bound + step - 1 at
// most, does not wrap.
// RUN: tilewire-opt %s --cuda-narrow-indices --split-input-file | FileCheck %s

// CHECK-LABEL: @fits
// CHECK: scf.for unsigned %{{.*}} : i32 {
cuda.kernel @fits(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %c0 = arith.constant 0 : index
  %hi = arith.constant 4294967290 : index
  %step = arith.constant 5 : index
  scf.for %i = %c0 to %hi step %step {
    %pi = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  cuda.return
}

// -----

// CHECK-LABEL: @wraps
// CHECK: scf.for unsigned %{{.*}} : i64 {
cuda.kernel @wraps(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %c0 = arith.constant 0 : index
  %hi = arith.constant 4294967291 : index
  %step = arith.constant 5 : index
  scf.for %i = %c0 to %hi step %step {
    %pi = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  cuda.return
}

// -----

// CHECK-LABEL: @wide_bound
// CHECK: scf.for unsigned %{{.*}} : i64 {
cuda.kernel @wide_bound(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %c0 = arith.constant 0 : index
  %hi = arith.constant 4294967296 : index
  %step = arith.constant 1 : index
  scf.for %i = %c0 to %hi step %step {
    %pi = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  cuda.return
}

// -----

// The grid's own step is known by the blocks of a launch.
// CHECK-LABEL: @grid_stride
// CHECK: scf.for unsigned %{{.*}} : i32 {
cuda.kernel @grid_stride(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %block = cuda.block_index : index
  %step = cuda.num_blocks : index
  %hi = arith.constant 4294901759 : index
  scf.for %i = %block to %hi step %step {
    %pi = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  cuda.return
}

// -----

// CHECK-LABEL: @grid_stride_wraps
// CHECK: scf.for unsigned %{{.*}} : i64 {
cuda.kernel @grid_stride_wraps(%dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 65536 : i64} {
  %block = cuda.block_index : index
  %step = cuda.num_blocks : index
  %hi = arith.constant 4294901760 : index
  scf.for %i = %block to %hi step %step {
    %pi = cuda.on_peer %dst, %i : !cuda.ptr<16>, index
  }
  cuda.return
}
