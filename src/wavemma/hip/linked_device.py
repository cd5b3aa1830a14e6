"""Device code that is linked over several sources: how, and how host objects find it."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

SEPARATE = ("-fgpu-rdc",)
"""Words by which a source's code for the host looks for its code object elsewhere."""
BITCODE = (*SEPARATE, "-c")
"""Words by which a source's code for the device waits to be linked."""
LLVM_AS_IT_IS = ("--target=amdgcn-amd-amdhsa", "-nogpulib", "-emit-llvm", "-x", "ir", "-O0")
"""Words that turn LLVM's text into bitcode and back, and change nothing."""
# Device code is optimised when it is linked, as the compiler's driver has it done.
_LINK = ("-m", "elf64_amdgpu", "-shared", "--no-undefined", "--whole-archive")
_KEEP_WHAT_IS_USED = "-plugin-opt=-amdgpu-internalize-symbols"
_DEFAULT_LEVEL = "3"
_LEVELS = {"": "1", "s": "2", "z": "2", "fast": "3", "g": "1"}
_WANTED = re.compile(rb"\b__hip_(fatbin|gpubin_handle)_[0-9a-f]+(?=\0)")
_HOLDER = """.section .hip_fatbin,"a",@progbits
.p2align 12
code:
.incbin "{code}"
.section .bss,"aw",@nobits
.p2align 3
handle:
.quad 0
{symbols}
.section .note.GNU-stack,"",@progbits
"""
_PLACES = {"fatbin": "code", "gpubin_handle": "handle"}

_OF_ONE_SOURCE = b".static."
_NAMED_TWICE = re.compile(r"^@([\w.]+)\.static\.(\w+) = ", re.MULTILINE)


def link_words(target: str, flags: Sequence[str]) -> list[str]:
    """Give the linker's words for device code of a target, compiled with the user's flags."""
    levels = [word.removeprefix("-O") for word in flags if word.startswith("-O")]
    level = levels[-1] if levels else _DEFAULT_LEVEL
    level = _LEVELS.get(level, level)
    backend = pairwise(flags)
    given = [f"-plugin-opt={value}" for word, value in backend if word == "-mllvm"]
    return [
        *_LINK,
        _KEEP_WHAT_IS_USED,
        f"-plugin-opt=mcpu={target}",
        f"-plugin-opt=O{level}",
        f"--lto-CGO{level}",
        *given,
    ]


def holder(code: Path, objects: Iterable[Path]) -> str:
    """Write assembly that holds a code object under the names by which host objects look for it.

    All of them share one handle, so that it is registered, and lies in device memory, once.

    Args:
        code: The code object.
        objects: Compiled code for the host.

    """
    wanted = {
        found.group().decode(): found.group(1).decode()
        for each in objects
        for found in _WANTED.finditer(each.read_bytes())
    }
    symbols = "\n".join(
        f".globl {name}\n.hidden {name}\n.set {name}, {_PLACES[kind]}"
        for name, kind in sorted(wanted.items())
    )
    return _HOLDER.format(code=code, symbols=symbols)


def needs_one_name(bitcode: bytes) -> bool:
    """Tell whether bitcode has static variables that the host knows by a name of their source."""
    return _OF_ONE_SOURCE in bitcode


def with_one_name(text: str) -> str:
    """Let code refer to static variables of its source by the names under which they are defined.

    The compiler gives one that the host uses the name of its source when it sees the use, and
    leaves functions before it with the plain name, which nothing defines.

    Args:
        text: LLVM's text of one source.

    """
    for name, source in _NAMED_TWICE.findall(text):
        plain = re.escape(name)
        text = re.sub(rf"^@{plain} = external .*\n", "", text, flags=re.MULTILINE)
        text = re.sub(rf"@{plain}(?![\w.])", f"@{name}.static.{source}", text)
    return text
