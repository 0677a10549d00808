// An attribute that nobody knows, or whose value is of another kind, changes
// nothing: on a kernel, its arguments and the ops in it, of whatever dialect.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// On a kernel: misspelt.
// expected-error@+1 {{'tile.kernel' op expected attributes among 'arg_attrs', 'completion', 'function_type', 'grid', 'num_ranks', 'parameters', 'res_attrs', 'sym_name', 'threads', got 'complete'}}
tile.kernel @k() attributes {num_ranks = 2 : i64, complete} {
  tile.return
}

// -----

// On a kernel: of a dialect.
// expected-error@+1 {{got 'tile.completion'}}
tile.kernel @k() attributes {num_ranks = 2 : i64, tile.completion} {
  tile.return
}

// -----

// On a kernel: of another dialect.
// expected-error@+1 {{got 'scf.grid'}}
tile.kernel @k() attributes {num_ranks = 2 : i64, scf.grid = 1 : i64} {
  tile.return
}

// -----

// On a kernel: of another kind than the kernel's own.
// expected-error@+1 {{attribute 'grid' failed to satisfy constraint: i64 dense array attribute}}
tile.kernel @k() attributes {num_ranks = 2 : i64, grid = [4], threads = 32 : i64} {
  tile.return
}

// -----

// expected-error@+1 {{attribute 'threads' failed to satisfy constraint: 64-bit signless integer attribute}}
tile.kernel @k() attributes {num_ranks = 2 : i64, grid = array<i64: 4>, threads = 32 : i32} {
  tile.return
}

// -----

// expected-error@+1 {{attribute 'completion' failed to satisfy constraint: unit attribute}}
tile.kernel @k() attributes {num_ranks = 2 : i64, completion = true} {
  tile.return
}

// -----

// expected-error@+1 {{'cuda.kernel' op expected attributes among 'arg_attrs', 'function_type', 'max_blocks', 'needs_all_blocks', 'num_ranks', 'parameter_names', 'parameters', 'res_attrs', 'sym_name', 'threads', got 'need_all_blocks'}}
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64, need_all_blocks} {
  cuda.return
}

// -----

// expected-error@+1 {{attribute 'needs_all_blocks' failed to satisfy constraint: unit attribute}}
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64, needs_all_blocks = false} {
  cuda.return
}

// -----

// On an argument: misspelt.
// expected-error@+1 {{'tile.kernel' op expected argument 1 to have attributes among 'tile.name', 'tile.dims', 'tile.may_alias', got 'tile.nmae'}}
tile.kernel @k(%a: !tile.tensor<4xf16> {tile.name = "a"}, %b: !tile.tensor<4xf16> {tile.nmae = "b"})
    attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// On an argument: without a dialect.
// expected-error@+1 {{arguments may only have dialect attributes}}
tile.kernel @k(%a: !tile.tensor<4xf16> {name = "a"}) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// On an argument: of a later step.
// expected-error@+1 {{expected argument 0 to have attributes among 'tile.name', 'tile.dims', 'tile.may_alias', got 'cuda.written'}}
tile.kernel @k(%a: !tile.tensor<4xf16> {cuda.written}) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// expected-error@+1 {{expected argument 0 to have attributes among 'tile.name', 'tile.dims', 'tile.may_alias', 'cuda.tensor', 'cuda.written', got 'cuda.writen'}}
cuda.kernel @k(%a: !cuda.ptr<16> {cuda.tensor = !tile.tensor<4xf16>, cuda.writen})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}

// -----

// expected-error@+1 {{expected 'cuda.written' of argument 0 to have no value, got false}}
cuda.kernel @k(%a: !cuda.ptr<16> {cuda.tensor = !tile.tensor<4xf16>, cuda.written = false})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}

// -----

