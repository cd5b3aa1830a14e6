"""`wavemma lint`."""

from typing import Annotated

from cyclopts import Parameter

from wavemma.cli.output import present
from wavemma.cli.read import read_bytes
from wavemma.explain.lint import lint as look

NO = 1


def lint(
    file: str,
    /,
    *,
    target: str = "",
    kernel: str = "",
    wave: int | None = None,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Find hazards, reserved bits and absent instructions in code.

    The exit code is 1 if there is an error or a suspect, 0 if there are only hints or nothing.
    Errors break a rule; of suspects sources disagree or nothing is known for sure; hints are about
    speed, signs and steppings.

    For example:

    | wavemma lint k.hsaco
    | wavemma lint loop.s --target gfx1100

    Args:
        file: A code object (.hsaco, .o), a bundle of them, a host program that holds one, bare
            code as asm -o writes it, or assembly (.s), also /dev/stdin.
        target: Such as gfx942, where the file does not name it.
        kernel: Only this kernel or function.
        wave: Lanes of the wave, 32 or 64, where the file does not say; the target's default if not
            given.
        json: Print JSON.

    """
    found = look(read_bytes(file), target=target, kernel=kernel, wave=wave)
    present(found, json=json)
    return 0 if found.is_clean else NO
