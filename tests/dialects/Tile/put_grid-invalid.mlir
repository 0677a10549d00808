// Each constraint of tile.put_grid is checked.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// C1: unequal shapes.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected source and destination of equal shape and element type, got '!tile.tile<1x8xf16>' and '!tile.tile<2x8xf16, symmetric>'}}
  tile.put_grid %peer {
    %0 = tile.slice %src[0, 0] sizes [1, 8] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xf16>
    %1 = tile.slice %dst[0, 0] sizes [2, 8]
      : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
    tile.yield %0 to %1 : !tile.tile<1x8xf16> -> !tile.tile<2x8xf16, symmetric>
  }
  tile.return
}

// -----

// C2: a destination that peers do not have.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected a symmetric destination (because a peer is written to), got '!tile.tile<2x8xf16>'; make its tensor with symmetricTensor}}
  tile.put_grid %peer {
    %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
    %1 = tile.slice %dst[0, 0] sizes [2, 8]
      : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
    tile.yield %0 to %0 : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16>
  }
  tile.return
}

// -----

// C3: a kernel with a grid.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected to stand directly in the body of a kernel without a grid}}
  tile.put_grid %peer {
    %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
    %1 = tile.slice %dst[0, 0] sizes [2, 8]
      : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
    tile.yield %0 to %1 : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16, symmetric>
  }
  tile.return
}

// -----

// C3: no kernel of tiles.
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{expected to stand directly in the body of a kernel without a grid}}
  tile.put_grid %peer {
    %0 = builtin.unrealized_conversion_cast %peer : index to !tile.tile<2xf16, symmetric>
    tile.yield %0 to %0 : !tile.tile<2xf16, symmetric> -> !tile.tile<2xf16, symmetric>
  }
  cuda.return
}

// -----

// C4: a region of no argument.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected a region of one index argument, the peer, got ()}}
  "tile.put_grid"() ({
    %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
    %1 = tile.slice %dst[0, 0] sizes [2, 8]
      : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
    tile.yield %0 to %1 : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16, symmetric>
  }) : () -> ()
  tile.return
}

// -----

// C4: something with an effect in the region.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<2x64xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  tile.put_grid %peer {
    // expected-error@+1 {{expected only ops without effects (because this is the region of a tile.put_grid)}}
    tile.all_to_all %src to %dst scatter 0 gather 1 permute [0, 1]
      : !tile.tensor<8x16xf16> -> !tile.tensor<2x64xf16, symmetric>
    %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
    %1 = tile.slice %dst[0, 0] sizes [2, 8]
      : !tile.tensor<2x64xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
    tile.yield %0 to %1 : !tile.tile<2x8xf16> -> !tile.tile<2x8xf16, symmetric>
  }
  tile.return
}
