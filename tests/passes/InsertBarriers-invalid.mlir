// A move by the whole grid within one tensor must be proved to lie apart.
// RUN: tilewire-opt %s --tile-insert-barriers --verify-diagnostics --split-input-file

tile.kernel @overlap(%b: !tile.tensor<16x64xf16, symmetric>) attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected source and destination that are proved not to overlap (because all ranks read and write at the same time), got parts of one tensor that may; move to another tensor}}
  tile.put_grid %peer {
    %from = tile.slice %b[%peer, 0] sizes [4, 64] : !tile.tensor<16x64xf16, symmetric> -> !tile.tile<4x64xf16, symmetric>
    %to = tile.slice %b[6, 0] sizes [4, 64] : !tile.tensor<16x64xf16, symmetric> -> !tile.tile<4x64xf16, symmetric>
    tile.yield %from to %to : !tile.tile<4x64xf16, symmetric> -> !tile.tile<4x64xf16, symmetric>
  }
  tile.return
}
