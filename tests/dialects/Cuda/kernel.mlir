// A kernel prints its launch, and each parameter with the tensor it points to.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

// CHECK-LABEL: cuda.kernel @k(
// CHECK-SAME: %src: !cuda.ptr<16> {cuda.tensor = !tile.tensor<64xf16>, tile.name = "src"}
// CHECK-SAME: %dst: !cuda.ptr<16> {cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written, tile.name = "dst"})
// CHECK-SAME: attributes {max_blocks = 8 : i64, num_ranks = 4 : i64, threads = 256 : i64}
// CHECK-NEXT: cuda.return
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}

// CHECK-LABEL: cuda.kernel @meets()
// CHECK-SAME: needs_all_blocks
cuda.kernel @meets()
    attributes {num_ranks = 1 : i64, threads = 1 : i64, max_blocks = 1 : i64, needs_all_blocks} {
  cuda.return
}
