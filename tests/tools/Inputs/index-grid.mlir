tile.kernel @k()
    attributes {num_ranks = 2 : i64, grid = array<index: 8, 4>, threads = 32 : i64} {
  tile.return
}
