"""ziglang's assembler with the text of 16-bit halves switched on."""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.oracles.assemblers import TRIPLE, text_section

HALVES = ("-Xclangas", "-target-feature", "-Xclangas", "+real-true16")


def assembled(lines: Sequence[str], target: str) -> tuple[bytes, str]:
    """Assemble for waves of 32; give .text (empty if it fails) and the complaints."""
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder, "k.s"), Path(folder, "k.o")
        source.write_text("\n".join(lines) + "\n")
        command = [sys.executable, "-m", "ziglang", "clang", f"--target={TRIPLE}"]
        options = [f"-mcpu={target}", *HALVES, "-c", str(source), "-o", str(result)]
        done = subprocess.run(
            [*command, *options], capture_output=True, text=True, check=False, timeout=300
        )
        elf = result.read_bytes() if result.exists() else b""
    return (text_section(elf) if elf else b""), done.stderr
