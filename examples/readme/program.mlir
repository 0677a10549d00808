// The kernel of exchange_rows.cpp, written as tile IR.
tile.kernel @exchange_rows(
    %src: !tile.tensor<4x256xi32> {tile.name = "src"},
    %dst: !tile.tensor<4x256xi32, symmetric> {tile.name = "dst"})
    attributes {num_ranks = 4 : i64, grid = array<i64: 4>, threads = 64 : i64,
                completion} {
  %peer = tile.block_index 0 loc("peer")
  %rank = tile.rank
  %from = tile.slice %src[%peer, 0] sizes [1, 256]
    : !tile.tensor<4x256xi32> -> !tile.tile<1x256xi32>
  %to = tile.slice %dst[%rank, 0] sizes [1, 256]
    : !tile.tensor<4x256xi32, symmetric> -> !tile.tile<1x256xi32, symmetric>
  tile.put_block %from to %to on %peer
    : !tile.tile<1x256xi32> -> !tile.tile<1x256xi32, symmetric>
  tile.return
}
