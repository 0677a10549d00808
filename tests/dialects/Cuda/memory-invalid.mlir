// Each constraint of loads, stores and their types is checked.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// cuda.load C1.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = memref<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = memref<64xf16, #tile.symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  // expected-error@+1 {{expected pointer and vector of equal element width, got 16 and 32 bits}}
  %1 = cuda.load %src[%0] : !cuda.ptr<16>, index -> !cuda.vec<4, 32>
  cuda.return
}

// -----

// cuda.store C1.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = memref<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = memref<64xf16, #tile.symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  %1 = cuda.load %src[%0] : !cuda.ptr<16>, index -> !cuda.vec<8, 16>
  %2 = builtin.unrealized_conversion_cast %dst : !cuda.ptr<16> to !cuda.ptr<8>
  // expected-error@+1 {{expected pointer and vector of equal element width, got 8 and 16 bits}}
  cuda.store %1, %2[%0] : !cuda.vec<8, 16>, !cuda.ptr<8>, index
  cuda.return
}

// -----

// cuda.store C2: the text would write through a pointer to const.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = memref<64xf16>})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  %1 = cuda.load %src[%0] : !cuda.ptr<16>, index -> !cuda.vec<8, 16>
  // expected-error@+1 {{expected argument 0 ('src') to have 'cuda.written' (because a pointer to write to is taken)}}
  cuda.store %1, %src[%0] : !cuda.vec<8, 16>, !cuda.ptr<16>, index
  cuda.return
}

// -----

// cuda.on_peer C1.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = memref<64xf16, #tile.symmetric>})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  // expected-error@+1 {{expected argument 0 ('src') to have 'cuda.written' (because a pointer to write to is taken)}}
  %1 = cuda.on_peer %src, %0 : !cuda.ptr<16>, index
  cuda.return
}

// -----

// expected-error@+1 {{expected elements of 8, 16, 32 or 64 bits, got 4}}
module attributes {cuda.type = !cuda.ptr<4>} {}

// -----

// expected-error@+1 {{expected elements of 8, 16, 32 or 64 bits, got 128}}
module attributes {cuda.type = !cuda.vec<1, 128>} {}

// -----

// expected-error@+1 {{expected a vector of 1, 2, 4, 8 or 16 bytes, got 0 elements of 16 bits}}
module attributes {cuda.type = !cuda.vec<0, 16>} {}

// -----

// expected-error@+1 {{expected a vector of 1, 2, 4, 8 or 16 bytes, got 3 elements of 16 bits}}
module attributes {cuda.type = !cuda.vec<3, 16>} {}

// -----

// expected-error@+1 {{expected a vector of 1, 2, 4, 8 or 16 bytes, got 16 elements of 16 bits}}
module attributes {cuda.type = !cuda.vec<16, 16>} {}

// -----

// A count whose bytes wrap to 16.
// expected-error@+1 {{expected a vector of 1, 2, 4, 8 or 16 bytes, got 536870914 elements of 64 bits}}
module attributes {cuda.type = !cuda.vec<536870914, 64>} {}
