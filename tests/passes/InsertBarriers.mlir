// Ranks meet between collectives that depend on each other, on any rank, and
// only there.
// RUN: tilewire-opt %s --tile-expand-collectives --tile-fold-views --tile-insert-barriers | FileCheck %s

// CHECK-LABEL: @read_after_write
tile.kernel @read_after_write(%a: !tile.tensor<8x64xf16>, %b: !tile.tensor<2x256xf16, symmetric>, %c: !tile.tensor<8x64xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // CHECK: tile.put_grid
  tile.all_to_all %a to %b scatter 0 gather 1 permute [0, 1] : !tile.tensor<8x64xf16> -> !tile.tensor<2x256xf16, symmetric>
  // CHECK: tile.barrier_all
  // CHECK: tile.put_grid
  tile.all_to_all %b to %c scatter 1 gather 0 permute [0, 1] : !tile.tensor<2x256xf16, symmetric> -> !tile.tensor<8x64xf16, symmetric>
  tile.return
}

// The second overwrites what the first reads; the third what both wrote.
// CHECK-LABEL: @write_after
tile.kernel @write_after(%a: !tile.tensor<8x64xf16, symmetric>, %b: !tile.tensor<2x256xf16, symmetric>, %c: !tile.tensor<2x256xf16>)
    attributes {num_ranks = 4 : i64} {
  // CHECK: tile.put_grid
  tile.all_to_all %a to %b scatter 0 gather 1 permute [0, 1] : !tile.tensor<8x64xf16, symmetric> -> !tile.tensor<2x256xf16, symmetric>
  // CHECK: tile.barrier_all
  // CHECK: tile.put_grid
  tile.all_to_all %c to %a scatter 1 gather 0 permute [0, 1] : !tile.tensor<2x256xf16> -> !tile.tensor<8x64xf16, symmetric>
  // CHECK: tile.barrier_all
  // CHECK: tile.put_grid
  tile.all_to_all %a to %b scatter 0 gather 1 permute [0, 1] : !tile.tensor<8x64xf16, symmetric> -> !tile.tensor<2x256xf16, symmetric>
  tile.return
}

// CHECK-LABEL: @independent
// CHECK-NOT: tile.barrier_all
tile.kernel @independent(%a: !tile.tensor<8x64xf16>, %b: !tile.tensor<2x256xf16, symmetric>, %c: !tile.tensor<2x256xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  tile.all_to_all %a to %b scatter 0 gather 1 permute [0, 1] : !tile.tensor<8x64xf16> -> !tile.tensor<2x256xf16, symmetric>
  tile.all_to_all %a to %c scatter 0 gather 1 permute [0, 1] : !tile.tensor<8x64xf16> -> !tile.tensor<2x256xf16, symmetric>
  tile.return
}

// Halves of one tensor, and a barrier that is there.
// CHECK-LABEL: @halves
tile.kernel @halves(%a: !tile.tensor<8x64xf16>, %b: !tile.tensor<16x64xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  // CHECK: tile.put_grid
  tile.put_grid %peer {
    %from = tile.slice %a[0, 0] sizes [8, 64] : !tile.tensor<8x64xf16> -> !tile.tile<8x64xf16>
    %to = tile.slice %b[0, 0] sizes [8, 64] : !tile.tensor<16x64xf16, symmetric> -> !tile.tile<8x64xf16, symmetric>
    tile.yield %from to %to : !tile.tile<8x64xf16> -> !tile.tile<8x64xf16, symmetric>
  }
  // CHECK-NOT: tile.barrier_all
  // CHECK: tile.put_grid
  tile.put_grid %peer {
    %from = tile.slice %a[0, 0] sizes [8, 64] : !tile.tensor<8x64xf16> -> !tile.tile<8x64xf16>
    %to = tile.slice %b[8, 0] sizes [8, 64] : !tile.tensor<16x64xf16, symmetric> -> !tile.tile<8x64xf16, symmetric>
    tile.yield %from to %to : !tile.tile<8x64xf16> -> !tile.tile<8x64xf16, symmetric>
  }
  // CHECK: tile.barrier_all
  tile.barrier_all
  // CHECK-NOT: tile.barrier_all
  // CHECK: tile.put_grid
  tile.put_grid %peer {
    %from = tile.slice %b[0, 0] sizes [8, 64] : !tile.tensor<16x64xf16, symmetric> -> !tile.tile<8x64xf16, symmetric>
    %to = tile.slice %b[8, 0] sizes [8, 64] : !tile.tensor<16x64xf16, symmetric> -> !tile.tile<8x64xf16, symmetric>
    tile.yield %from to %to : !tile.tile<8x64xf16, symmetric> -> !tile.tile<8x64xf16, symmetric>
  }
  tile.return
}

// Parts of one tensor that lie apart depend on nothing of each other, whether
// read or written; what is written again does.
// CHECK-LABEL: @parts
// CHECK: tile.put_grid
// CHECK-NOT: tile.barrier_all
// CHECK: tile.put_grid
// CHECK: tile.barrier_all
// CHECK-NEXT: tile.put_grid
// CHECK-NOT: tile.barrier_all
tile.kernel @parts(%src: !tile.tensor<4x3x7xf16>, %dst: !tile.tensor<share(7)x16x2xf16, symmetric>)
    attributes {num_ranks = 4 : i64} {
  %c7 = arith.constant 7 : index
  %rank = tile.rank
  %q = tile.slice %src[0, 0, 0] sizes [4, 1, 7] permute [0, 2] : !tile.tensor<4x3x7xf16> -> !tile.tile<4x7xf16>
  %heads = tile.share_size %c7 on %rank
  %first = tile.slice %dst[0, 0, 0] sizes [%heads, 16, 1] permute [0, 1]
    : !tile.tensor<share(7)x16x2xf16, symmetric> -> !tile.tile<?x16xf16, symmetric>
  %second = tile.slice %dst[0, 0, 1] sizes [%heads, 16, 1] permute [0, 1]
    : !tile.tensor<share(7)x16x2xf16, symmetric> -> !tile.tile<?x16xf16, symmetric>
  tile.all_to_all %q to %first scatter 1 gather 0 permute [1, 0] : !tile.tile<4x7xf16> -> !tile.tile<?x16xf16, symmetric>
  tile.all_to_all %q to %second scatter 1 gather 0 permute [1, 0] : !tile.tile<4x7xf16> -> !tile.tile<?x16xf16, symmetric>
  tile.all_to_all %q to %second scatter 1 gather 0 permute [1, 0] : !tile.tile<4x7xf16> -> !tile.tile<?x16xf16, symmetric>
  tile.return
}
