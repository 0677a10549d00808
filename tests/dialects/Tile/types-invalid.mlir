// Plans and tiles that cannot be are refused where they are read.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// expected-error@+1 {{expected 'vector' to be 1, 2, 4, 8 or 16, got 3}}
module attributes {tile.plan = #tile.plan<vector = 3, unroll = 1, order = source>} {}

// -----

// expected-error@+1 {{expected 'vector' to be 1, 2, 4, 8 or 16, got 32}}
module attributes {tile.plan = #tile.plan<vector = 32, unroll = 1, order = source>} {}

// -----

// expected-error@+1 {{expected 'unroll' from 1 to 32, got 0}}
module attributes {tile.plan = #tile.plan<vector = 8, unroll = 0, order = source>} {}

// -----

// expected-error@+1 {{expected 'unroll' from 1 to 32, got 33}}
module attributes {tile.plan = #tile.plan<vector = 8, unroll = 33, order = source>} {}

// -----

// expected-error@+1 {{expected 'symmetric'}}
module attributes {tile.type = !tile.tile<4xf16, shared>} {}
