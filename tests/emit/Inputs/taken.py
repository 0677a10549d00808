# Prints the text of a kernel for each name that stands on standard input, made
# by the compiler given; tensors and the index have that name too.
import subprocess
import sys

PROGRAM = """
tile.kernel @NAME(%src: !tile.tensor<8xf16> {tile.name = "NAME"}, %dst: !tile.tensor<8xf16>)
    attributes {num_ranks = 1 : i64, grid = array<i64: 8>, threads = 32 : i64} {
  %i = tile.block_index 0 loc("NAME")
  %from = tile.slice %src[%i] sizes [1] : !tile.tensor<8xf16> -> !tile.tile<1xf16>
  %to = tile.slice %dst[%i] sizes [1] : !tile.tensor<8xf16> -> !tile.tile<1xf16>
  tile.copy %from to %to : !tile.tile<1xf16> -> !tile.tile<1xf16>
  tile.return
}
"""

for name in sys.stdin.read().split():
    program = PROGRAM.replace("NAME", name)
    done = subprocess.run(
        [sys.argv[1], "-"], input=program, text=True, stdout=subprocess.PIPE, timeout=60
    )
    if done.returncode != 0:
        sys.exit(f"{name}: {sys.argv[1]} exits with {done.returncode}")
    print(done.stdout)
