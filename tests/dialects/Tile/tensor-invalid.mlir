// Tensors that no launch can be given are refused where they are written.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// A shape that is not constant.
// expected-error@+1 {{expected static shape}}
tile.kernel @k(%n: !tile.tensor<?xf16>) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// No dimension.
// expected-error@+1 {{expected a tensor of 1 to 64 dimensions, got 0}}
tile.kernel @k(%n: !tile.tensor<f16>) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// More dimensions than the text bears.
// expected-error@+1 {{expected a tensor of 1 to 64 dimensions, got 65}}
tile.kernel @k(%n: !tile.tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf16>) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// 2^63 bytes.
// expected-error@+1 {{expected a tensor of fewer than 2^63 bytes, got [4294967296, 2147483648] of 'i8'}}
tile.kernel @k(%n: !tile.tensor<4294967296x2147483648xi8>) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// An extent of 0 hides no stride that overflows.
// expected-error@+1 {{expected a tensor of fewer than 2^63 bytes}}
tile.kernel @k(%n: !tile.tensor<0x4294967296x2147483648xi8>) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// An element that no transfer moves.
// expected-error@+1 {{expected a tensor of a supported element type, got 'i4'}}
tile.kernel @k(%n: !tile.tensor<4xi4>) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// An element that is no number.
// expected-error@+1 {{expected a tensor of a supported element type, got 'index'}}
tile.kernel @k(%n: !tile.tensor<4xindex>) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// A space that is none.
// expected-error@+1 {{expected 'symmetric'}}
tile.kernel @k(%n: !tile.tensor<4xf16, 3>) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// A space of another name.
// expected-error@+1 {{expected 'symmetric'}}
tile.kernel @k(%n: !tile.tensor<4xf16, shared>) attributes {num_ranks = 2 : i64} {
  tile.return
}
