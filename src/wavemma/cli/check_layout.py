"""`wavemma check-layout`."""

from typing import Annotated

from cyclopts import Parameter

from wavemma.cli.modifiers import DEFAULTS, Moves
from wavemma.cli.output import present
from wavemma.explain.check_layout import check_layout as check

NO = 1


def check_layout(
    target: str,
    instruction: str,
    operand: str,
    mapping: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    wave: int | None = None,
    format: str | None = None,
    moves: Moves = DEFAULTS,
    full: Annotated[bool, Parameter(negative=())] = False,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Say whether a mapping is right, and if not, whose it is.

    lane is the thread's number modulo the wave size; v is the register of the operand, n numbers
    the elements in a register and slot those of a lane, from the low bits.

    For example:

    | wavemma check-layout gfx1100 v_wmma_f32_16x16x16_f16 D "row = 2*v + lane/16; col = lane%16"
    | wavemma check-layout gfx1100 v_wmma_f32_16x16x16_f16 D "C[(2*v + lane/16)*N + lane%16] = a[v]"

    Args:
        target: Such as gfx1100, or a product such as "RX 7900 XTX".
        instruction: A mnemonic, such as v_wmma_f32_16x16x16_f16, or a builtin that becomes one.
        operand: A, B, C, D, index, scale_a or scale_b.
        mapping: Formulas in Python or C, such as "row = 2*v + lane/16; col = lane%16", or the other
            way round ("lane = ...; v = ..."); the statement that loads or stores, such as
            "C[(2*v + lane/16)*ldc + lane%16] = acc[v]"; a CuTe layout of (lane, value) such as
            "((16,2),8):((16,1),2)"; bases such as "register = [[2,0],...], lane = [[0,1],...]"; or
            a .csv file with columns lane, v (or slot), row and col.
        wave: Lanes of the wave, 32 or 64; the target's default if not given.
        format: Format of A or B where a modifier chooses it, such as fp4.
        moves: Modifiers that move data.
        full: List every operand that has the mapping.
        json: Print JSON.

    """
    found = check(
        target,
        instruction,
        operand,
        mapping,
        wave=wave,
        format=format,
        modifiers=moves.given(),
    )
    present(found, json=json, full=full)
    yes = found.verdict in ("right", "equivalent") and not found.unchecked
    return 0 if yes else NO
