"""The command `wavemma why`."""

import sys
from typing import Annotated, Literal

from cyclopts import Parameter

from wavemma.cli.output import present
from wavemma.errors import SyntaxMistake
from wavemma.explain.why import explain_why


def why(
    *message: str,
    target: str | None = None,
    wave: Literal[32, 64] | None = None,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Say why code does not compile and what to call.

    For example:

    | wavemma why __builtin_amdgcn_wmma_f32_16x16x16_f16_w32 --target gfx1201
    | wavemma why "f16 16x16x16" --target gfx1250
    | make |& wavemma why

    Args:
        message: What the compiler or assembler says, with the lines of code around it; or a
            builtin, a mnemonic, words such as f16 16x16x16. Standard input if left out.
        target: What is compiled for, such as gfx1201; the one that the text names if left out.
        wave: Lanes of the wave that is compiled for, 32 or 64.
        json: Print JSON.

    """
    text = " ".join(message) if message else _read()
    answer = explain_why(text, target.lower() if target else None, wave)
    present(answer, json=json)
    return 0 if answer.solved else 1


def _read() -> str:
    """Read what a compiler said from a pipe or a file."""
    if sys.stdin is None or sys.stdin.isatty():
        raise SyntaxMistake(
            "why needs a message, a builtin or a mnemonic, as words or on standard input.",
            hint="See: wavemma why --help",
        )
    return sys.stdin.read()
