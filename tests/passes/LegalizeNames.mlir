// Parameters keep the names that users gave, where C++ allows: no word of the
// language, macro or CUDA variable, no odd characters, no name twice.
// RUN: tilewire-opt %s --cuda-legalize-names | FileCheck %s

// CHECK-LABEL: cuda.kernel @k(
// CHECK-SAME: tile.name = "src"
// CHECK-SAME: tile.name = "src2"
// CHECK-SAME: tile.name = "for_"
// CHECK-SAME: tile.name = "threadIdx_"
// CHECK-SAME: tile.name = "my_tensor_"
// CHECK-SAME: tile.name = "x"
// CHECK-SAME: tile.name = "a_b"
// CHECK-SAME: tile.name = "v1st"
// CHECK-SAME: tile.name = "v"
// CHECK-SAME: tile.name = "vTW_SHARED"
// CHECK-SAME: tile.name = "min_"
// CHECK-SAME: tile.name = "NULL_"
// CHECK-SAME: tile.name = "v2"
// CHECK-SAME: tile.name = "tensor"
cuda.kernel @k(%0: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
    %1: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
    %2: !cuda.ptr<16> {tile.name = "for", cuda.tensor = !tile.tensor<64xf16>},
    %3: !cuda.ptr<16> {tile.name = "threadIdx", cuda.tensor = !tile.tensor<64xf16>},
    %4: !cuda.ptr<16> {tile.name = "my tensor*", cuda.tensor = !tile.tensor<64xf16>},
    %5: !cuda.ptr<16> {tile.name = "_x", cuda.tensor = !tile.tensor<64xf16>},
    %6: !cuda.ptr<16> {tile.name = "a__b", cuda.tensor = !tile.tensor<64xf16>},
    %7: !cuda.ptr<16> {tile.name = "1st", cuda.tensor = !tile.tensor<64xf16>},
    %8: !cuda.ptr<16> {tile.name = "", cuda.tensor = !tile.tensor<64xf16>},
    %9: !cuda.ptr<16> {tile.name = "TW_SHARED", cuda.tensor = !tile.tensor<64xf16>},
    %10: !cuda.ptr<16> {tile.name = "min", cuda.tensor = !tile.tensor<64xf16>},
    %11: !cuda.ptr<16> {tile.name = "NULL", cuda.tensor = !tile.tensor<64xf16>},
    %12: !cuda.ptr<16> {tile.name = "\C3\A9", cuda.tensor = !tile.tensor<64xf16>},
    %13: !cuda.ptr<16> {cuda.tensor = !tile.tensor<64xf16>})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}
