// A barrier stands where all blocks of all ranks meet it.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// C1: in a branch that ranks take differently.
tile.kernel @k() attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %rank = tile.rank
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %rank, %c0 : index
  scf.if %first {
    // expected-error@+1 {{expected loops and branches around it that are the same for all blocks of all ranks (because all meet there), got what depends on the thread, the block or the rank}}
    tile.barrier_all
  }
  tile.return
}

// -----

// C1: in a loop that blocks leave at different times, within one that is the
// same for all.
tile.kernel @k() attributes {num_ranks = 4 : i64, grid = array<i64: 8, 4>, threads = 128 : i64} {
  %b = tile.block_index 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %end = arith.addi %b, %i : index
    scf.for %j = %c0 to %end step %c1 {
      // expected-error@+1 {{expected loops and branches around it that are the same}}
      tile.barrier_all
    }
  }
  tile.return
}

// -----

// C1: in a loop whose carried bound comes from the thread.
tile.kernel @k() attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 128 : i64} {
  %t = tile.thread_index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %c0) -> (index) {
    %y = arith.addi %x, %t : index
    scf.yield %y : index
  }
  scf.for %j = %c0 to %n step %c1 {
    // expected-error@+1 {{expected loops and branches around it that are the same}}
    tile.barrier_all
  }
  tile.return
}
