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

// -----

// A stride too few.
// expected-error@+1 {{expected a stride for each of 2 dimensions, got [4]}}
tile.kernel @k(%n: !tile.tensor<4x4xf16, strides [4]>) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// Backwards.
// expected-error@+1 {{expected strides from 0, got -1}}
tile.kernel @k(%n: !tile.tensor<4x4xf16, strides [4, -1]>) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// More bytes than there are, though it has few elements.
// expected-error@+1 {{expected a tensor of fewer than 2^63 bytes, got [4, 4] of 'f16' with strides [1537228672809129302, 1]}}
tile.kernel @k(%n: !tile.tensor<4x4xf16, strides [1537228672809129302, 1]>) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// More elements than there are numbers, though all are one.
// expected-error@+1 {{expected a tensor of fewer than 2^63 bytes}}
tile.kernel @k(%n: !tile.tensor<4294967296x4294967296xf16, strides [0, 0]>) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// Symmetric comes last.
// expected-error@+1 {{expected '>'}}
tile.kernel @k(%n: !tile.tensor<4xf16, symmetric, strides [2]>) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// A destination of which all rows are one.
tile.kernel @k(%a: !tile.tensor<4x8xf16>, %b: !tile.tensor<4x8xf16, strides [0, 1]>)
    attributes {num_ranks = 2 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %from = tile.slice %a[0, 0] sizes [4, 8] : !tile.tensor<4x8xf16> -> !tile.tile<4x8xf16>
  %to = tile.slice %b[0, 0] sizes [4, 8] : !tile.tensor<4x8xf16, strides [0, 1]> -> !tile.tile<4x8xf16>
  // expected-error@+1 {{expected a destination whose strides put no two indices at one place (because it is written), got '!tile.tensor<4x8xf16, strides [0, 1]>'}}
  tile.copy %from to %to : !tile.tile<4x8xf16> -> !tile.tile<4x8xf16>
  tile.return
}

// -----

// Rows that run into each other, on a peer.
tile.kernel @k(%a: !tile.tensor<4x8xf16>, %b: !tile.tensor<4x8xf16, strides [7, 1], symmetric>)
    attributes {num_ranks = 2 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %rank = tile.rank
  %from = tile.slice %a[0, 0] sizes [4, 8] : !tile.tensor<4x8xf16> -> !tile.tile<4x8xf16>
  %to = tile.slice %b[0, 0] sizes [4, 8]
    : !tile.tensor<4x8xf16, strides [7, 1], symmetric> -> !tile.tile<4x8xf16, symmetric>
  // expected-error@+1 {{expected a destination whose strides put no two indices at one place}}
  tile.put_block %from to %to on %rank : !tile.tile<4x8xf16> -> !tile.tile<4x8xf16, symmetric>
  tile.return
}

// -----

// Of a collective.
tile.kernel @k(%a: !tile.tensor<4x8xf16>, %b: !tile.tensor<2x16xf16, strides [15, 1], symmetric>)
    attributes {num_ranks = 2 : i64} {
  // expected-error@+1 {{expected a destination whose strides put no two indices at one place}}
  tile.all_to_all %a to %b scatter 0 gather 1 permute [0, 1] : !tile.tensor<4x8xf16> -> !tile.tensor<2x16xf16, strides [15, 1], symmetric>
  tile.return
}

// -----

// Of a move by the whole grid.
tile.kernel @k(%a: !tile.tensor<4x8xf16>, %b: !tile.tensor<4x8xf16, strides [1, 2], symmetric>)
    attributes {num_ranks = 2 : i64} {
  // expected-error@+1 {{expected a destination whose strides put no two indices at one place}}
  tile.put_grid %peer {
    %from = tile.slice %a[0, 0] sizes [4, 8] : !tile.tensor<4x8xf16> -> !tile.tile<4x8xf16>
    %to = tile.slice %b[0, 0] sizes [4, 8]
      : !tile.tensor<4x8xf16, strides [1, 2], symmetric> -> !tile.tile<4x8xf16, symmetric>
    tile.yield %from to %to : !tile.tile<4x8xf16> -> !tile.tile<4x8xf16, symmetric>
  }
  tile.return
}
