# Prints a kernel whose offset is computed in a long chain of operations.
length = 20000
print("""tile.kernel @k(%src: memref<64x8xf16>, %dst: memref<64x8xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 1 : i64} {
  %v0 = tile.block_index 0
  %t = tile.rank""")
for i in range(length):
    op = "muli" if i % 2 else "addi"
    print(f"  %v{i + 1} = arith.{op} %v{i}, %t : index")
print(f"""  %from = tile.slice %src[%v{length}, 0] sizes [1, 8] : memref<64x8xf16> -> !tile.tile<1x8xf16>
  %to = tile.slice %dst[0, 0] sizes [1, 8] : memref<64x8xf16> -> !tile.tile<1x8xf16>
  tile.copy %from to %to : !tile.tile<1x8xf16> -> !tile.tile<1x8xf16>
  tile.return
}}""")
