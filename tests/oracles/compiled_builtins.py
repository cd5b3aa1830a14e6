"""Builtin calls compiled by ziglang's clang, and the instruction that each became."""

import io
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from elftools.elf.elffile import ELFFile

from wavemma.clang_builtins.signatures import Signature
from wavemma.errors import DecodeMistake
from wavemma.isa.decode import decode
from wavemma.isa.decoded import Decoded

LONGEST = 16


class Call(NamedTuple):
    """One call: the builtin, and the value of each constant argument by its place."""

    signature: Signature
    constants: dict[int, int]


def typedefs(calls: Sequence[Call]) -> list[str]:
    kinds = {a.ctype for call in calls for a in call.signature.arguments}
    kinds |= {call.signature.returns for call in calls}
    lines = []
    for name in sorted({kind.name for kind in kinds if kind.elements}):
        element, _, count = name.partition("x")
        lines.append(f"typedef {element} {name} __attribute__((ext_vector_type({count})));")
    return lines


def function(number: int, call: Call) -> str:
    """A C function whose parameters are the operands, in registers in call order."""
    arguments = call.signature.arguments
    given = [i for i in range(len(arguments)) if i not in call.constants]
    parameters = ", ".join(f"{arguments[i].ctype.name} x{i}" for i in given)
    values = ", ".join(
        str(call.constants[i]) if i in call.constants else f"x{i}" for i in range(len(arguments))
    )
    result = call.signature.returns.name
    return f"{result} f{number}({parameters}) {{ return {call.signature.name}({values}); }}"


def compiled(calls: Sequence[Call], target: str, wave: int) -> tuple[dict[int, bytes], str]:
    """Compile calls for one target; give each function's bytes, and the complaints."""
    source = "\n".join([*typedefs(calls), *(function(i, c) for i, c in enumerate(calls))])
    mode = "-mwavefrontsize64" if wave == 64 else "-mno-wavefrontsize64"
    with tempfile.TemporaryDirectory() as folder:
        text, result = Path(folder, "k.c"), Path(folder, "k.o")
        text.write_text(source)
        command = [sys.executable, "-m", "ziglang", "clang", "--target=amdgcn-amd-amdhsa"]
        options = [f"-mcpu={target}", mode, "-O1", "-nogpulib", "-c", str(text), "-o", str(result)]
        done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
        if not result.exists():
            return {}, done.stderr
        return functions(result.read_bytes()), done.stderr


def functions(elf: bytes) -> dict[int, bytes]:
    file = ELFFile(io.BytesIO(elf))
    text = file.get_section_by_name(".text").data()
    found = {}
    for symbol in file.get_section_by_name(".symtab").iter_symbols():
        number = re.fullmatch(r"f(\d+)", symbol.name)
        if number:
            start = symbol["st_value"]
            found[int(number[1])] = bytes(text[start : start + symbol["st_size"]])
    return found


def matrix_instructions(code: bytes, target: str, wave: int, names: set[str]) -> list[Decoded]:
    """The instructions of those names in a function's bytes."""
    found = []
    at = 0
    while at < len(code):
        try:
            decoded = decode(code[at : at + LONGEST], target, wave)  # type: ignore[arg-type]
        except DecodeMistake:
            at += 4
            continue
        if decoded.instruction.name in names:
            found.append(decoded)
        at += decoded.size_bytes
    return found
