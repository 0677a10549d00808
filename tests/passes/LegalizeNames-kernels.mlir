// A kernel is called what the user called it, unless C++ or CUDA took that.
// RUN: tilewire-opt %s --cuda-legalize-names | FileCheck %s

// CHECK: cuda.kernel @all_to_all(
cuda.kernel @all_to_all()
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}
// CHECK: cuda.kernel @all_to_all2(
cuda.kernel @"all to all"()
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}
// CHECK: cuda.kernel @int_(
cuda.kernel @int()
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}
// CHECK: cuda.kernel @main_(
cuda.kernel @main()
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}
// CHECK: cuda.kernel @world_(
cuda.kernel @world()
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}
// CHECK: cuda.kernel @min_(
cuda.kernel @min()
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}
// CHECK: cuda.kernel @printf2(
cuda.kernel @printf()
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}
// CHECK: cuda.kernel @exp3(
cuda.kernel @exp()
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}
// CHECK: cuda.kernel @float4_2(
cuda.kernel @float4()
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}
// CHECK: cuda.kernel @v(
cuda.kernel @""()
    attributes {num_ranks = 4 : i64, threads = 256 : i64, max_blocks = 8 : i64} {
  cuda.return
}
