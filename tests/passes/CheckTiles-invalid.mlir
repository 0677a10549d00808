// An offset that some block takes outside, and tiles that overlap, are refused.
// RUN: tilewire-opt %s --tile-fold-views --tile-check-tiles --verify-diagnostics --split-input-file

// The last of all that the rank, the block and the loop give.
tile.kernel @last(%a: !tile.tensor<59x64xf16> {tile.name = "a"}, %b: !tile.tensor<64x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 5>, threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c15 = arith.constant 15 : index
  %rank = tile.rank
  %block = tile.block_index 0
  %ofRank = arith.muli %rank, %c15 : index
  %ofBlock = arith.muli %block, %c3 : index
  %start = arith.addi %ofRank, %ofBlock : index
  scf.for %i = %c0 to %c3 step %c1 {
    %row = arith.addi %start, %i : index
    // expected-error@+1 {{expected offset 0 of a tile of 'a' from 0 to 58 (because 1 elements of 59 are taken), got 0 to 59}}
    %from = tile.slice %a[%row, 0] sizes [1, 64] : !tile.tensor<59x64xf16> -> !tile.tile<1x64xf16>
    %to = tile.slice %b[0, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
    tile.copy %from to %to : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16>
  }
  tile.return
}

// -----

// Below the first, on rank 0.
tile.kernel @first(%a: !tile.tensor<8x64xf16> {tile.name = "a"}, %b: !tile.tensor<64x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %c1 = arith.constant 1 : index
  %rank = tile.rank
  %row = arith.subi %rank, %c1 : index
  // expected-error@+1 {{expected offset 0 of a tile of 'a' from 0 to 7 (because 1 elements of 8 are taken), got -1 to 2}}
  %from = tile.slice %a[%row, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %b[0, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
  tile.copy %from to %to : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16>
  tile.return
}

// -----

// Always outside, in a branch that may never run.
tile.kernel @always(%a: !tile.tensor<8x64xf16> {tile.name = "a"}, %b: !tile.tensor<64x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 3>, threads = 32 : i64} {
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %block = tile.block_index 0
  %last = arith.cmpi ult, %c2, %block : index
  scf.if %last {
    %row = arith.addi %block, %c8 : index
    // expected-error@+1 {{expected offset 0 of a tile of 'a' from 0 to 7 (because 1 elements of 8 are taken), got 8 to 10}}
    %from = tile.slice %a[%row, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
    %to = tile.slice %b[0, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
    tile.copy %from to %to : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16>
  }
  tile.return
}

// -----

// In a move by the whole grid, for the last peer.
tile.kernel @peer(%a: !tile.tensor<3x64xf16> {tile.name = "a"}, %b: !tile.tensor<4x64xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  tile.put_grid %peer {
    // expected-error@+1 {{expected offset 0 of a tile of 'a' from 0 to 2 (because 1 elements of 3 are taken), got 0 to 3}}
    %from = tile.slice %a[%peer, 0] sizes [1, 64] : !tile.tensor<3x64xf16> -> !tile.tile<1x64xf16>
    %to = tile.slice %b[0, 0] sizes [1, 64] : !tile.tensor<4x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
    tile.yield %from to %to : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
  }
  tile.return
}

// -----

tile.kernel @shifted(%a: !tile.tensor<8x64xf16> {tile.name = "a"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %top = tile.slice %a[0, 0] sizes [7, 64] : !tile.tensor<8x64xf16> -> !tile.tile<7x64xf16>
  %bottom = tile.slice %a[1, 0] sizes [7, 64] : !tile.tensor<8x64xf16> -> !tile.tile<7x64xf16>
  // expected-error@+1 {{expected source and destination that are identical or do not overlap (because threads read and write in any order), got parts of 'a' that do; move by way of another tensor}}
  tile.copy %top to %bottom : !tile.tile<7x64xf16> -> !tile.tile<7x64xf16>
  tile.return
}

// -----

// Transposed in place, by a put to this rank itself.
tile.kernel @turned(%a: !tile.tensor<8x8xf16, symmetric> {tile.name = "a"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %rank = tile.rank
  %all = tile.slice %a[0, 0] sizes [8, 8] : !tile.tensor<8x8xf16, symmetric> -> !tile.tile<8x8xf16, symmetric>
  %turned = tile.slice %a[0, 0] sizes [8, 8] permute [1, 0] : !tile.tensor<8x8xf16, symmetric> -> !tile.tile<8x8xf16, symmetric>
  // expected-error@+1 {{expected source and destination that are identical or do not overlap}}
  tile.put_block %all to %turned on %rank : !tile.tile<8x8xf16, symmetric> -> !tile.tile<8x8xf16, symmetric>
  tile.return
}

// -----

// A peer that is no rank in some block.
tile.kernel @peer_of_block(%a: !tile.tensor<8x64xf16>, %b: !tile.tensor<8x64xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %peer = tile.block_index 0
  %from = tile.slice %a[0, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %b[0, 0] sizes [1, 64]
    : !tile.tensor<8x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  // expected-error@+1 {{expected a peer from 0 to 3 (because the kernel has 4 ranks), got 0 to 7}}
  tile.put_block %from to %to on %peer
    : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
  tile.return
}

// -----

// One that would be a rank if it were cut to 32 bits.
tile.kernel @peer_of_33_bits(%a: !tile.tensor<8x64xf16>, %b: !tile.tensor<8x64xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %rank = tile.rank
  %c = arith.constant 4294967296 : index
  %peer = arith.addi %rank, %c : index
  %from = tile.slice %a[0, 0] sizes [1, 64] : !tile.tensor<8x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %b[0, 0] sizes [1, 64]
    : !tile.tensor<8x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  // expected-error@+1 {{expected a peer from 0 to 3 (because the kernel has 4 ranks), got 4294967296 to 4294967299}}
  tile.put_block %from to %to on %peer
    : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
  tile.return
}

// -----

// A row of a tile that is none of it, though the tensor has it.
tile.kernel @of_tile(%a: !tile.tensor<64x64xf16> {tile.name = "a"}, %b: !tile.tensor<64x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %block = tile.block_index 0
  %rows = tile.slice %a[0, 0] sizes [7, 64] : !tile.tensor<64x64xf16> -> !tile.tile<7x64xf16>
  // expected-error@+1 {{expected offset 0 of a slice of a tile of 'a' from 0 to 6, got 0 to 7}}
  %from = tile.slice %rows[%block, 0] sizes [1, 64] : !tile.tile<7x64xf16> -> !tile.tile<1x64xf16>
  %to = tile.slice %b[0, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
  tile.copy %from to %to : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16>
  tile.return
}

// -----

// More of a tile than a rank has of it.
tile.kernel @of_share(%a: !tile.tensor<share(9)xf16> {tile.name = "a"}, %b: !tile.tensor<9xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %rank = tile.rank
  %c9 = arith.constant 9 : index
  %size = tile.share_size %c9 on %rank
  %mine = tile.slice %a[0] sizes [%size] : !tile.tensor<share(9)xf16> -> !tile.tile<?xf16>
  // expected-error@+1 {{expected size 0 of a slice of a tile of 'a' from 0 to the tile's, got 3}}
  %from = tile.slice %mine[0] sizes [3] : !tile.tile<?xf16> -> !tile.tile<3xf16>
  %to = tile.slice %b[0] sizes [3] : !tile.tensor<9xf16> -> !tile.tile<3xf16>
  tile.copy %from to %to : !tile.tile<3xf16> -> !tile.tile<3xf16>
  tile.return
}
