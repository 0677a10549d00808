// Each constraint of tile.all_to_all is checked.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// C1: one dimension for both.
tile.kernel @k(%src: !tile.tensor<2x8x4xf16>, %dst: !tile.tensor<2x2x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected 'scatter' and 'gather' to be two different dimensions from 0 to 2, got 1 and 1}}
  tile.all_to_all %src to %dst scatter 1 gather 1 permute [0, 1, 2]
    : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x2x16xf16, symmetric>
  tile.return
}

// -----

// C1: a dimension that is not there.
tile.kernel @k(%src: !tile.tensor<2x8x4xf16>, %dst: !tile.tensor<2x2x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected 'scatter' and 'gather' to be two different dimensions from 0 to 2, got 1 and 3}}
  tile.all_to_all %src to %dst scatter 1 gather 3 permute [0, 1, 2]
    : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x2x16xf16, symmetric>
  tile.return
}

// -----

// C1: a negative dimension.
tile.kernel @k(%src: !tile.tensor<2x8x4xf16>, %dst: !tile.tensor<2x2x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected 'scatter' and 'gather' to be two different dimensions from 0 to 2, got -1 and 2}}
  tile.all_to_all %src to %dst scatter -1 gather 2 permute [0, 1, 2]
    : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x2x16xf16, symmetric>
  tile.return
}

// -----

// C2: a dimension twice.
tile.kernel @k(%src: !tile.tensor<2x8x4xf16>, %dst: !tile.tensor<2x2x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected a permutation of 3 dimensions, got [0, 1, 1]}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 1]
    : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x2x16xf16, symmetric>
  tile.return
}

// -----

// C4: heads that the ranks do not divide are a share of the destination.
tile.kernel @k(%src: !tile.tensor<2x6x4xf16>, %dst: !tile.tensor<2x2x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected destination '!tile.tensor<2xshare(6)x16xf16, symmetric>' (based on source '!tile.tensor<2x6x4xf16>' and 4 ranks), got '!tile.tensor<2x2x16xf16, symmetric>'}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2]
    : !tile.tensor<2x6x4xf16> -> !tile.tensor<2x2x16xf16, symmetric>
  tile.return
}

// -----

// C4: the other ranks' shares of a length that the ranks do not divide.
tile.kernel @k(%src: !tile.tensor<2x8xshare(5)xf16>, %dst: !tile.tensor<2xshare(8)x8xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected destination '!tile.tensor<2xshare(8)x5xf16, symmetric>' (based on source '!tile.tensor<2x8xshare(5)xf16>' and 4 ranks), got '!tile.tensor<2xshare(8)x8xf16, symmetric>'}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2]
    : !tile.tensor<2x8xshare(5)xf16> -> !tile.tensor<2xshare(8)x8xf16, symmetric>
  tile.return
}

// -----

// C3: a dimension beside that ranks differ in.
tile.kernel @k(%src: !tile.tensor<share(7)x8x4xf16>, %dst: !tile.tensor<share(7)x2x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected as much of dimension 0 on every rank (because only 'gather' is cut before), got '!tile.tensor<share(7)x8x4xf16>'}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2]
    : !tile.tensor<share(7)x8x4xf16> -> !tile.tensor<share(7)x2x16xf16, symmetric>
  tile.return
}

// -----

// C3: what is scattered must be there as a whole.
tile.kernel @k(%src: !tile.tensor<2xshare(7)x4xf16>, %dst: !tile.tensor<2xshare(7)x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected as much of dimension 1 on every rank (because only 'gather' is cut before), got '!tile.tensor<2xshare(7)x4xf16>'}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2]
    : !tile.tensor<2xshare(7)x4xf16> -> !tile.tensor<2xshare(7)x16xf16, symmetric>
  tile.return
}

// -----

// C4: another shape.
tile.kernel @k(%src: !tile.tensor<2x8x4xf16>, %dst: !tile.tensor<2x2x4xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected destination '!tile.tensor<2xshare(8)x16xf16, symmetric>' (based on source '!tile.tensor<2x8x4xf16>' and 4 ranks), got '!tile.tensor<2x2x4xf16, symmetric>'}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2]
    : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x2x4xf16, symmetric>
  tile.return
}

// -----

// C4: the permuted shape.
tile.kernel @k(%src: !tile.tensor<2x8x4xf16>, %dst: !tile.tensor<2x2x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected destination '!tile.tensor<2x16xshare(8)xf16, symmetric>' (based on source '!tile.tensor<2x8x4xf16>' and 4 ranks), got '!tile.tensor<2x2x16xf16, symmetric>'}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 2, 1]
    : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x2x16xf16, symmetric>
  tile.return
}

// -----

// C5: unequal element types.
tile.kernel @k(%src: !tile.tensor<2x8x4xf16>, %dst: !tile.tensor<2x2x16xbf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected equal element types, got 'f16' and 'bf16'}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2]
    : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x2x16xbf16, symmetric>
  tile.return
}

// -----

// C6: a destination that peers do not have.
tile.kernel @k(%src: !tile.tensor<2x8x4xf16>, %dst: !tile.tensor<2x2x16xf16>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected a symmetric destination (because every rank writes to it), got '!tile.tensor<2x2x16xf16>'; make it with symmetricTensor}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2]
    : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x2x16xf16>
  tile.return
}

// -----

// C7: a kernel with a grid.
tile.kernel @k(%src: !tile.tensor<2x8x4xf16>, %dst: !tile.tensor<2x2x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected a kernel without a grid around it}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2]
    : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x2x16xf16, symmetric>
  tile.return
}

// -----

// C8: in place.
tile.kernel @k(%x: !tile.tensor<8x2xf16, symmetric>) attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected source and destination to be different tensors that may not alias (because all ranks read and write at the same time), got one tensor as both}}
  tile.all_to_all %x to %x scatter 0 gather 1 permute [1, 0] : !tile.tensor<8x2xf16, symmetric> -> !tile.tensor<8x2xf16, symmetric>
  tile.return
}

// -----

// C8: tensors that may share memory.
tile.kernel @k(%x: !tile.tensor<8x2xf16> {tile.may_alias}, %y: !tile.tensor<8x2xf16, symmetric> {tile.may_alias}) attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected source and destination to be different tensors that may not alias (because all ranks read and write at the same time), got two with 'tile.may_alias'}}
  tile.all_to_all %x to %y scatter 0 gather 1 permute [1, 0] : !tile.tensor<8x2xf16> -> !tile.tensor<8x2xf16, symmetric>
  tile.return
}

// -----

// C4: an extent that wraps when the ranks gather it, hidden by one of 0.
tile.kernel @k(%src: !tile.tensor<0x4611686018427387904xi8>, %dst: !tile.tensor<0x0xi8, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected an extent along 'gather' below 2^63 / 4 ranks, got 4611686018427387904}}
  tile.all_to_all %src to %dst scatter 0 gather 1 permute [0, 1]
    : !tile.tensor<0x4611686018427387904xi8> -> !tile.tensor<0x0xi8, symmetric>
  tile.return
}
