// As Reread, for a block level with loops, branches, names and a guard.
// RUN: tilewire-emit %s > %t.cu
// RUN: %nvrtc %t.cu
// RUN: tilewire-emit --stop-after simplify-tile %s | tilewire-emit - | diff %t.cu -
// RUN: tilewire-emit --stop-after expand-collectives %s | tilewire-emit - | diff %t.cu -
// RUN: tilewire-emit --stop-after fold-views %s | tilewire-emit - | diff %t.cu -
// RUN: tilewire-emit --stop-after plan-transfers %s | tilewire-emit - | diff %t.cu -
// RUN: tilewire-emit --stop-after lower-tile-to-cuda %s | tilewire-emit - | diff %t.cu -
// RUN: tilewire-emit --stop-after unsigned-when-equivalent %s | tilewire-emit - | diff %t.cu -
// RUN: tilewire-emit --stop-after simplify %s | tilewire-emit - | diff %t.cu -
// RUN: tilewire-emit --stop-after loop-invariant-code-motion %s | tilewire-emit - | diff %t.cu -
// RUN: tilewire-emit --stop-after check-printable %s | tilewire-emit - | diff %t.cu -
// RUN: tilewire-emit --stop-after narrow-indices %s | tilewire-emit - | diff %t.cu -
// RUN: tilewire-emit --stop-after cse-casts %s | tilewire-emit - | diff %t.cu -
// RUN: tilewire-emit --stop-after legalize-names %s | tilewire-emit - | diff %t.cu -

tile.kernel @k(%src: !tile.tensor<64x8192xf16> {tile.name = "src"},
    %dst: !tile.tensor<64x8192xf16, symmetric> {tile.name = "for"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %tile = tile.block_index 0 loc("tile")
  %peer = tile.block_index 1 loc("peer")
  %rank = tile.rank
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %end = arith.addi %rank, %c8 : index
  scf.for %i = %c0 to %end step %c4 {
    %early = arith.cmpi ult, %i, %tile : index
    scf.if %early {
      %s = arith.addi %tile, %i : index loc("row")
      %from = tile.slice %src[%s, 0] sizes [1, 5000] : !tile.tensor<64x8192xf16> -> !tile.tile<1x5000xf16>
      %to = tile.slice %dst[%s, 0] sizes [1, 5000]
        : !tile.tensor<64x8192xf16, symmetric> -> !tile.tile<1x5000xf16, symmetric>
      tile.put_block %from to %to on %peer : !tile.tile<1x5000xf16> -> !tile.tile<1x5000xf16, symmetric>
    }
  } loc("i")
  tile.return
}
