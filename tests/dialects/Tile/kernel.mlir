// A kernel prints as it was read: at block level, at tensor level, and with
// names of its tensors and their dimensions.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s


// CHECK-LABEL: tile.kernel @block_level(
// CHECK-SAME: %src: !tile.tensor<8x4xf16> {tile.dims = ["S", "D"], tile.name = "src"})
// CHECK-SAME: attributes {grid = array<i64: 8, 4>, num_ranks = 4 : i64, threads = 128 : i64}
// CHECK-NEXT: tile.return
tile.kernel @block_level(
    %src: !tile.tensor<8x4xf16> {tile.name = "src", tile.dims = ["S", "D"]})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  tile.return
}

// CHECK-LABEL: tile.kernel @tensor_level(
// CHECK-SAME: %{{.*}}: !tile.tensor<8x4xf16, symmetric>)
// CHECK-SAME: attributes {completion, num_ranks = 1 : i64}
tile.kernel @tensor_level(%dst: !tile.tensor<8x4xf16, symmetric>)
    attributes {num_ranks = 1 : i64, completion} {
  tile.return
}

// CHECK-LABEL: tile.kernel @planned_threads() attributes {num_ranks = 72 : i64, threads = 1024 : i64}
tile.kernel @planned_threads() attributes {num_ranks = 72 : i64, threads = 1024 : i64} {
  tile.return
}

// A grid with an empty axis is empty, whatever the others are.
// CHECK-LABEL: tile.kernel @empty_last()
tile.kernel @empty_last() attributes {num_ranks = 1 : i64, grid = array<i64: 65536, 65536, 0>, threads = 32 : i64} {
  tile.return
}

// CHECK-LABEL: tile.kernel @empty_first()
tile.kernel @empty_first() attributes {num_ranks = 1 : i64, grid = array<i64: 0, 2147483647, 2147483647>, threads = 32 : i64} {
  tile.return
}
