"""Random words as code: a launch ends in our words and in time, whatever they say."""

import random
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tests.machine.random_code.template import STATE_BYTES, WORDS, template
from wavemma.isa.ordinary.catalog import ordinary_table
from wavemma.tables.targets import target

SCRIPT = """
import sys
from wavemma.errors import WavemmaError
from wavemma.machine.device import Device

folder, name, at, wave = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
kernel = open(folder + "/k", "rb").read()
device = Device(name, threads=1)
state = device.memory.allocate({bytes})
used = device.memory.used_bytes
ends = dict()
for number, code in enumerate(open(folder + "/codes").read().split()):
    code = bytes.fromhex(code)
    module = device.load(kernel[:at] + code + kernel[at + len(code):])
    end = "ended"
    try:
        device.launch(module, "k", 2, 2 * wave, [state], seconds=1, interpreted=number % 4 == 3)
    except WavemmaError as error:
        end = type(error).__name__
        assert str(error)
    module.unload()
    assert device.memory.used_bytes == used, number
    ends[end] = ends.get(end, 0) + 1
print("done", sorted(ends.items()))
"""


def words(architecture: str, generator: random.Random) -> bytes:
    """Draw code: words of any bits, and words of known instructions whose other bits are any."""
    table = ordinary_table(architecture)
    rows = table.rows.instructions
    found = b""
    share = generator.choice([0.5, 0.9, 1.0])
    while len(found) < 4 * generator.choice([8, 40, 200]):
        if generator.random() > share:
            found += struct.pack("<I", generator.getrandbits(32))
            continue
        form = table.form(generator.choice(rows), "")
        bits = form.base
        for slot in form.slots:
            if slot.field is not None:
                bits |= slot.field.put(generator.getrandbits(min(slot.field.width_bits, 9)))
        for setting in form.settings:
            if generator.random() < 0.2:
                bits |= setting.put(generator.getrandbits(len(setting.bits)))
        found += bits.to_bytes(form.size_bytes, "little")
    return found[: 4 * WORDS]


@pytest.mark.parametrize(("name", "wave"), [("gfx1100", 32), ("gfx1201", 32), ("gfx942", 64)])
@pytest.mark.parametrize(
    ("first", "end"), [(0, 6), pytest.param(1000, 3000, marks=pytest.mark.nightly)]
)
def test_random_words(tmp_path: Path, name: str, wave: int, first: int, end: int) -> None:
    # In a process of its own, so that a crash is told as a failure.
    kernel, at = template(name, wave)
    (tmp_path / "k").write_bytes(kernel)
    architecture = target(name).architecture
    codes = [words(architecture, random.Random(seed)).hex() for seed in range(first, end)]
    (tmp_path / "codes").write_text("\n".join(codes))
    script = SCRIPT.replace("{bytes}", str(STATE_BYTES))
    command = (sys.executable, "-c", script, str(tmp_path), name, str(at), str(wave))
    limit = 60 + 4 * (end - first)
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith("done"), done.stdout
    # They end in more than one way: not every code stops at its first word.
    assert done.stdout.count("(") >= 2, done.stdout
