"""Outside assemblers: text to the bytes of .text. One that is missing fails the test that asks."""

import io
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from elftools.elf.elffile import ELFFile

LLVM_MC = "llvm-mc-22"
TRIPLE = "amdgcn-amd-amdhsa"
TRITON = """
import sys
from triton._C.libtriton import amd, llvm
llvm.init_targets()
out = amd.assemble_amdgcn(sys.stdin.read(), sys.argv[1], sys.argv[2], sys.argv[3])
sys.stdout.buffer.write(out)
"""


def text_section(elf: bytes) -> bytes:
    section = ELFFile(io.BytesIO(elf)).get_section_by_name(".text")
    assert section is not None
    return bytes(section.data())


def zig(lines: Sequence[str], target: str, wave: int) -> tuple[bytes, str]:
    """Assemble with ziglang's clang; give .text (empty if it fails) and the complaints."""
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder, "k.s"), Path(folder, "k.o")
        source.write_text("\n".join(lines) + "\n")
        mode = ["-mwavefrontsize64"] if has_mode(target, wave) else []
        command = [sys.executable, "-m", "ziglang", "clang", f"--target={TRIPLE}"]
        options = [f"-mcpu={target}", *mode, "-c", str(source), "-o", str(result)]
        done = subprocess.run(
            [*command, *options], capture_output=True, text=True, check=False, timeout=300
        )
        elf = result.read_bytes() if result.exists() else b""
    return (text_section(elf) if elf else b""), done.stderr


def llvm_mc(lines: Sequence[str], target: str, wave: int) -> tuple[bytes, str]:
    """Assemble with Debian's llvm-mc-22."""
    assert shutil.which(LLVM_MC), f"apt-get install llvm-22: {LLVM_MC} is an oracle"
    done = subprocess.run(
        [LLVM_MC, *_options(target, wave), "-filetype=obj", "-o", "-"],
        input=("\n".join(lines) + "\n").encode(),
        capture_output=True,
        check=False,
        timeout=300,
    )
    ok = done.returncode == 0
    return (text_section(done.stdout) if ok else b""), done.stderr.decode()


def llvm_mc_disassemble(data: bytes, target: str, wave: int) -> list[str]:
    """Disassemble with Debian's llvm-mc-22, a text each instruction."""
    assert shutil.which(LLVM_MC), f"apt-get install llvm-22: {LLVM_MC} is an oracle"
    done = subprocess.run(
        [LLVM_MC, *_options(target, wave), "-disassemble"],
        input="\n".join(
            " ".join(f"0x{byte:02x}" for byte in data[n : n + 8]) for n in range(0, len(data), 8)
        ),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return [
        line.strip()
        for line in done.stdout.splitlines()
        if re.match(r"\s+\w+ ", line) and not line.strip().startswith(".")
    ]


def triton(lines: Sequence[str], target: str, wave: int) -> tuple[bytes, str]:
    """Assemble with the LLVM 24 that the triton wheel carries."""
    mode = "+wavefrontsize64" if has_mode(target, wave) else ""
    done = subprocess.run(
        [sys.executable, "-c", TRITON, TRIPLE, target, mode],
        input=("\n".join(lines) + "\n").encode(),
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert b"ModuleNotFoundError" not in done.stderr, "pip install triton==3.9.0: it is an oracle"
    ok = done.returncode == 0 and done.stdout
    return (text_section(done.stdout) if ok else b""), done.stderr.decode()


def _options(target: str, wave: int) -> list[str]:
    mode = ["-mattr=+wavefrontsize64"] if has_mode(target, wave) else []
    return [f"-triple={TRIPLE}", f"-mcpu={target}", *mode]


def has_mode(target: str, wave: int) -> bool:
    """Whether waves of 64 must be asked for."""
    return wave == 64 and not target.startswith("gfx9")
