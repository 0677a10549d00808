// The IR after each step, printed and read again, leads to the same text: nothing
// that matters is lost in print.
// RUN: tilewire-emit %s > %t.cu
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

tile.kernel @k(%src: !tile.tensor<2x16x8x64xf16> {tile.name = "src", tile.dims = ["B", "S", "H", "D"]},
    %dst: !tile.tensor<2x2x64x64xf16, symmetric> {tile.name = "dst", tile.dims = ["B", "H", "S", "D"]})
    attributes {num_ranks = 4 : i64, completion} {
  tile.all_to_all %src to %dst scatter 2 gather 1 permute [0, 2, 1, 3]
    : !tile.tensor<2x16x8x64xf16> -> !tile.tensor<2x2x64x64xf16, symmetric>
  tile.return
}
