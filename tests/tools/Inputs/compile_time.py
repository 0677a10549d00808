# Prints the CPU time that the compiler given takes for bodies of more and more
# moves, to the largest number given, and fails where ten times as many take more
# than forty times as long: linear time is ten, quadratic a hundred.
import resource
import subprocess
import sys

HEAD = """
tile.kernel @k(%src: !tile.tensor<64x64xf16>, %dst: !tile.tensor<64x64xf16, symmetric>)
    attributes {num_ranks = 4 : i64, grid = array<i64: 7>, threads = 8 : i64} {
  %rank = tile.rank
  %row0 = tile.block_index 0
"""
MOVE = """
  %cTHIS = arith.constant FACTOR : index
  %rowNEXT = arith.muli %row0, %cTHIS : index loc("row")
  %fromNEXT = tile.slice %src[%rowNEXT, 0] sizes [1, 64] : !tile.tensor<64x64xf16> -> !tile.tile<1x64xf16>
  %toNEXT = tile.slice %dst[%rowNEXT, 0] sizes [1, 64]
    : !tile.tensor<64x64xf16, symmetric> -> !tile.tile<1x64xf16, symmetric>
  tile.put_block %fromNEXT to %toNEXT on %rank
    : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16, symmetric>
"""


def cpu_time(moves):
    body = "".join(
        MOVE.replace("NEXT", str(i + 1))
        .replace("THIS", str(i))
        .replace("FACTOR", str(i % 11))
        for i in range(moves)
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.argv[1], "-"],
        input=HEAD + body + "  tile.return\n}\n",
        text=True,
        stdout=subprocess.DEVNULL,
        timeout=300,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


last, moves = None, 10
while moves <= int(sys.argv[2]):
    seconds = cpu_time(moves)
    print(f"{moves} moves: {seconds:.3f} s")
    # What takes less than this is mostly the program's start.
    if last is not None and last > 0.05 and seconds > 40 * last:
        sys.exit(f"expected at most {40 * last:.3f} s")
    last, moves = seconds, moves * 10
