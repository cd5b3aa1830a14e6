"""C functions in which the result of each builtin meets every kind of consumer at once."""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.clang_builtins.drawn_calls import constants, pairs
from wavemma.clang_builtins.call import Builtin, builtin
from wavemma.tables.builtins import builtin_row
from wavemma.tables.targets import target as target_row

TARGETS = sorted({t for _, t in pairs() if target_row(t).oldest_llvm <= 22})


def builtins_of(target: str, wave: int) -> list[Builtin]:
    """The builtins of a target that ziglang's LLVM knows."""
    named = (name for name, owner in pairs() if owner == target and not builtin_row(name).since)
    return [call for name in named if (call := builtin(name, target)).wave == wave]


def source(calls: Sequence[Builtin]) -> str:
    """One function a builtin."""
    types = {a.ctype for call in calls for a in call.signature.arguments}
    types |= {call.signature.returns for call in calls}
    lines = []
    for name in sorted({kind.name for kind in types if kind.elements}):
        element, _, count = name.partition("x")
        lines.append(f"typedef {element} {name} __attribute__((ext_vector_type({count})));")
    return "\n".join([*lines, *(function(n, call) for n, call in enumerate(calls))])


def function(number: int, call: Builtin) -> str:
    """D is added to itself, stored, fed back as C, and put into A, B, index and scales."""
    signature, result = call.signature, call.signature.returns.name
    drawn = constants(signature, call.instructions[-1], call.wave, f"lint{signature.name}")
    names = [
        str(drawn[a.role]) if not a.operand else f"x{i}" for i, a in enumerate(signature.arguments)
    ]
    parameters = [f"{a.ctype.name} x{i}" for i, a in enumerate(signature.arguments) if a.operand]
    body = [f"{result} d = {signature.name}({', '.join(names)});"]
    for place, argument in enumerate(signature.arguments):
        if not argument.operand:
            continue
        kind = argument.ctype.name
        later = f"y{place}"
        body.append(
            f"{kind} {later}; __builtin_memcpy(&{later}, &d, sizeof({later}) < sizeof(d)"
            f" ? sizeof({later}) : sizeof(d));"
        )
        again = [later if i == place else name for i, name in enumerate(names)]
        body.append(f"out[{place + 1}] = {signature.name}({', '.join(again)});")
    body.append("out[0] = d + d;")
    return f"void f{number}({result} *out, {', '.join(parameters)}) {{ {' '.join(body)} }}"


def compiled(calls: Sequence[Builtin], target: str, wave: int, level: str) -> bytes:
    """Compile them to a relocatable object."""
    return _compiled(calls, target, wave, level, "-c")


def written(calls: Sequence[Builtin], target: str, wave: int) -> str:
    """Compile them to assembly."""
    return _compiled(calls, target, wave, "-O1", "-S").decode()


def _compiled(calls: Sequence[Builtin], target: str, wave: int, level: str, what: str) -> bytes:
    mode = "-mwavefrontsize64" if wave == 64 else "-mno-wavefrontsize64"
    with tempfile.TemporaryDirectory() as folder:
        text, result = Path(folder, "k.c"), Path(folder, "k.out")
        text.write_text(source(calls))
        command = [sys.executable, "-m", "ziglang", "clang", "--target=amdgcn-amd-amdhsa"]
        options = [f"-mcpu={target}", mode, level, "-nogpulib", "-w", what, str(text)]
        done = subprocess.run(
            [*command, *options, "-o", str(result)], capture_output=True, text=True, check=False
        )
        assert result.exists(), done.stderr
        return result.read_bytes()
