// Sizes that some block takes outside, that differ, or that are shares of no
// rank, are refused.
// RUN: tilewire-opt %s --tile-check-tiles --verify-diagnostics --split-input-file

// One more than a rank's share.
tile.kernel @one_more(%a: !tile.tensor<share(30)x64xf16> {tile.name = "a"}, %b: !tile.tensor<30x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %rank = tile.rank
  %share = tile.share_size %c30 on %rank
  %size = arith.addi %share, %c1 : index
  // expected-error@+1 {{expected size 0 of a tile of 'a' from 0 to the rank's extent, got 8 to 9}}
  %from = tile.slice %a[0, 0] sizes [%size, 64] : !tile.tensor<share(30)x64xf16> -> !tile.tile<?x64xf16>
  %to = tile.slice %b[0, 0] sizes [%size, 64] : !tile.tensor<30x64xf16> -> !tile.tile<?x64xf16>
  tile.copy %from to %to : !tile.tile<?x64xf16> -> !tile.tile<?x64xf16>
  tile.return
}

// -----

// A share that starts one too far.
tile.kernel @one_further(%a: !tile.tensor<share(30)x64xf16> {tile.name = "a"}, %b: !tile.tensor<30x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %c30 = arith.constant 30 : index
  %rank = tile.rank
  %size = tile.share_size %c30 on %rank
  // expected-error@+1 {{expected offset 0 of a tile of 'a' from 0 to the rank's extent less its size, got 1}}
  %from = tile.slice %a[1, 0] sizes [%size, 64] : !tile.tensor<share(30)x64xf16> -> !tile.tile<?x64xf16>
  %to = tile.slice %b[0, 0] sizes [%size, 64] : !tile.tensor<30x64xf16> -> !tile.tile<?x64xf16>
  tile.copy %from to %to : !tile.tile<?x64xf16> -> !tile.tile<?x64xf16>
  tile.return
}

// -----

// As much as the largest share, which the last ranks do not have.
tile.kernel @most(%a: !tile.tensor<share(30)x64xf16> {tile.name = "a"}, %b: !tile.tensor<30x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  // expected-error@+1 {{expected size 0 of a tile of 'a' from 0 to the rank's extent, got 8}}
  %from = tile.slice %a[0, 0] sizes [8, 64] : !tile.tensor<share(30)x64xf16> -> !tile.tile<8x64xf16>
  %to = tile.slice %b[0, 0] sizes [8, 64] : !tile.tensor<30x64xf16> -> !tile.tile<8x64xf16>
  tile.copy %from to %to : !tile.tile<8x64xf16> -> !tile.tile<8x64xf16>
  tile.return
}

// -----

// Below zero in block 0.
tile.kernel @negative(%a: !tile.tensor<8x64xf16> {tile.name = "a"}, %b: !tile.tensor<8x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 4>, threads = 32 : i64} {
  %c1 = arith.constant 1 : index
  %block = tile.block_index 0
  %size = arith.subi %block, %c1 : index
  // expected-error@+1 {{expected size 0 of a tile of 'a' from 0 to 8, got -1 to 2}}
  %from = tile.slice %a[0, 0] sizes [%size, 64] : !tile.tensor<8x64xf16> -> !tile.tile<?x64xf16>
  %to = tile.slice %b[0, 0] sizes [%size, 64] : !tile.tensor<8x64xf16> -> !tile.tile<?x64xf16>
  tile.copy %from to %to : !tile.tile<?x64xf16> -> !tile.tile<?x64xf16>
  tile.return
}

// -----

tile.kernel @unlike(%a: !tile.tensor<8x64xf16>, %b: !tile.tensor<8x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 4>, threads = 32 : i64} {
  %c1 = arith.constant 1 : index
  %block = tile.block_index 0
  %size = arith.addi %block, %c1 : index
  %from = tile.slice %a[0, 0] sizes [1, %size] : !tile.tensor<8x64xf16> -> !tile.tile<1x?xf16>
  %to = tile.slice %b[0, 0] sizes [1, %block] : !tile.tensor<8x64xf16> -> !tile.tile<1x?xf16>
  // expected-error@+1 {{expected source and destination of equal sizes, got different ones along dimension 1}}
  tile.copy %from to %to : !tile.tile<1x?xf16> -> !tile.tile<1x?xf16>
  tile.return
}

// -----

// Of blocks of which four are no ranks.
tile.kernel @no_rank(%a: !tile.tensor<30x64xf16>, %b: !tile.tensor<8x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %c30 = arith.constant 30 : index
  %block = tile.block_index 0
  // expected-error@+1 {{expected a rank from 0 to 3 (because the kernel has 4 ranks), got 0 to 7}}
  %size = tile.share_size %c30 on %block
  %from = tile.slice %a[0, 0] sizes [%size, 64] : !tile.tensor<30x64xf16> -> !tile.tile<?x64xf16>
  %to = tile.slice %b[0, 0] sizes [%size, 64] : !tile.tensor<8x64xf16> -> !tile.tile<?x64xf16>
  tile.copy %from to %to : !tile.tile<?x64xf16> -> !tile.tile<?x64xf16>
  tile.return
}
