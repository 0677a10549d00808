// What goes into an array is its element, and an array has elements.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  // expected-note@+1 {{prior use here}}
  %1 = cuda.load %src[%0] : !cuda.ptr<16>, index -> !cuda.vec<4, 16>
  %held = cuda.registers : !cuda.array<4, !cuda.vec<8, 16>>
  // expected-error@+1 {{use of value '%1' expects different type than prior uses: '!cuda.vec<8, 16>' vs '!cuda.vec<4, 16>'}}
  cuda.set %1, %held[%0] : !cuda.array<4, !cuda.vec<8, 16>>, index
  cuda.return
}

// -----

// expected-error@+1 {{expected an array of 1 to 32 vectors, got 0}}
module attributes {cuda.type = !cuda.array<0, !cuda.vec<8, 16>>} {}

// -----

// cuda.set C1.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %c0 = arith.constant 0 : index
  %c = arith.constant 4 : index
  %v = cuda.load %src[%c0] : !cuda.ptr<16>, index -> !cuda.vec<8, 16>
  %held = cuda.registers : !cuda.array<4, !cuda.vec<8, 16>>
  // expected-error@+1 {{expected an index from 0 to 3 (because it is of '!cuda.array<4, <8, 16>>'), got 4}}
  cuda.set %v, %held[%c] : !cuda.array<4, !cuda.vec<8, 16>>, index
  cuda.return
}

// -----

// cuda.get C1.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %c0 = arith.constant 0 : index
  %c = arith.constant 4 : index
  %v = cuda.load %src[%c0] : !cuda.ptr<16>, index -> !cuda.vec<8, 16>
  %held = cuda.registers : !cuda.array<4, !cuda.vec<8, 16>>
  // expected-error@+1 {{expected an index from 0 to 3 (because it is of '!cuda.array<4, <8, 16>>'), got 4}}
  %w = cuda.get %held[%c] : !cuda.array<4, !cuda.vec<8, 16>>, index
  cuda.return
}

// -----

// cuda.get C1.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %c0 = arith.constant 0 : index
  %c = arith.constant -1 : index
  %v = cuda.load %src[%c0] : !cuda.ptr<16>, index -> !cuda.vec<8, 16>
  %held = cuda.registers : !cuda.array<4, !cuda.vec<8, 16>>
  // expected-error@+1 {{expected an index from 0 to 3 (because it is of '!cuda.array<4, <8, 16>>'), got -1}}
  %w = cuda.get %held[%c] : !cuda.array<4, !cuda.vec<8, 16>>, index
  cuda.return
}
