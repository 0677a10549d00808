// Arrays in registers, and what reads and writes them, print with their types.
// RUN: tilewire-opt %s | tilewire-opt | FileCheck %s

cuda.kernel @k(%src: !cuda.ptr<16> {tile.name = "src", cuda.tensor = !tile.tensor<64xf16>},
               %dst: !cuda.ptr<16> {tile.name = "dst", cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  %0 = cuda.rank : index
  // CHECK: %[[HELD:.*]] = cuda.registers : <4, <8, 16>>
  %held = cuda.registers : !cuda.array<4, !cuda.vec<8, 16>>
  // CHECK: %[[ONE:.*]] = cuda.get %[[HELD]][%{{.*}}] : <4, <8, 16>>, index
  %1 = cuda.get %held[%0] : !cuda.array<4, !cuda.vec<8, 16>>, index
  // CHECK: cuda.set %[[ONE]], %[[HELD]][%{{.*}}] : <4, <8, 16>>, index
  cuda.set %1, %held[%0] : !cuda.array<4, !cuda.vec<8, 16>>, index
  cuda.return
}
