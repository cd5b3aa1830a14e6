"""The command `wavemma port`."""

from typing import Annotated, Literal

from cyclopts import Parameter

from wavemma.cli.choices import check_alone
from wavemma.cli.output import present, write
from wavemma.errors import Unsupported
from wavemma.explain.port import NONE, explain_port
from wavemma.render.kernel_source import as_kernel


def port(
    old: str,
    new: str,
    /,
    *,
    op: str,
    wave: int | None = None,
    new_wave: int | None = None,
    code: Literal["old", "new"] | None = None,
    full: Annotated[bool, Parameter(negative=())] = False,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Port an operation from one target to another.

    For example:

    | wavemma port gfx1100 gfx1201 --op i32_16x16x16_iu8
    | wavemma port gfx1201 gfx1250 --op v_wmma_f32_16x16x16_f16 --code new

    Args:
        old: The target that the code is for, such as gfx1100.
        new: The target that it is to run on, such as gfx1201.
        op: A mnemonic, a builtin, or words such as i32_16x16x16_iu8 or "f16 16x16x16".
        wave: Lanes of a wave on the old target, 32 or 64.
        new_wave: Lanes of a wave on the new target.
        code: Print only the HIP source of one side.
        full: Print the HIP source of both sides too.
        json: Print JSON.

    """
    if code is not None:
        check_alone("--code", {"--json": json, "--full": full}, why="prints source")
    answer = explain_port(old.lower(), new.lower(), op, wave=wave, new_wave=new_wave)
    if code is None:
        present(answer, json=json, full=full)
    else:
        side = answer.before if code == "old" else answer.after
        if not side.builtin:
            raise Unsupported(
                f"{side.instruction} has no builtin, so no HIP source can be written for it.",
                subject=side.instruction,
            )
        write(as_kernel(side))
    return 1 if answer.verdict == NONE else 0
