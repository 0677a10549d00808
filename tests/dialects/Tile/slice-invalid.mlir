// Each constraint of tile.slice is checked.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// C1: an offset too few.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected 2 offsets (because the tensor is '!tile.tensor<8x16xf16>'), got 1}}
  %0 = tile.slice %src[0] sizes [1, 8] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xf16>
  tile.return
}

// -----

// C1: a size too many.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected 2 sizes (because the tensor is '!tile.tensor<8x16xf16>'), got 3}}
  %0 = tile.slice %src[0, 0] sizes [1, 8, 1] : !tile.tensor<8x16xf16> -> !tile.tile<1x8x1xf16>
  tile.return
}

// -----

// C1: the number that means a computed offset, without one.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected 0 offsets to be computed (because so many operands are given), got 1 that are -9223372036854775808, which says so}}
  %0 = tile.slice %src[0, -9223372036854775808] sizes [1, 8] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xf16>
  tile.return
}

// -----

// C1: the same beside a computed one.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %block = tile.block_index 0
  // expected-error@+1 {{expected 1 offsets to be computed (because so many operands are given), got 2 that are -9223372036854775808, which says so}}
  %0 = tile.slice %src[%block, -9223372036854775808] sizes [1, 8] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xf16>
  tile.return
}

// -----

// C1: a computed offset that no place is left for.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %block = tile.block_index 0
  // expected-error@+1 {{expected 1 offsets to be computed (because so many operands are given), got 0 that are -9223372036854775808, which says so}}
  %0 = "tile.slice"(%src, %block) {operandSegmentSizes = array<i32: 1, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 8>} : (!tile.tensor<8x16xf16>, index) -> !tile.tile<1x8xf16>
  tile.return
}

// -----

// C2: a size beyond the extent.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected size 1 from 0 to 16 (because the tensor is '!tile.tensor<8x16xf16>'), got 17}}
  %0 = tile.slice %src[0, 0] sizes [1, 17] : !tile.tensor<8x16xf16> -> !tile.tile<1x17xf16>
  tile.return
}

// -----

// C2: a negative size.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected size 0 from 0 to 8 (because the tensor is '!tile.tensor<8x16xf16>'), got -1}}
  %0 = tile.slice %src[0, 0] sizes [-1, 8] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xf16>
  tile.return
}

// -----

// C3: a negative offset.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected offset 0 from 0 to 7 (because 1 elements of 8 are taken), got -1}}
  %0 = tile.slice %src[-1, 0] sizes [1, 8] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xf16>
  tile.return
}

// -----

// C3: an end beyond the extent.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected offset 1 from 0 to 8 (because 8 elements of 16 are taken), got 9}}
  %0 = tile.slice %src[0, 9] sizes [1, 8] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xf16>
  tile.return
}

// -----

// C3: constants that are operands.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %c8 = arith.constant 8 : index
  // expected-error@+1 {{expected offset 0 from 0 to 7 (because 1 elements of 8 are taken), got 8}}
  %0 = tile.slice %src[%c8, 0] sizes [1, 8] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xf16>
  tile.return
}

// -----

tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %least = arith.constant -9223372036854775808 : index
  // expected-error@+1 {{expected offset 1 from 0 to 8 (because 8 elements of 16 are taken), got -9223372036854775808}}
  %0 = tile.slice %src[0, %least] sizes [1, 8] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xf16>
  tile.return
}

// -----

// C4: a dimension twice.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected a permutation of 2 dimensions, or of some of them, got [1, 1]}}
  %0 = tile.slice %src[0, 0] sizes [1, 8] permute [1, 1] : !tile.tensor<8x16xf16> -> !tile.tile<8x8xf16>
  tile.return
}

// -----

// C4: a dimension that is not there.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected a permutation of 2 dimensions, or of some of them, got [0, 2]}}
  %0 = tile.slice %src[0, 0] sizes [1, 8] permute [0, 2] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xf16>
  tile.return
}

// -----

