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
  // expected-error@+1 {{expected destination [2, share(6), 16] (based on source [2, 6, 4] and 4 ranks), got [2, 2, 16]}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2]
    : !tile.tensor<2x6x4xf16> -> !tile.tensor<2x2x16xf16, symmetric>
  tile.return
}

// -----

// C4: the other ranks' shares of a length that the ranks do not divide.
tile.kernel @k(%src: !tile.tensor<2x8xshare(5)xf16>, %dst: !tile.tensor<2xshare(8)x8xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected destination [2, share(8), 5] (based on source [2, 8, share(5)] and 4 ranks), got [2, share(8), 8]}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2]
    : !tile.tensor<2x8xshare(5)xf16> -> !tile.tensor<2xshare(8)x8xf16, symmetric>
  tile.return
}

// -----

// C3: a dimension beside that ranks differ in.
tile.kernel @k(%src: !tile.tensor<share(7)x8x4xf16>, %dst: !tile.tensor<share(7)x2x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected as much of dimension 0 on every rank (because only 'gather' is cut before), got [share(7), 8, 4]}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2]
    : !tile.tensor<share(7)x8x4xf16> -> !tile.tensor<share(7)x2x16xf16, symmetric>
  tile.return
}

// -----

// C3: what is scattered must be there as a whole.
tile.kernel @k(%src: !tile.tensor<2xshare(7)x4xf16>, %dst: !tile.tensor<2xshare(7)x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected as much of dimension 1 on every rank (because only 'gather' is cut before), got [2, share(7), 4]}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2]
    : !tile.tensor<2xshare(7)x4xf16> -> !tile.tensor<2xshare(7)x16xf16, symmetric>
  tile.return
}

// -----

// C4: another shape.
tile.kernel @k(%src: !tile.tensor<2x8x4xf16>, %dst: !tile.tensor<2x2x4xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected destination [2, share(8), 16] (based on source [2, 8, 4] and 4 ranks), got [2, 2, 4]}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2]
    : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x2x4xf16, symmetric>
  tile.return
}

// -----

// C4: the permuted shape.
tile.kernel @k(%src: !tile.tensor<2x8x4xf16>, %dst: !tile.tensor<2x2x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected destination [2, 16, share(8)] (based on source [2, 8, 4] and 4 ranks), got [2, 2, 16]}}
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

// -----

// C8: two parts of one tensor.
tile.kernel @k(%x: !tile.tensor<2x8x2xf16, symmetric>) attributes {num_ranks = 4 : i64} {
  %a = tile.slice %x[0, 0, 0] sizes [1, 8, 2] permute [1, 2] : !tile.tensor<2x8x2xf16, symmetric> -> !tile.tile<8x2xf16, symmetric>
  %b = tile.slice %x[1, 0, 0] sizes [1, 8, 2] permute [2, 1] : !tile.tensor<2x8x2xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
  // expected-error@+1 {{expected source and destination to be different tensors that may not alias (because all ranks read and write at the same time), got one tensor as both}}
  tile.all_to_all %a to %b scatter 0 gather 1 permute [0, 1] : !tile.tile<8x2xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
  tile.return
}

// -----

// C9: a size that peers do not know.
tile.kernel @k(%src: !tile.tensor<8x3x2xf16>, %dst: !tile.tensor<2x8xf16, symmetric>) attributes {num_ranks = 4 : i64} {
  %rank = tile.rank
  %a = tile.slice %src[0, 1, 0] sizes [%rank, 1, 2] permute [0, 2] : !tile.tensor<8x3x2xf16> -> !tile.tile<?x2xf16>
  // expected-error@+1 {{expected size 0 of a source to be a number or parameter, or this rank's share of one (because every rank must know it of every other), got a computed one}}
  tile.all_to_all %a to %dst scatter 0 gather 1 permute [0, 1] : !tile.tile<?x2xf16> -> !tile.tensor<2x8xf16, symmetric>
  tile.return
}

// -----

// C9: another rank's share.
tile.kernel @k(%src: !tile.tensor<9x2xf16>, %dst: !tile.tensor<share(9)x8xf16, symmetric>) attributes {num_ranks = 4 : i64} {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %rank = tile.rank
  %one = arith.constant 1 : index
  %next = arith.addi %rank, %one : index
  %size = tile.share_size %c9 on %next
  %a = tile.slice %dst[0, 0] sizes [%size, 8] : !tile.tensor<share(9)x8xf16, symmetric> -> !tile.tile<?x8xf16, symmetric>
  // expected-error@+1 {{expected size 0 of a destination to be a number or parameter, or this rank's share of one}}
  tile.all_to_all %src to %a scatter 0 gather 1 permute [0, 1] : !tile.tensor<9x2xf16> -> !tile.tile<?x8xf16, symmetric>
  tile.return
}

// -----

