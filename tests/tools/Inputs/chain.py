# Prints a kernel whose offset is computed in a chain of as many operations as the
# first argument says, each of one operand that is used `twice`, or `named` x, as
# the second may say.
import sys

length = int(sys.argv[1])
kind = sys.argv[2] if len(sys.argv) > 2 else ""
print("""tile.kernel @k(%src: !tile.tensor<64x8xf16>, %dst: !tile.tensor<64x8xf16>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 8>, threads = 1 : i64} {
  %v0 = tile.block_index 0
  %t = tile.rank""")
for i in range(length):
    op = "muli" if i % 2 else "addi"
    other = f"%v{i}" if kind == "twice" else "%t"
    name = ' loc("x")' if kind == "named" else ""
    print(f"  %v{i + 1} = arith.{op} %v{i}, {other} : index{name}")
print(f"""  %from = tile.slice %src[%v{length}, 0] sizes [1, 8] : !tile.tensor<64x8xf16> -> !tile.tile<1x8xf16>
  %to = tile.slice %dst[0, 0] sizes [1, 8] : !tile.tensor<64x8xf16> -> !tile.tile<1x8xf16>
  tile.copy %from to %to : !tile.tile<1x8xf16> -> !tile.tile<1x8xf16>
  tile.return
}}""")