// C4: more than one element without a dimension.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected a permutation that leaves out dimensions of size 1 only, got [0] without dimension 1 of size 8}}
  %0 = tile.slice %src[0, 0] sizes [1, 8] permute [0] : !tile.tensor<8x16xf16> -> !tile.tile<1xf16>
  tile.return
}

// -----

// C5: sizes in the wrong order.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected result '!tile.tile<8x1xf16>' (because of sizes, permutation and base), got '!tile.tile<1x8xf16>'}}
  %0 = tile.slice %src[0, 0] sizes [1, 8] permute [1, 0] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xf16>
  tile.return
}

// -----

// C5: another element type.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected result '!tile.tile<1x8xf16>' (because of sizes, permutation and base), got '!tile.tile<1x8xbf16>'}}
  %0 = tile.slice %src[0, 0] sizes [1, 8] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xbf16>
  tile.return
}

// -----

// C5: symmetric, of a tensor that is not.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected result '!tile.tile<1x8xf16>' (because of sizes, permutation and base), got '!tile.tile<1x8xf16, symmetric>'}}
  %0 = tile.slice %src[0, 0] sizes [1, 8] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xf16, symmetric>
  tile.return
}

// -----

// C6: a tensor that is no argument.
tile.kernel @k(%src: !tile.tensor<8x16xf16>, %dst: !tile.tensor<8x16xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %true = arith.constant true
  %either = arith.select %true, %src, %src : !tile.tensor<8x16xf16>
  // expected-error@+1 {{expected an argument of the kernel, or one seen through at most 63 slices and transposes, to be sliced, got neither}}
  %0 = tile.slice %either[0, 0] sizes [1, 8] : !tile.tensor<8x16xf16> -> !tile.tile<1x8xf16>
  tile.return
}

// -----

// C4: a size that is computed may be another than 1.
tile.kernel @k(%src: !tile.tensor<8x16xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 128 : i64} {
  %one = arith.constant 1 : index
  // expected-error@+1 {{expected a permutation that leaves out dimensions of size 1 only, got [1] without dimension 0 of a size that is computed}}
  %0 = tile.slice %src[0, 0] sizes [%one, 8] permute [1] : !tile.tensor<8x16xf16> -> !tile.tile<8xf16>
  tile.return
}

// -----

// C1: of a tile.
tile.kernel @k(%src: !tile.tensor<8x3x16xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 1, 0] sizes [8, 1, 16] permute [2, 0] : !tile.tensor<8x3x16xf16> -> !tile.tile<16x8xf16>
  // expected-error@+1 {{expected 2 offsets (because the tile is '!tile.tile<16x8xf16>'), got 3}}
  %1 = tile.slice %0[0, 0, 0] sizes [1, 1, 1] : !tile.tile<16x8xf16> -> !tile.tile<1x1x1xf16>
  tile.return
}

// -----

// C2: more than the tile has, though the tensor does.
tile.kernel @k(%src: !tile.tensor<8x16xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16> -> !tile.tile<2x8xf16>
  // expected-error@+1 {{expected size 0 from 0 to 2 (because the tile is '!tile.tile<2x8xf16>'), got 3}}
  %1 = tile.slice %0[0, 0] sizes [3, 8] : !tile.tile<2x8xf16> -> !tile.tile<3x8xf16>
  tile.return
}

// -----

// C3: beyond the tile's end, in its own order of dimensions.
tile.kernel @k(%src: !tile.tensor<8x16xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0] sizes [2, 8] permute [1, 0] : !tile.tensor<8x16xf16> -> !tile.tile<8x2xf16>
  // expected-error@+1 {{expected offset 1 from 0 to 1 (because 1 elements of 2 are taken), got 2}}
  %1 = tile.slice %0[0, 2] sizes [8, 1] : !tile.tile<8x2xf16> -> !tile.tile<8x1xf16>
  tile.return
}

// -----

