// The whole pipeline keeps the meaning of guards and rank arithmetic that wrap:
// "(block - 5) ule 0" holds for block 5 alone, "(rank - 1) % 4" wraps at 2^64.
// RUN: tilewire-emit %s | FileCheck %s

tile.kernel @k(%src: !tile.tensor<64x8xf16> {tile.name = "src"},
    %dst: !tile.tensor<64x8xf16, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 1 : i64} {
  %block = tile.block_index 0
  %rank = tile.rank
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %before = arith.subi %rank, %c1 : index
  %peer = arith.remui %before, %c4 : index
  %past = arith.subi %block, %c5 : index
  %inside = arith.cmpi ule, %past, %c0 : index
  // CHECK: const unsigned index = unsigned((size_t(world.rank) - 1) % 4);
  // CHECK: if (size_t(block) - 5 <= 0) {
  // CHECK: tw::onPeer(world, dst, index)
  scf.if %inside {
    %from = tile.slice %src[%block, 0] sizes [1, 8] : !tile.tensor<64x8xf16> -> !tile.tile<1x8xf16>
    %to = tile.slice %dst[%block, 0] sizes [1, 8]
      : !tile.tensor<64x8xf16, symmetric> -> !tile.tile<1x8xf16, symmetric>
    tile.put_block %from to %to on %peer : !tile.tile<1x8xf16> -> !tile.tile<1x8xf16, symmetric>
  }
  tile.return
}
