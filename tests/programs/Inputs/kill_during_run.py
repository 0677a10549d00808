"""Kills rank 2, or the launcher, of a job of four ranks while kernels run.

usage: kill_during_run.py rank|launcher FOLDER LAUNCHER PROGRAM

Prints the launcher's exit code, "nothing left" once no process, socket, shared
memory or temporary file of the job exists, and the job's output.
"""

import os
import signal
import subprocess
import sys
import time

LIMIT_S = 10  # for the others to end after the kill
START_S = 60  # for the ranks to run their kernel, compiling it included


def wait_for(what, condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"expected {what} within {seconds} s")
        time.sleep(0.02)


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:  # the process is gone
        return b""


def environment(process):
    pairs = read(f"/proc/{process}/environ").split(b"\0")
    return dict(pair.split(b"=", 1) for pair in pairs if b"=" in pair)


def children(process):
    text = read(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in text.split()]


def ranks_of(launcher):
    """Process ids by rank; each is its guard's child."""
    found = {}
    for guard in children(launcher):
        for child in children(guard):
            rank = environment(child).get(b"TILEWIRE_RANK")
            if rank is not None:
                found[int(rank)] = child
    return found


def is_running_kernels(process):
    """A loaded kernel shows as a mapping of a deleted or anonymous file."""
    return read(f"/proc/{process}/maps").count(b"memfd:") >= 2


def is_alive(process):
    status = read(f"/proc/{process}/stat")
    return bool(status) and status.rsplit(b")", 1)[1].split()[0] != b"Z"


def main():
    victim, folder, launcher, program = sys.argv[1:]
    shape = ["--batch-size", "1", "--num-heads", "8", "--seq-len", "64"]
    run = ["--backend", "emulator", "--warmup", "0", "--rep", "1000000"]
    job = subprocess.Popen(
        [launcher, "-n", "4", program, *shape, *run],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "TMPDIR": folder},
    )
    shared_before = set(os.listdir("/dev/shm"))
    wait_for("four ranks", lambda: len(ranks_of(job.pid)) == 4, START_S)
    ranks = ranks_of(job.pid)
    wait_for(
        "kernels on every rank",
        lambda: all(is_running_kernels(rank) for rank in ranks.values()),
        START_S,
    )
    time.sleep(0.5)  # some launches
    sockets = environment(ranks[0])[b"TILEWIRE_RENDEZVOUS"]

    os.kill(ranks[2] if victim == "rank" else job.pid, signal.SIGKILL)
    output, _ = job.communicate(timeout=LIMIT_S)
    wait_for(
        "no rank left", lambda: not any(map(is_alive, ranks.values())), LIMIT_S
    )
    print("exit code", job.returncode)

    left = [name for name in os.listdir(folder)]
    left += [
        name
        for name in set(os.listdir("/dev/shm")) - shared_before
        if "tilewire" in name
    ]
    if sockets in read("/proc/net/unix"):
        left.append(sockets.decode())
    print("left: " + ", ".join(left) if left else "nothing left")
    print(output.decode())


main()
