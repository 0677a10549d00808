// A tile may start anywhere: the offset of its first element, from 1 to 15, cuts
// the vector on the side where it stands, local or remote.
// RUN: tilewire-opt %s --tile-plan-transfers | FileCheck %s

// CHECK-LABEL: @from_1(
// CHECK: plan <vector = 1, unroll = 1, order = destination>
tile.kernel @from_1(%src: !tile.tensor<64xi8>, %dst: !tile.tensor<64xi8>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[1] sizes [32] : !tile.tensor<64xi8> -> !tile.tile<32xi8>
  %to = tile.slice %dst[0] sizes [32] : !tile.tensor<64xi8> -> !tile.tile<32xi8>
  tile.copy %from to %to : !tile.tile<32xi8> -> !tile.tile<32xi8>
  tile.return
}

// CHECK-LABEL: @from_2(
// CHECK: plan <vector = 2, unroll = 1, order = destination>
tile.kernel @from_2(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[2] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
  %to = tile.slice %dst[0] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
  tile.copy %from to %to : !tile.tile<32xf16> -> !tile.tile<32xf16>
  tile.return
}

// CHECK-LABEL: @to_3(
// CHECK: plan <vector = 1, unroll = 1, order = destination>
tile.kernel @to_3(%src: !tile.tensor<64xi8>, %dst: !tile.tensor<64xi8>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [32] : !tile.tensor<64xi8> -> !tile.tile<32xi8>
  %to = tile.slice %dst[3] sizes [32] : !tile.tensor<64xi8> -> !tile.tile<32xi8>
  tile.copy %from to %to : !tile.tile<32xi8> -> !tile.tile<32xi8>
  tile.return
}

// CHECK-LABEL: @from_4(
// CHECK: plan <vector = 4, unroll = 1, order = destination>
tile.kernel @from_4(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[4] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
  %to = tile.slice %dst[0] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
  tile.copy %from to %to : !tile.tile<32xf16> -> !tile.tile<32xf16>
  tile.return
}

// CHECK-LABEL: @from_5(
// CHECK: plan <vector = 1, unroll = 1, order = destination>
tile.kernel @from_5(%src: !tile.tensor<64xi8>, %dst: !tile.tensor<64xi8>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[5] sizes [32] : !tile.tensor<64xi8> -> !tile.tile<32xi8>
  %to = tile.slice %dst[0] sizes [32] : !tile.tensor<64xi8> -> !tile.tile<32xi8>
  tile.copy %from to %to : !tile.tile<32xi8> -> !tile.tile<32xi8>
  tile.return
}

// CHECK-LABEL: @to_6(
// CHECK: plan <vector = 2, unroll = 1, order = destination>
tile.kernel @to_6(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
  %to = tile.slice %dst[6] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
  tile.copy %from to %to : !tile.tile<32xf16> -> !tile.tile<32xf16>
  tile.return
}

// CHECK-LABEL: @from_7(
// CHECK: plan <vector = 1, unroll = 1, order = destination>
tile.kernel @from_7(%src: !tile.tensor<64xi8>, %dst: !tile.tensor<64xi8>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[7] sizes [32] : !tile.tensor<64xi8> -> !tile.tile<32xi8>
  %to = tile.slice %dst[0] sizes [32] : !tile.tensor<64xi8> -> !tile.tile<32xi8>
  tile.copy %from to %to : !tile.tile<32xi8> -> !tile.tile<32xi8>
  tile.return
}

// CHECK-LABEL: @from_8(
// CHECK: plan <vector = 8, unroll = 1, order = destination>
tile.kernel @from_8(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[8] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
  %to = tile.slice %dst[0] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
  tile.copy %from to %to : !tile.tile<32xf16> -> !tile.tile<32xf16>
  tile.return
}

// CHECK-LABEL: @to_9(
// CHECK: plan <vector = 1, unroll = 1, order = destination>
tile.kernel @to_9(%src: !tile.tensor<64xi8>, %dst: !tile.tensor<64xi8>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [32] : !tile.tensor<64xi8> -> !tile.tile<32xi8>
  %to = tile.slice %dst[9] sizes [32] : !tile.tensor<64xi8> -> !tile.tile<32xi8>
  tile.copy %from to %to : !tile.tile<32xi8> -> !tile.tile<32xi8>
  tile.return
}

// CHECK-LABEL: @from_10(
// CHECK: plan <vector = 2, unroll = 1, order = destination>
tile.kernel @from_10(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[10] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
  %to = tile.slice %dst[0] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
  tile.copy %from to %to : !tile.tile<32xf16> -> !tile.tile<32xf16>
  tile.return
}

// CHECK-LABEL: @from_11(
// CHECK: plan <vector = 1, unroll = 1, order = destination>
tile.kernel @from_11(%src: !tile.tensor<64xi8>, %dst: !tile.tensor<64xi8>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[11] sizes [32] : !tile.tensor<64xi8> -> !tile.tile<32xi8>
  %to = tile.slice %dst[0] sizes [32] : !tile.tensor<64xi8> -> !tile.tile<32xi8>
  tile.copy %from to %to : !tile.tile<32xi8> -> !tile.tile<32xi8>
  tile.return
}

// CHECK-LABEL: @to_12(
// CHECK: plan <vector = 4, unroll = 1, order = destination>
tile.kernel @to_12(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
  %to = tile.slice %dst[12] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
  tile.copy %from to %to : !tile.tile<32xf16> -> !tile.tile<32xf16>
  tile.return
}

// CHECK-LABEL: @from_13(
// CHECK: plan <vector = 1, unroll = 1, order = destination>
tile.kernel @from_13(%src: !tile.tensor<64xi8>, %dst: !tile.tensor<64xi8>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[13] sizes [32] : !tile.tensor<64xi8> -> !tile.tile<32xi8>
  %to = tile.slice %dst[0] sizes [32] : !tile.tensor<64xi8> -> !tile.tile<32xi8>
  tile.copy %from to %to : !tile.tile<32xi8> -> !tile.tile<32xi8>
  tile.return
}

// CHECK-LABEL: @from_14(
// CHECK: plan <vector = 2, unroll = 1, order = destination>
tile.kernel @from_14(%src: !tile.tensor<64xf16>, %dst: !tile.tensor<64xf16>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[14] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
  %to = tile.slice %dst[0] sizes [32] : !tile.tensor<64xf16> -> !tile.tile<32xf16>
  tile.copy %from to %to : !tile.tile<32xf16> -> !tile.tile<32xf16>
  tile.return
}

// CHECK-LABEL: @to_15(
// CHECK: plan <vector = 1, unroll = 1, order = destination>
tile.kernel @to_15(%src: !tile.tensor<64xi8>, %dst: !tile.tensor<64xi8>) attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %from = tile.slice %src[0] sizes [32] : !tile.tensor<64xi8> -> !tile.tile<32xi8>
  %to = tile.slice %dst[15] sizes [32] : !tile.tensor<64xi8> -> !tile.tile<32xi8>
  tile.copy %from to %to : !tile.tile<32xi8> -> !tile.tile<32xi8>
  tile.return
}