// C9: a place that depends on the rank.
tile.kernel @k(%src: !tile.tensor<8x2xf16>, %dst: !tile.tensor<4x2x8xf16, symmetric>) attributes {num_ranks = 4 : i64} {
  %rank = tile.rank
  %a = tile.slice %dst[%rank, 0, 0] sizes [1, 2, 8] permute [1, 2] : !tile.tensor<4x2x8xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
  // expected-error@+1 {{expected a destination of constant offsets (because peers write to it), got a computed one}}
  tile.all_to_all %src to %a scatter 0 gather 1 permute [0, 1] : !tile.tensor<8x2xf16> -> !tile.tile<2x8xf16, symmetric>
  tile.return
}

// -----

// C4: a tile's share of what the destination has as a whole.
tile.kernel @k(%src: !tile.tensor<share(9)x3x8xf16>, %dst: !tile.tensor<10x2xf16, symmetric>) attributes {num_ranks = 4 : i64} {
  %c9 = arith.constant 9 : index
  %rank = tile.rank
  %size = tile.share_size %c9 on %rank
  %a = tile.slice %src[0, 2, 0] sizes [%size, 1, 8] permute [0, 2] : !tile.tensor<share(9)x3x8xf16> -> !tile.tile<?x8xf16>
  // expected-error@+1 {{expected destination [9, share(8)] (based on source [share(9), 8] and 4 ranks), got [10, 2]}}
  tile.all_to_all %a to %dst scatter 1 gather 0 permute [0, 1] : !tile.tile<?x8xf16> -> !tile.tensor<10x2xf16, symmetric>
  tile.return
}

// -----

// A share of more than the tensor has.
tile.kernel @k(%src: !tile.tensor<share(9)x8xf16>) attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected size 0 from 0 to 3 (because the tensor is '!tile.tensor<share(9)x8xf16>'), got 4}}
  %a = tile.slice %src[0, 0] sizes [4, 8] : !tile.tensor<share(9)x8xf16> -> !tile.tile<4x8xf16>
  tile.return
}

// -----

// C11: 0 replicas on four ranks.
tile.kernel @k(%src: !tile.tensor<2x8x4xf16>, %dst: !tile.tensor<2x8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected 'replicas' to be at least 1 and to divide 4 ranks, got 0}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2] replicas 0
    : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x8x16xf16, symmetric>
  tile.return
}

// -----

// C11: -2 replicas on four ranks.
tile.kernel @k(%src: !tile.tensor<2x8x4xf16>, %dst: !tile.tensor<2x8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected 'replicas' to be at least 1 and to divide 4 ranks, got -2}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2] replicas -2
    : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x8x16xf16, symmetric>
  tile.return
}

// -----

// C11: 3 replicas on four ranks.
tile.kernel @k(%src: !tile.tensor<2x8x4xf16>, %dst: !tile.tensor<2x8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected 'replicas' to be at least 1 and to divide 4 ranks, got 3}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2] replicas 3
    : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x8x16xf16, symmetric>
  tile.return
}

// -----

// C11: 8 replicas on four ranks.
tile.kernel @k(%src: !tile.tensor<2x8x4xf16>, %dst: !tile.tensor<2x8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected 'replicas' to be at least 1 and to divide 4 ranks, got 8}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2] replicas 8
    : !tile.tensor<2x8x4xf16> -> !tile.tensor<2x8x16xf16, symmetric>
  tile.return
}

// -----

// C11: more parts than heads.
tile.kernel @k(%src: !tile.tensor<2x1x4xf16>, %dst: !tile.tensor<2x1x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected a number along 'scatter' that is a multiple of 2 (because 4 ranks with 2 replicas get equal parts), got [2, 1, 4]}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2] replicas 2
    : !tile.tensor<2x1x4xf16> -> !tile.tensor<2x1x16xf16, symmetric>
  tile.return
}

// -----

// C11: parts that would differ in size.
tile.kernel @k(%src: !tile.tensor<2x7x4xf16>, %dst: !tile.tensor<2x4x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected a number along 'scatter' that is a multiple of 2 (because 4 ranks with 2 replicas get equal parts), got [2, 7, 4]}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2] replicas 2
    : !tile.tensor<2x7x4xf16> -> !tile.tensor<2x4x16xf16, symmetric>
  tile.return
}

// -----

// C11: heads that each launch gives.
tile.kernel @k(%src: !tile.tensor<2xH[8]x4xf16>, %dst: !tile.tensor<2x4x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, completion, parameters = [#tile.parameter<"H", most = 8>]} {
  // expected-error@+1 {{expected a number along 'scatter' that is a multiple of 2 (because 4 ranks with 2 replicas get equal parts), got [2, H[8], 4]}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2] replicas 2
    : !tile.tensor<2xH[8]x4xf16> -> !tile.tensor<2x4x16xf16, symmetric>
  tile.return
}

// -----

// C4: a part of two heads, of which each rank has a share.
tile.kernel @k(%src: !tile.tensor<2x8xshare(16)xf16>, %dst: !tile.tensor<2xshare(8)x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // expected-error@+1 {{expected destination [2, 4, 16] (based on source [2, 8, share(16)] and 4 ranks), got [2, share(8), 16]}}
  tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2] replicas 2
    : !tile.tensor<2x8xshare(16)xf16> -> !tile.tensor<2xshare(8)x16xf16, symmetric>
  tile.return
}
