// Each constraint of tile.kernel is checked.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// C1: no ranks.
// expected-error@+1 {{expected 'num_ranks' from 1 to 72, got 0}}
tile.kernel @k() attributes {num_ranks = 0 : i64} {
  tile.return
}

// -----

// C1: too many ranks.
// expected-error@+1 {{expected 'num_ranks' from 1 to 72, got 73}}
tile.kernel @k() attributes {num_ranks = 73 : i64} {
  tile.return
}

// -----

// C2: a grid of no axis.
// expected-error@+1 {{expected a grid of 1 to 3 axes, got 0}}
tile.kernel @k() attributes {num_ranks = 2 : i64, grid = array<i64>, threads = 32 : i64} {
  tile.return
}

// -----

// C2: a grid of four axes.
// expected-error@+1 {{expected a grid of 1 to 3 axes, got 4}}
tile.kernel @k() attributes {num_ranks = 2 : i64, grid = array<i64: 1, 1, 1, 1>, threads = 32 : i64} {
  tile.return
}

// -----

// C2: a negative axis.
// expected-error@+1 {{expected grid axis 1 from 0 to 2147483647, got -1}}
tile.kernel @k() attributes {num_ranks = 2 : i64, grid = array<i64: 1, -1>, threads = 32 : i64} {
  tile.return
}

// -----

// C2: an axis beyond 2^31 - 1.
// expected-error@+1 {{expected grid axis 0 from 0 to 2147483647, got 2147483648}}
tile.kernel @k() attributes {num_ranks = 2 : i64, grid = array<i64: 2147483648>, threads = 32 : i64} {
  tile.return
}

// -----

// C2: axes that fit and a product that does not.
// expected-error@+1 {{expected a grid of at most 2147483647 blocks in all, got 65536, 32768}}
tile.kernel @k() attributes {num_ranks = 2 : i64, grid = array<i64: 65536, 32768>, threads = 32 : i64} {
  tile.return
}

// -----

// C3: no threads.
// expected-error@+1 {{expected 'threads' from 1 to 1024, got 0}}
tile.kernel @k() attributes {num_ranks = 2 : i64, grid = array<i64: 1>, threads = 0 : i64} {
  tile.return
}

// -----

// C3: too many threads.
// expected-error@+1 {{expected 'threads' from 1 to 1024, got 1025}}
tile.kernel @k() attributes {num_ranks = 2 : i64, threads = 1025 : i64} {
  tile.return
}

// -----

// C4: a grid without threads.
// expected-error@+1 {{expected 'threads' (because there is a grid)}}
tile.kernel @k() attributes {num_ranks = 2 : i64, grid = array<i64: 1>} {
  tile.return
}

// -----

// C5: an argument that is no tensor.
// expected-error@+1 {{expected argument 0 to be a !tile.tensor, got}}
tile.kernel @k(%n: index) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// C5: a result.
// expected-error@+1 {{expected no results, got 1}}
tile.kernel @k() -> index attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// C6: a collective that not all ranks need to meet.
tile.kernel @k(%src: !tile.tensor<4x1xf16>, %dst: !tile.tensor<2x2xf16, symmetric>)
    attributes {num_ranks = 2 : i64} {
  %true = arith.constant true
  // expected-error@+1 {{expected only collectives in a kernel without a grid (because it has no blocks to say otherwise), got 'scf.if'; give the kernel a grid to say what each block does}}
  scf.if %true {
    tile.all_to_all %src to %dst scatter 0 gather 1 permute [0, 1]
      : !tile.tensor<4x1xf16> -> !tile.tensor<2x2xf16, symmetric>
  }
  tile.return
}

// -----

// A kernel stands in a module only.
tile.kernel @outer() attributes {num_ranks = 2 : i64} {
  // expected-error@+1 {{'tile.kernel' op expects parent op 'builtin.module'}}
  tile.kernel @inner() attributes {num_ranks = 2 : i64} {
    tile.return
  }
  tile.return
}

// -----

// C2: a product too large when no axis is empty, wherever the large ones stand.
// expected-error@+1 {{expected a grid of at most 2147483647 blocks in all, got 65536, 1, 65536}}
tile.kernel @k() attributes {num_ranks = 2 : i64, grid = array<i64: 65536, 1, 65536>, threads = 32 : i64} {
  tile.return
}

