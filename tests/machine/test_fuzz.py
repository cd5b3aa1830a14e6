"""Files with changed bytes: whatever they hold, a launch ends in our words and in time."""

import subprocess
import sys

import pytest

from tests.objects.compiled import linked

KERNEL = 'extern "C" __attribute__((global)) void k(int *out, int n) { *out = n; }'
SCRIPT = """
import random, sys
import numpy as np
from wavemma.errors import WavemmaError
from wavemma.machine.device import Device

data = open(sys.argv[1], "rb").read()
device = Device("gfx1100", threads=1)
out = device.memory.allocate(4)
used = device.memory.used_bytes
for seed in range(*map(int, sys.argv[2:])):
    generator = random.Random(seed)
    changed = bytearray(data)
    for _ in range(generator.choice([1, 2, 8])):
        changed[generator.randrange(len(data))] = generator.randrange(256)
    if seed % 5 == 0:
        del changed[generator.randrange(len(data)) :]
    try:
        module = device.load(bytes(changed))
        try:
            device.launch(module, "k", 1, 32, [out, np.int32(3)], seconds=1)
        finally:
            module.unload()
    except WavemmaError:
        pass
    assert device.memory.used_bytes == used, seed
print("done")
"""


@pytest.mark.parametrize(
    ("first", "end"), [(100, 300), pytest.param(1000, 3000, marks=pytest.mark.nightly)]
)
def test_changed_bytes(tmp_path, first, end):
    # In a process of its own, so that a crash is told as a failure.
    path = tmp_path / "k.hsaco"
    path.write_bytes(linked("gfx1100", "-O1", source=KERNEL))
    command = (sys.executable, "-c", SCRIPT, str(path), str(first), str(end))
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr[-2000:]
