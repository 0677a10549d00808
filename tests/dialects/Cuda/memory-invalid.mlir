// Each constraint of loads, stores and their types is checked.
// RUN: tilewire-opt %s --verify-diagnostics --split-input-file

// cuda.load C1.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  // expected-error@+1 {{expected pointer and vector of equal element width, got 16 and 32 bits}}
  %1 = cuda.load %src[%0] : !cuda.ptr<16>, index -> !cuda.vec<4, 32>
  cuda.return
}

// -----

// cuda.store C1.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
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
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  %1 = cuda.load %src[%0] : !cuda.ptr<16>, index -> !cuda.vec<8, 16>
  // expected-error@+1 {{expected argument 0 ('src') to have 'cuda.written' (because a pointer to write to is taken)}}
  cuda.store %1, %src[%0] : !cuda.vec<8, 16>, !cuda.ptr<16>, index
  cuda.return
}

// -----

// cuda.on_peer C1.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16, symmetric>})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  // expected-error@+1 {{expected argument 0 ('src') to have 'cuda.written' (because a pointer to write to is taken)}}
  %1 = cuda.on_peer %src, %0 : !cuda.ptr<16>, index
  cuda.return
}

// -----

// cuda.on_peer C2: a tensor that no peer can address.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>, cuda.written},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  // expected-error@+1 {{expected argument 0 ('src') to be symmetric (because a peer's copy is meant), got '!tile.tensor<64xf16>'}}
  %1 = cuda.on_peer %src, %0 : !cuda.ptr<16>, index
  cuda.return
}

// -----

// cuda.on_peer C1: a pointer that is a peer's already.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  %1 = cuda.on_peer %dst, %0 : !cuda.ptr<16>, index
  // expected-error@+1 {{expected an argument of the kernel (because it is this rank's copy), got a computed pointer}}
  %2 = cuda.on_peer %1, %0 : !cuda.ptr<16>, index
  cuda.return
}

// -----

// cuda.on_peer C3: no rank of the kernel.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %c = arith.constant 4 : index
  // expected-error@+1 {{expected a peer from 0 to 3 (because the kernel has 4 ranks), got 4}}
  %1 = cuda.on_peer %dst, %c : !cuda.ptr<16>, index
  cuda.return
}

// -----

// cuda.on_peer C3: no rank of the kernel.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %c = arith.constant -1 : i32
  // expected-error@+1 {{expected a peer from 0 to 3 (because the kernel has 4 ranks), got -1}}
  %1 = cuda.on_peer %dst, %c : !cuda.ptr<16>, i32
  cuda.return
}

// -----

// cuda.on_peer C3: no rank of the kernel.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %c = arith.constant 9 : i64
  // expected-error@+1 {{expected a peer from 0 to 3 (because the kernel has 4 ranks), got 9}}
  %1 = cuda.on_peer %dst, %c : !cuda.ptr<16>, i64
  cuda.return
}

// -----

// cuda.load C2: an offset between two vectors.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %c = arith.constant 3 : index
  // expected-error@+1 {{expected an offset that is a multiple of 8 (because it moves '!cuda.vec<8, 16>'), got 3}}
  %1 = cuda.load %src[%c] : !cuda.ptr<16>, index -> !cuda.vec<8, 16>
  cuda.return
}

// -----

// cuda.load C2: the first vector behind the tensor.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %c = arith.constant 64 : i32
  // expected-error@+1 {{expected 8 elements of '!tile.tensor<64xf16>', got those from 64}}
  %1 = cuda.load %src[%c] : !cuda.ptr<16>, i32 -> !cuda.vec<8, 16>
  cuda.return
}

// -----

// cuda.load C2: a vector before the tensor of a peer.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  %1 = cuda.on_peer %dst, %0 : !cuda.ptr<16>, index
  %c = arith.constant -8 : i64
  // expected-error@+1 {{expected 8 elements of '!tile.tensor<64xf16, symmetric>', got those from -8}}
  %2 = cuda.load %1[%c] : !cuda.ptr<16>, i64 -> !cuda.vec<8, 16>
  cuda.return
}

// -----

// cuda.load C2: a tensor smaller than a vector.
cuda.kernel @k(%small: !cuda.ptr<16> {cuda.tensor = !tile.tensor<4xf16>})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %c = arith.constant 0 : index
  // expected-error@+1 {{expected 8 elements of '!tile.tensor<4xf16>', got those from 0}}
  %1 = cuda.load %small[%c] : !cuda.ptr<16>, index -> !cuda.vec<8, 16>
  cuda.return
}

// -----

// cuda.store C3: an offset between two vectors.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %c0 = arith.constant 0 : index
  %c = arith.constant 4 : index
  %v = cuda.load %src[%c0] : !cuda.ptr<16>, index -> !cuda.vec<8, 16>
  // expected-error@+1 {{expected an offset that is a multiple of 8 (because it moves '!cuda.vec<8, 16>'), got 4}}
  cuda.store %v, %dst[%c] : !cuda.vec<8, 16>, !cuda.ptr<16>, index
  cuda.return
}

// -----

// cuda.store C3: behind the tensor of a peer.
cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %c56 = arith.constant 56 : index
  %c = arith.constant 72 : index
  %c0 = arith.constant 0 : index
  %v = cuda.load %src[%c56] : !cuda.ptr<16>, index -> !cuda.vec<8, 16>
  %1 = cuda.on_peer %dst, %c0 : !cuda.ptr<16>, index
  // expected-error@+1 {{expected 8 elements of '!tile.tensor<64xf16, symmetric>', got those from 72}}
  cuda.store %v, %1[%c] : !cuda.vec<8, 16>, !cuda.ptr<16>, index
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