// -----

// C5: types of other dialects.
// expected-error@+1 {{expected argument 0 to be a !tile.tensor, got}}
tile.kernel @k(%n: tuple<i8, tuple<f32>>) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// C5: a tile is no tensor.
// expected-error@+1 {{expected argument 0 to be a !tile.tensor, got}}
tile.kernel @k(%n: !tile.tile<4xf16>) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// C9: a tile in an op of another dialect.
tile.kernel @k(%src: !tile.tensor<4x64xf16>, %dst: !tile.tensor<4x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 8 : i64} {
  %from = tile.slice %src[0, 0] sizes [1, 64] : !tile.tensor<4x64xf16> -> !tile.tile<1x64xf16>
  // expected-error@+1 {{'builtin.unrealized_conversion_cast' op expected only ops of the tile dialect to have tensors and tiles as operands or results, got '!tile.tile<1x64xf16>'; make the slice where it is moved}}
  %i = builtin.unrealized_conversion_cast %from : !tile.tile<1x64xf16> to index
  tile.return
}

// -----

// C9: a tensor in an op of another dialect.
tile.kernel @k(%src: !tile.tensor<4x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 8 : i64} {
  // expected-error@+1 {{'builtin.unrealized_conversion_cast' op expected only ops of the tile dialect to have tensors and tiles as operands or results, got '!tile.tensor<4x64xf16>'}}
  %i = builtin.unrealized_conversion_cast %src : !tile.tensor<4x64xf16> to index
  tile.return
}

// -----

// C9: a tile that another op makes, and at tensor level.
tile.kernel @k() attributes {num_ranks = 4 : i64} {
  %rank = tile.rank
  // expected-error@+1 {{got '!tile.tile<1x64xf16>'}}
  %tile = builtin.unrealized_conversion_cast %rank : index to !tile.tile<1x64xf16>
  tile.return
}

// -----

// C9: a tile that a condition chooses.
tile.kernel @k(%src: !tile.tensor<4x64xf16>, %dst: !tile.tensor<4x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 8 : i64} {
  %true = arith.constant true
  %a = tile.slice %src[0, 0] sizes [1, 64] : !tile.tensor<4x64xf16> -> !tile.tile<1x64xf16>
  %b = tile.slice %dst[0, 0] sizes [1, 64] : !tile.tensor<4x64xf16> -> !tile.tile<1x64xf16>
  // expected-error@+1 {{'arith.select' op expected only ops of the tile dialect}}
  %c = arith.select %true, %a, %b : !tile.tile<1x64xf16>
  tile.return
}

// -----

// C9: a tile that a loop carries.
tile.kernel @k(%src: !tile.tensor<4x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 8 : i64} {
  %c1 = arith.constant 1 : index
  %a = tile.slice %src[0, 0] sizes [1, 64] : !tile.tensor<4x64xf16> -> !tile.tile<1x64xf16>
  %r = scf.for %i = %c1 to %c1 step %c1 iter_args(%x = %a) -> !tile.tile<1x64xf16> {
    // expected-error@+1 {{'scf.yield' op expected only ops of the tile dialect}}
    scf.yield %x : !tile.tile<1x64xf16>
  }
  tile.return
}

// -----

// C9: a tile that a branch gives.
tile.kernel @k(%src: !tile.tensor<4x64xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 8 : i64} {
  %true = arith.constant true
  %a = tile.slice %src[0, 0] sizes [1, 64] : !tile.tensor<4x64xf16> -> !tile.tile<1x64xf16>
  %r = scf.if %true -> !tile.tile<1x64xf16> {
    // expected-error@+1 {{'scf.yield' op expected only ops of the tile dialect}}
    scf.yield %a : !tile.tile<1x64xf16>
  } else {
    scf.yield %a : !tile.tile<1x64xf16>
  }
  tile.return
}

// -----

// A loop that would vanish.
tile.kernel @step() attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{expected a positive step, got 0}}
  scf.for %i = %c0 to %c4 step %c0 {
    tile.sync
  }
  tile.return
}

// -----

tile.kernel @step_back() attributes {num_ranks = 4 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %back = arith.constant -1 : index
  // expected-error@+1 {{expected a positive step, got -1}}
  scf.for %i = %c0 to %c4 step %back {
    tile.sync
  }
  tile.return
}
