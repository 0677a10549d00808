"""Runs two jobs of four ranks at the same time, three times.

usage: two_jobs.py LAUNCHER PROGRAM

Prints each job's exit code and number of passed checks, of the last time.
"""

import subprocess
import sys

launcher, program = sys.argv[1:]
shape = ["--batch-size", "1", "--num-heads", "8", "--seq-len", "64"]
run = ["--backend", "emulator", "--warmup", "0", "--rep", "2"]
for attempt in range(3):
    jobs = [
        subprocess.Popen(
            [launcher, "-n", "4", program, *shape, *run, "--head-dim", head_dim],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for head_dim in ("16", "8")
    ]
    outputs = [job.communicate(timeout=120)[0] for job in jobs]
    lines = [
        f"job {number}: exit code {job.returncode}, "
        f"{output.count('check passed')} checks passed"
        for number, (job, output) in enumerate(zip(jobs, outputs))
    ]
    if any(job.returncode != 0 for job in jobs):
        print(*outputs, sep="\n")
        break
print(*lines, sep="\n")
