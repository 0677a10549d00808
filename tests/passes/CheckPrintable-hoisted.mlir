// A constant that the compiler folded or hoisted has no place of its own: what is
// wrong with it is told where it is used.
// RUN: not tilewire-emit %s 2>&1 | FileCheck %s

// CHECK: error: {{.*}}CheckPrintable-hoisted.mlir:[[#@LINE+8]]:12: 'arith.constant' op can't be printed: expected results of i1, index, i32 or i64, got 'i8'
tile.kernel @k(%src: !tile.tensor<64x8xf16>, %dst: !tile.tensor<64x8xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 1 : i64} {
  %b = tile.block_index 0
  %from = tile.slice %src[%b, 0] sizes [1, 8] : !tile.tensor<64x8xf16> -> !tile.tile<1x8xf16>
  %to = tile.slice %dst[0, 0] sizes [1, 8] : !tile.tensor<64x8xf16> -> !tile.tile<1x8xf16>
  %i = arith.index_cast %b : index to i8
  %c3 = arith.constant 3 : i8
  %early = arith.cmpi ult, %i, %c3 : i8
  scf.if %early {
    tile.copy %from to %to : !tile.tile<1x8xf16> -> !tile.tile<1x8xf16>
  }
  tile.return
}
