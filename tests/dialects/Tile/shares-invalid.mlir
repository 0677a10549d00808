// Each constraint of tile.share_size and tile.share_begin is checked.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// tile.share_size C1: a negative total.
tile.kernel @k() attributes {num_ranks = 4 : i64} {
  %total = arith.constant -1 : index
  %rank = tile.rank
  // expected-error@+1 {{expected a total of at least 0, got -1}}
  %0 = tile.share_size %total on %rank
  tile.return
}

// -----

// tile.share_begin C1: a negative total.
tile.kernel @k() attributes {num_ranks = 4 : i64} {
  %total = arith.constant -9223372036854775808 : index
  %rank = tile.rank
  // expected-error@+1 {{expected a total of at least 0, got -9223372036854775808}}
  %0 = tile.share_begin %total on %rank
  tile.return
}

// -----

// tile.share_size C2: one rank too many.
tile.kernel @k() attributes {num_ranks = 4 : i64} {
  %total = arith.constant 30 : index
  %rank = arith.constant 4 : index
  // expected-error@+1 {{expected a rank from 0 to 3 (because the kernel has 4 ranks), got 4}}
  %0 = tile.share_size %total on %rank
  tile.return
}

// -----

// tile.share_begin C2: a rank below the first.
tile.kernel @k() attributes {num_ranks = 4 : i64} {
  %total = arith.constant 30 : index
  %rank = arith.constant -1 : index
  // expected-error@+1 {{expected a rank from 0 to 3 (because the kernel has 4 ranks), got -1}}
  %0 = tile.share_begin %total on %rank
  tile.return
}