// C5: of a symmetric tile.
tile.kernel @k(%src: !tile.tensor<8x16xf16, symmetric>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 128 : i64} {
  %0 = tile.slice %src[0, 0] sizes [2, 8] : !tile.tensor<8x16xf16, symmetric> -> !tile.tile<2x8xf16, symmetric>
  // expected-error@+1 {{expected result '!tile.tile<1x8xf16, symmetric>' (because of sizes, permutation and base), got '!tile.tile<1x8xf16>'}}
  %1 = tile.slice %0[0, 0] sizes [1, 8] : !tile.tile<2x8xf16, symmetric> -> !tile.tile<1x8xf16>
  tile.return
}

// -----

// C1: the number that means a computed size, without one.
tile.kernel @k(%src: !tile.tensor<8xshare(9)xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected 0 sizes to be computed (because so many operands are given), got 1 that are -9223372036854775808, which says so}}
  %0 = tile.slice %src[0, 0] sizes [1, -9223372036854775808] : !tile.tensor<8xshare(9)xf16> -> !tile.tile<1x?xf16>
  tile.return
}

// -----

// C2: more than any rank has of a share.
tile.kernel @k(%src: !tile.tensor<8xshare(9)xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  // expected-error@+1 {{expected size 1 from 0 to 3 (because the tensor is '!tile.tensor<8xshare(9)xf16>'), got 4}}
  %0 = tile.slice %src[0, 0] sizes [1, 4] : !tile.tensor<8xshare(9)xf16> -> !tile.tile<1x4xf16>
  tile.return
}

// -----

// C2: a constant that is given as an operand.
tile.kernel @k(%src: !tile.tensor<8xshare(9)xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %c9 = arith.constant 9 : index
  // expected-error@+1 {{expected size 0 from 0 to 8 (because the tensor is '!tile.tensor<8xshare(9)xf16>'), got 9}}
  %0 = tile.slice %src[0, 0] sizes [%c9, 3] : !tile.tensor<8xshare(9)xf16> -> !tile.tile<?x3xf16>
  tile.return
}

// -----

// C3: a computed size from beyond the end.
tile.kernel @k(%src: !tile.tensor<8xshare(9)xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %b = tile.block_index 0
  // expected-error@+1 {{expected offset 1 from 0 to 3 (because the tensor is '!tile.tensor<8xshare(9)xf16>'), got 4}}
  %0 = tile.slice %src[0, 4] sizes [1, %b] : !tile.tensor<8xshare(9)xf16> -> !tile.tile<1x?xf16>
  tile.return
}

// -----

// C5: a constant in place of a computed size.
tile.kernel @k(%src: !tile.tensor<8xshare(9)xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %b = tile.block_index 0
  // expected-error@+1 {{expected result '!tile.tile<1x?xf16>' (because of sizes, permutation and base), got '!tile.tile<1x3xf16>'}}
  %0 = tile.slice %src[0, 0] sizes [1, %b] : !tile.tensor<8xshare(9)xf16> -> !tile.tile<1x3xf16>
  tile.return
}

// -----

// C7: a bound too few.
tile.kernel @k(%src: !tile.tensor<8xshare(9)xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %b = tile.block_index 0
  // expected-error@+1 {{expected a 'most' for each of 2 dimensions, got 1}}
  %0 = tile.slice %src[0, 0] sizes [1, %b] most [1] : !tile.tensor<8xshare(9)xf16> -> !tile.tile<1x?xf16>
  tile.return
}

// -----

// C7: a bound beyond what any rank has.
tile.kernel @k(%src: !tile.tensor<8xshare(9)xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %b = tile.block_index 0
  // expected-error@+1 {{expected a 'most' that bounds size 1, got 4}}
  %0 = tile.slice %src[0, 0] sizes [1, %b] most [1, 4] : !tile.tensor<8xshare(9)xf16> -> !tile.tile<1x?xf16>
  tile.return
}

// -----

// C7: a bound of a constant that is another.
tile.kernel @k(%src: !tile.tensor<8xshare(9)xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %b = tile.block_index 0
  // expected-error@+1 {{expected a 'most' that bounds size 0, got 2}}
  %0 = tile.slice %src[0, 0] sizes [1, %b] most [2, 3] : !tile.tensor<8xshare(9)xf16> -> !tile.tile<1x?xf16>
  tile.return
}
