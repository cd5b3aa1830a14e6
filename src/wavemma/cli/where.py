"""`wavemma where`."""

from typing import Annotated

from cyclopts import Parameter

from wavemma.cli.choices import check_alone
from wavemma.cli.modifiers import DEFAULTS, Moves
from wavemma.cli.output import present
from wavemma.cli.written_element import element
from wavemma.errors import SyntaxMistake
from wavemma.explain.contents import contents
from wavemma.explain.element import where as find
from wavemma.tables.targets import target as named

NO = 1


def where(
    target: str,
    instruction: str,
    operand: str,
    row: int | None = None,
    column: int | None = None,
    /,
    *,
    at: Annotated[tuple[int, int] | None, Parameter(negative=(), metavar="LANE REGISTER")] = None,
    block: int | None = None,
    wave: int | None = None,
    format: str | None = None,
    moves: Moves = DEFAULTS,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Find the registers and lanes of one element.

    Registers count from the operand's first one; lane is the thread's number modulo the wave size.

    For example:

    | wavemma where gfx1100 v_wmma_f32_16x16x16_f16 D 2 3
    | wavemma where "RX 7900 XTX" v_wmma_f32_16x16x16_f16 A 2 5 --wave 64
    | wavemma where gfx1100 v_wmma_f32_16x16x16_f16 D --at 3 1

    Args:
        target: Such as gfx1100, or a product such as "RX 7900 XTX".
        instruction: A mnemonic, such as v_wmma_f32_16x16x16_f16, or a builtin that becomes one.
        operand: A, B, C, D, index, scale_a or scale_b; or an element, such as D[2][3] or "D(2,3)".
        row: i of A, C, D, index and scale_a; k of B; the number of the scale along k of scale_b.
        column: k of A (of the whole A if it is sparse) and index; j of B, C, D and scale_b; the
            number of the scale along k of scale_a.
        at: The other way: what lies in this lane and register.
        block: Which product, of an instruction that computes several.
        wave: Lanes of the wave, 32 or 64; the target's default if not given.
        format: Format of A or B where a modifier chooses it, such as fp4.
        moves: Modifiers that move data.
        json: Print JSON.

    """
    if at is not None:
        check_alone(
            "--at",
            {"ROW": row is not None, "--block": block is not None},
            why="asks for what lies in a place",
        )
        held = contents(
            target, instruction, operand, *at, wave=wave, format=format, modifiers=moves.given()
        )
        present(held, json=json)
        return 0 if held.held else NO
    written = element(operand) if row is None else None
    if written:
        operand, row, column = written
    if row is None or column is None:
        # A forgotten target makes all words move up.
        named(target)
        raise SyntaxMistake(
            "where needs ROW and COLUMN, or --at LANE REGISTER.", hint="See: wavemma where --help"
        )
    found = find(
        target,
        instruction,
        operand,
        row,
        column,
        block=block or 0,
        wave=wave,
        format=format,
        modifiers=moves.given(),
    )
    present(found, json=json)
    return 0 if found.places else NO
