// What the text cannot say is refused with the op and the reason, never printed
// wrongly; so are barriers to which not all come.
// RUN: tilewire-opt %s --cuda-check-printable --verify-diagnostics --split-input-file

// An op that the emitter does not know.
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 32 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  // expected-error@+1 {{'arith.ceildivui' op can't be printed: expected an op of the cuda dialect, scf.for, scf.if or one of unsigned arithmetic (docs/reference/passes.md lists them), got 'arith.ceildivui'}}
  %1 = arith.ceildivui %0, %0 : index
  cuda.return
}

// -----

// A loop that is none of its own.
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 32 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  // expected-error@+1 {{'scf.while' op can't be printed: expected an op of the cuda dialect, scf.for, scf.if or one of unsigned arithmetic (docs/reference/passes.md lists them), got 'scf.while'}}
  %1 = scf.while (%a = %0) : (index) -> index {
    %go = arith.cmpi ult, %a, %0 : index
    scf.condition(%go) %a : index
  } do {
  ^body(%a: index):
    scf.yield %a : index
  }
  cuda.return
}

// -----

// A loop that carries values.
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 32 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  // expected-error@+1 {{'scf.for' op can't be printed: expected no results (because loops and branches of the text carry no values), got 1}}
  %1 = scf.for %i = %0 to %0 step %0 iter_args(%a = %0) -> (index) {
    scf.yield %a : index
  }
  cuda.return
}

// -----

// A branch that has values.
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 32 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  %true = arith.constant true
  // expected-error@+1 {{'scf.if' op can't be printed: expected no results (because loops and branches of the text carry no values), got 1}}
  %1 = scf.if %true -> index {
    scf.yield %0 : index
  } else {
    scf.yield %0 : index
  }
  cuda.return
}

// -----

// A signed division.
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 32 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  // expected-error@+1 {{'arith.divsi' op can't be printed: expected operands that are never negative (because indices are unsigned in the text), got one that may be}}
  %1 = arith.divsi %0, %0 : index
  cuda.return
}

// -----

// A signed remainder.
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 32 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  // expected-error@+1 {{'arith.remsi' op can't be printed: expected operands that are never negative (because indices are unsigned in the text), got one that may be}}
  %1 = arith.remsi %0, %0 : index
  cuda.return
}

// -----

// A signed comparison.
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 32 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  // expected-error@+1 {{'arith.cmpi' op can't be printed: expected operands that are never negative (because indices are unsigned in the text), got one that may be}}
  %1 = arith.cmpi sle, %0, %0 : index
  cuda.return
}

// -----

// A signed loop over fixed-width integers.
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 32 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : i32
  // expected-error@+1 {{'scf.for' op can't be printed: expected a counter of type index, or an unsigned loop, got 'i32'}}
  scf.for %i = %0 to %0 step %0 : i32 {
  }
  cuda.return
}

// -----

// An integer that would not wrap where it should.
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 32 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{'arith.constant' op can't be printed: expected results of i1, index, i32 or i64, got 'i8'}}
  %0 = arith.constant 250 : i8
  cuda.return
}

// -----

// A floating-point number.
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 32 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{'arith.constant' op can't be printed: expected results of i1, index, i32 or i64, got 'f32'}}
  %0 = arith.constant 1.0 : f32
  cuda.return
}

// -----

// A vector of indices.
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 32 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{'arith.constant' op can't be printed: expected results of i1, index, i32 or i64, got 'vector<2xindex>'}}
  %0 = arith.constant dense<[1, 2]> : vector<2xindex>
  cuda.return
}

// -----

// A sum of truth values.
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 32 : i64, max_blocks = 8 : i64} {
  %true = arith.constant true
  // expected-error@+1 {{'arith.addi' op can't be printed: expected numbers, got truth values (i1)}}
  %0 = arith.addi %true, %true : i1
  cuda.return
}

// -----

// A choice of arrays, for which C++ has no word.
cuda.kernel @k(%src: !cuda.ptr<16> {cuda.tensor = !tile.tensor<64xf16>})
    attributes {num_ranks = 1 : i64, threads = 32 : i64, max_blocks = 1 : i64} {
  %true = arith.constant true
  %a = cuda.registers : !cuda.array<2, !cuda.vec<8, 16>>
  %b = cuda.registers : !cuda.array<2, !cuda.vec<8, 16>>
  // expected-error@+1 {{'arith.select' op can't be printed: expected a choice of numbers or vectors, got '!cuda.array<2, <8, 16>>'}}
  %c = arith.select %true, %a, %b : !cuda.array<2, !cuda.vec<8, 16>>
  cuda.return
}

// -----

// A choice of pointers, of which one is to const.
cuda.kernel @k(%src: !cuda.ptr<16> {cuda.tensor = !tile.tensor<64xf16>},
    %dst: !cuda.ptr<16> {cuda.tensor = !tile.tensor<64xf16>, cuda.written})
    attributes {num_ranks = 1 : i64, threads = 32 : i64, max_blocks = 1 : i64} {
  %true = arith.constant true
  // expected-error@+1 {{'arith.select' op can't be printed: expected a choice of numbers or vectors, got '!cuda.ptr<16>'}}
  %c = arith.select %true, %src, %dst : !cuda.ptr<16>
  cuda.return
}

// -----

// A block barrier that one thread comes to.
cuda.kernel @k(%dst: !cuda.ptr<32> {tile.name = "dst", cuda.tensor = !tile.tensor<64xi32, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 64 : i64, max_blocks = 4 : i64} {
  %c0 = arith.constant 0 : index
  %thread = cuda.thread_index : index
  %first = arith.cmpi eq, %thread, %c0 : index
  scf.if %first {
    // expected-error@+1 {{expected the same for all threads of the block (because they do it together), got what depends on the thread}}
    cuda.sync
  }
  cuda.return
}

// -----

// As often as the thread's number.
cuda.kernel @k(%dst: !cuda.ptr<32> {tile.name = "dst", cuda.tensor = !tile.tensor<64xi32, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 64 : i64, max_blocks = 4 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %thread = cuda.thread_index : index
  scf.for unsigned %i = %c0 to %thread step %c1 {
    // expected-error@+1 {{got what depends on the thread}}
    cuda.sync
  }
  cuda.return
}

// -----

// A barrier of all ranks that one comes to.
cuda.kernel @k(%dst: !cuda.ptr<32> {tile.name = "dst", cuda.tensor = !tile.tensor<64xi32, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 64 : i64, max_blocks = 4 : i64} {
  %c0 = arith.constant 0 : index
  cuda.enter_all 0
  %rank = cuda.rank : index
  %first = arith.cmpi eq, %rank, %c0 : index
  scf.if %first {
    // expected-error@+1 {{expected loops and branches around it that are the same for all blocks of all ranks}}
    cuda.barrier_all 1
  }
  cuda.leave_all 2
  cuda.return
}
