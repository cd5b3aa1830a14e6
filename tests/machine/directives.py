"""What the compiler tells the assembler about a kernel: the outside word on its start."""

import functools
import re
import subprocess
import tempfile
from pathlib import Path

from tests.objects.compiled import FREE, ZIG


@functools.cache
def directives(kernel: str, target: str, *options: str, source: str) -> dict[str, int]:
    """Give the `.amdhsa_` directives of a kernel by name; those that are no plain number left out.

    Numbers that the compiler writes as symbols of the same file are looked up in it.
    """
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "k.hip"
        place.write_text(source)
        device = ("-x", "hip", "--offload-device-only", "-S", f"--offload-arch={target}")
        command = (*ZIG, "clang", *device, *FREE, *options, str(place), "-o", f"{folder}/k.s")
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stderr
        text = Path(folder, "k.s").read_text()
    (part,) = re.findall(rf"\.amdhsa_kernel {kernel}\n(.*?)\.end_amdhsa_kernel", text, re.S)
    known = dict(re.findall(r"\.set ([\w.]+), (\w+)\n", text))
    found = {}
    for name, value in re.findall(r"\.amdhsa_(\w+) (.+)", part):
        number = known.get(value, value)
        if number.isdecimal():
            found[name] = int(number)
    return found
