// Pointers of peers, loads and stores print with their types.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %peer = cuda.rank : index
  // CHECK: cuda.on_peer %dst, %{{.*}} : <16>, index
  %0 = cuda.on_peer %dst, %peer : !cuda.ptr<16>, index
  // CHECK: cuda.load %src[%{{.*}}] : <16>, index -> <8, 16>
  %1 = cuda.load %src[%peer] : !cuda.ptr<16>, index -> !cuda.vec<8, 16>
  // CHECK: cuda.store %{{.*}}, %{{.*}}[%{{.*}}] : <8, 16>, <16>, index
  cuda.store %1, %0[%peer] : !cuda.vec<8, 16>, !cuda.ptr<16>, index
  cuda.return
}
