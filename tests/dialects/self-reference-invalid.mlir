// An op that is its own operand, directly or not, is refused before anything
// follows its operands, which would never end.
// RUN: timeout 60 tilewire-opt %s --canonicalize --verify-diagnostics --split-input-file
// RUN: timeout 60 tilewire-opt %s --tilewire-simplify --verify-diagnostics --split-input-file

// A pointer on a peer, which is never a peer's pointer already: alone, taken in
// turns, and written to.
cuda.kernel @k() attributes {num_ranks = 2 : i64, threads = 32 : i64, max_blocks = 8 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{expected an argument of the kernel}}
  %p = cuda.on_peer %p, %c0 : !cuda.ptr<16>, index
  cuda.return
}

// -----

cuda.kernel @k() attributes {num_ranks = 2 : i64, threads = 32 : i64, max_blocks = 8 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{expected an argument of the kernel}}
  %p = cuda.on_peer %q, %c0 : !cuda.ptr<16>, index
  %q = cuda.on_peer %p, %c0 : !cuda.ptr<16>, index
  cuda.return
}

// -----

cuda.kernel @k() attributes {num_ranks = 2 : i64, threads = 32 : i64, max_blocks = 8 : i64} {
  %c0 = arith.constant 0 : index
  %v = cuda.load %p[%c0] : !cuda.ptr<16>, index -> !cuda.vec<8, 16>
  cuda.store %v, %p[%c0] : !cuda.vec<8, 16>, !cuda.ptr<16>, index
  // expected-error@+1 {{expected an argument of the kernel}}
  %p = cuda.on_peer %p, %c0 : !cuda.ptr<16>, index
  cuda.return
}

// -----

// A transpose in a kernel, in a body within it, and in one of a move.
tile.kernel @k() attributes {num_ranks = 1 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  // expected-error@+1 {{expected a tile of an argument of the kernel, made by at most 63 slices and transposes, got another}}
  %t = tile.transpose %t [1, 0] : !tile.tile<4x4xf16> -> !tile.tile<4x4xf16>
  tile.return
}

// -----

tile.kernel @k() attributes {num_ranks = 1 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %true = arith.constant true
  scf.if %true {
    // expected-error@+1 {{expected a tile of an argument of the kernel, made by at most 63 slices and transposes, got another}}
    %t = tile.transpose %t [1, 0] : !tile.tile<4x4xf16> -> !tile.tile<4x4xf16>
  }
  tile.return
}

// -----

tile.kernel @k(%src: !tile.tensor<4x4xi32>, %dst: !tile.tensor<4x4xi32, symmetric>) attributes {num_ranks = 4 : i64} {
  tile.put_grid %peer {
    %d = tile.slice %dst[0, 0] sizes [1, 1] : !tile.tensor<4x4xi32, symmetric> -> !tile.tile<1x1xi32, symmetric>
    // expected-error@+1 {{operand #1 does not dominate this use}}
    %s = tile.slice %src[%x, 0] sizes [1, 1] : !tile.tensor<4x4xi32> -> !tile.tile<1x1xi32>
    %x = arith.addi %y, %y : index // expected-note {{operand defined here}}
    %y = arith.addi %x, %x : index
    tile.yield %s to %d : !tile.tile<1x1xi32> -> !tile.tile<1x1xi32, symmetric>
  }
  tile.return
}

// -----

// Outside of kernels, where order means nothing.
// expected-error@+1 {{expected kernels alone outside of kernels, got 'tile.transpose'}}
%t = tile.transpose %t [1, 0] : !tile.tile<4x4xf16> -> !tile.tile<4x4xf16>

// -----

// expected-error@+1 {{expected kernels alone outside of kernels, got 'tile.transpose'}}
%t = tile.transpose %t [1, 2, 0] : !tile.tile<4x4x4xf16> -> !tile.tile<4x4x4xf16>
tile.kernel @k() attributes {num_ranks = 1 : i64} {
  tile.return
}

// -----

tile.kernel @k() attributes {num_ranks = 1 : i64} {
  tile.return
}
// expected-error@+1 {{expected kernels alone outside of kernels, got 'cuda.on_peer'}}
%p = cuda.on_peer %p, %c : !cuda.ptr<16>, index
%c = arith.constant 0 : index

// -----

// expected-error@+1 {{expected kernels alone outside of kernels, got 'arith.addi'}}
%a = arith.addi %a, %b : index
%b = arith.muli %b, %a : index
%c = arith.subi %d, %d : index
%d = arith.andi %c, %c : index
%e = arith.remui %e, %e : index
%f = arith.minui %f, %f : index

// -----

module {
  // expected-error@+1 {{expected kernels alone outside of kernels, got 'arith.addi'}}
  %a = arith.addi %a, %a : index
}

// -----

// In a module within a module or a kernel.
// expected-error@+1 {{expected kernels alone outside of kernels, got 'builtin.module'}}
module {
  %a = arith.addi %a, %a : index
}
tile.kernel @k() attributes {num_ranks = 1 : i64} {
  tile.return
}

// -----

tile.kernel @k() attributes {num_ranks = 1 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  builtin.module {
    // expected-error@+1 {{expected kernels alone outside of kernels, got 'arith.addi'}}
    %a = arith.addi %a, %a : index
  }
  tile.return
}

// -----

// In blocks that nothing reaches, of which the order isn't checked.
// expected-error@+1 {{expected regions of one block in 'tile.kernel', got one of 2}}
tile.kernel @k() attributes {num_ranks = 1 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  tile.return
^bb1:
  %t = tile.transpose %t [1, 0] : !tile.tile<4x4xi32> -> !tile.tile<4x4xi32>
  tile.return
}

// -----

tile.kernel @k() attributes {num_ranks = 1 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  // expected-error@+1 {{expected regions of one block in 'scf.execute_region', got one of 2}}
  scf.execute_region {
    scf.yield
  ^bb1:
    %a = arith.addi %a, %a : index
    scf.yield
  }
  tile.return
}

// -----

// Two slices of each other.
tile.kernel @k() attributes {num_ranks = 1 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  // expected-error@+1 {{expected an argument of the kernel, or one seen through at most 63 slices and transposes, to be sliced, got neither}}
  %a = tile.slice %b[0, 0] sizes [4, 4] : !tile.tile<4x4xf16> -> !tile.tile<4x4xf16>
  %b = tile.slice %a[0, 0] sizes [4, 4] : !tile.tile<4x4xf16> -> !tile.tile<4x4xf16>
  tile.return
}