// On an argument: names of another kind.
// expected-error@+1 {{expected 'tile.name' of argument 0 to be a string, got 7 : i64}}
tile.kernel @k(%a: !tile.tensor<4xf16> {tile.name = 7}) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// expected-error@+1 {{expected 'tile.dims' of argument 0 to be 2 strings (because the tensor is '!tile.tensor<4x8xf16>'), got 3 : i64}}
tile.kernel @k(%a: !tile.tensor<4x8xf16> {tile.dims = 3}) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// expected-error@+1 {{expected 'tile.dims' of argument 0 to be 2 strings (because the tensor is '!tile.tensor<4x8xf16>'), got ["S", "D", "E"]}}
tile.kernel @k(%a: !tile.tensor<4x8xf16> {tile.dims = ["S", "D", "E"]}) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// expected-error@+1 {{expected 'tile.dims' of argument 0 to be 2 strings (because the tensor is '!tile.tensor<4x8xf16>'), got ["S", 8]}}
tile.kernel @k(%a: !tile.tensor<4x8xf16> {tile.dims = ["S", 8]}) attributes {num_ranks = 2 : i64} {
  tile.return
}

// -----

// expected-error@+1 {{expected 'tile.dims' of argument 0 to be 1 strings (because the tensor is '!tile.tensor<4xf16>'), got []}}
cuda.kernel @k(%a: !cuda.ptr<16> {cuda.tensor = !tile.tensor<4xf16>, tile.dims = []})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}

// -----

// On an op of the dialect.
tile.kernel @k(%src: !tile.tensor<4xf16>, %dst: !tile.tensor<4xf16>)
    attributes {num_ranks = 2 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [4] : !tile.tensor<4xf16> -> !tile.tile<4xf16>
  %to = tile.slice %dst[0] sizes [4] : !tile.tensor<4xf16> -> !tile.tile<4xf16>
  // expected-error@+1 {{'tile.copy' op expected attributes among 'plan', got 'plann'}}
  tile.copy %from to %to {plann = 3} : !tile.tile<4xf16> -> !tile.tile<4xf16>
  tile.return
}

// -----

tile.kernel @k() attributes {num_ranks = 2 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  // expected-error@+1 {{'tile.rank' op expected no attributes, got 'axis'}}
  %rank = tile.rank {axis = 0}
  tile.return
}

// -----

tile.kernel @k(%src: !tile.tensor<4xf16>, %dst: !tile.tensor<4xf16, symmetric>) attributes {num_ranks = 2 : i64} {
  // expected-error@+1 {{attribute 'plan' failed to satisfy constraint}}
  tile.put_grid %peer {
    %from = tile.slice %src[0] sizes [4] : !tile.tensor<4xf16> -> !tile.tile<4xf16>
    %to = tile.slice %dst[0] sizes [4] : !tile.tensor<4xf16, symmetric> -> !tile.tile<4xf16, symmetric>
    tile.yield %from to %to : !tile.tile<4xf16> -> !tile.tile<4xf16, symmetric>
  } {plan = 3}
  tile.return
}

// -----

cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  // expected-error@+1 {{'cuda.enter_all' op expected attributes among 'wait', got 'cuda.wait'}}
  cuda.enter_all 0 {cuda.wait = 1 : i64}
  cuda.leave_all 1
  cuda.return
}

// -----

// On an op of another dialect.
tile.kernel @k() attributes {num_ranks = 2 : i64, grid = array<i64: 1>, threads = 32 : i64} {
  // expected-error@+1 {{'arith.constant' op expected attributes among 'value', got 'tile.name'}}
  %c = arith.constant {tile.name = "c"} 1 : index
  tile.return
}

// -----

// On a loop, whose only one has no value.
cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %c = arith.constant 1 : index
  // expected-error@+1 {{expected attributes among 'unsignedCmp', 'cuda.unroll', got 'cuda.unrol'}}
  scf.for %i = %c to %c step %c {
  } {cuda.unrol}
  cuda.return
}

// -----

cuda.kernel @k() attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %c = arith.constant 1 : index
  // expected-error@+1 {{expected attribute 'cuda.unroll' without a value, got 4 : i64}}
  scf.for %i = %c to %c step %c {
  } {cuda.unroll = 4}
  cuda.return
}

// -----

// A mark that takes no value.
// expected-error@+1 {{'tile.kernel' op expected 'tile.may_alias' of argument 0 to be without a value, got false}}
tile.kernel @k(%src: !tile.tensor<64xf16> {tile.may_alias = false}) attributes {num_ranks = 4 : i64} {
  tile.return
}
