// Sums of the counter of a loop whose step is not 1 are 64 bits wide: on some
// that are narrow NVRTC 13.0 crashes.
// RUN: tilewire-emit %s > %t.cu && FileCheck %s < %t.cu
// RUN: %nvrtc %t.cu

tile.kernel @k(%src: !tile.tensor<12x11x5xi8> {tile.name = "src"},
    %dst: !tile.tensor<12x3x9xi8> {tile.name = "dst"})
    attributes {num_ranks = 3 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %rank = tile.rank
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %end = arith.addi %rank, %c4 : index
  // CHECK: for (unsigned i = 2; i < index; i += 2) {
  scf.for %i = %c2 to %end step %c2 {
    // CHECK: const size_t [[SUM:.*]] = size_t(i) + 1;
    %offset = arith.addi %i, %c1 : index
    %from = tile.slice %src[0, 0, 0] sizes [2, 3, 2]
      : !tile.tensor<12x11x5xi8> -> !tile.tile<2x3x2xi8>
    %to = tile.slice %dst[0, 0, %offset] sizes [2, 3, 2]
      : !tile.tensor<12x3x9xi8> -> !tile.tile<2x3x2xi8>
    // CHECK: tw::store(dst, [[SUM]] + size_t(
    tile.copy %from to %to : !tile.tile<2x3x2xi8> -> !tile.tile<2x3x2xi8>
  } loc("i")
  // With a step of 1 they are as narrow as they fit.
  // CHECK: for (unsigned j = 0; j < index; ++j) {
  %c0 = arith.constant 0 : index
  scf.for %j = %c0 to %end step %c1 {
    // CHECK: const unsigned {{.*}} = j + 1;
    %offset = arith.addi %j, %c1 : index
    %from = tile.slice %src[0, 0, 0] sizes [2, 3, 2]
      : !tile.tensor<12x11x5xi8> -> !tile.tile<2x3x2xi8>
    %to = tile.slice %dst[0, 0, %offset] sizes [2, 3, 2]
      : !tile.tensor<12x3x9xi8> -> !tile.tile<2x3x2xi8>
    tile.copy %from to %to : !tile.tile<2x3x2xi8> -> !tile.tile<2x3x2xi8>
  } loc("j")
  tile.return
}
