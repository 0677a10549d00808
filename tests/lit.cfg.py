# The lit suite: dialects, passes, emit, programs and tools. The same tests run
# in the build tree and in the portable archive; lit.site.cfg.py names places.
#
# Features a test may require:
#   gpu, gpu4      one GPU, four GPUs
#   nvrtc          generated text can be compiled for a GPU
#   emulator       generated text can be compiled for the CPU
#
# %nvrtc compiles a generated text, or does nothing where there is no NVRTC.
import json
import os
import re
import subprocess
import sys

import lit.formats

config.name = "Tilewire"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["unit", "ranks", "install", "output", "Inputs"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))

# FileCheck, not and count come from one place, whatever else is installed.
config.environment["PATH"] = os.pathsep.join(
    [config.checkers_dir, config.programs_dir, config.environment["PATH"]]
)
for name, value in os.environ.items():
    if name.startswith(("CUDA_", "CXX", "TILEWIRE_")):
        config.environment[name] = value
# Kernels compiled by tests stay beside the tests' other output.
config.environment["TILEWIRE_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")



def quoted(path):
    """A word of a RUN line, in a folder of whatever name."""
    return f'"{path}"' if " " in path else path


if " " in config.test_source_root + config.test_exec_root:
    for letter in "sStT":
        config.substitutions.append((f"%{letter}\\b", f'"%{letter}"'))

# Programs are named in full, so that a printed command can be run by hand.
for name in sorted(os.listdir(config.programs_dir)):
    word = r"(?<![\w./-])" + re.escape(name) + r"(?![\w.-])"
    config.substitutions.append((word, quoted(os.path.join(config.programs_dir, name))))
config.substitutions.append(("%python", quoted(sys.executable)))


def inspect_machine():
    """What `tilewire-info --json` says this machine can do."""
    command = [os.path.join(config.programs_dir, "tilewire-info"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        lit_config.fatal(f"{' '.join(command)} failed: {done.stderr.strip()}")
    return json.loads(done.stdout)


machine = inspect_machine()
if machine["cuda"]["devices"]:
    config.available_features.add("gpu")
if len(machine["cuda"]["devices"]) >= 4:
    config.available_features.add("gpu4")
if machine["nvrtc"]["found"]:
    config.available_features.add("nvrtc")
# Compiles a text for the oldest architecture and every newer one, where it can.
config.substitutions.append(
    (
        "%nvrtc",
        quoted(os.path.join(config.programs_dir, "tilewire-nvrtc")) + " --all-newer"
        if machine["nvrtc"]["found"]
        else "true",
    )
)
if machine["emulator"]["found"]:
    config.available_features.add("emulator")
