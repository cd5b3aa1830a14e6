"""`wavemma layout`."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wavemma.cli.choices import check_one
from wavemma.cli.modifiers import DEFAULTS, Moves
from wavemma.cli.output import present, write
from wavemma.cli.written import check_distinct, check_writable, is_answer, write_file
from wavemma.explain.layout import RegisterLayout
from wavemma.explain.layout import layout as find
from wavemma.render.csv import as_csv
from wavemma.render.document import Picture
from wavemma.render.html import as_html
from wavemma.render.source import as_c, as_python
from wavemma.render.svg import as_svg

NO = 1

Flag = Annotated[bool, Parameter(negative=())]


def layout(
    target: str,
    instruction: str,
    operand: str,
    /,
    *,
    wave: int | None = None,
    format: str | None = None,
    moves: Moves = DEFAULTS,
    csv: Flag = False,
    c: Flag = False,
    python: Flag = False,
    html: Path | None = None,
    svg: Path | None = None,
    json: Flag = False,
) -> int:
    """Show the whole register layout of an operand.

    Args:
        target: Such as gfx1100, or a product such as "RX 7900 XTX".
        instruction: A mnemonic, such as v_wmma_f32_16x16x16_f16.
        operand: A, B, C, D, index, scale_a or scale_b.
        wave: Lanes of the wave, 32 or 64; the target's default if not given.
        format: Format of A or B where a modifier chooses it, such as fp4.
        moves: Modifiers that move data.
        csv: Print a line for each place of each element.
        c: Print C (and HIP) functions that load and store the registers of one lane.
        python: Print Python functions that load and store the registers of a wave.
        html: Write a page to this file.
        svg: Write a picture to this file.
        json: Print JSON.

    """
    files = [(path, draw) for path, draw in ((html, _page), (svg, as_svg)) if path is not None]
    for path, _ in files:
        check_writable(path)
    check_distinct([path for path, _ in files])
    printer = _printer(csv=csv, c=c, python=python, json=json)
    found = find(target, instruction, operand, wave=wave, format=format, modifiers=moves.given())
    for path, draw in files:
        write_file(path, draw(found).encode())
        # What is printed for a program to read must hold nothing else.
        if printer is None and not json and not is_answer(path):
            write(f"wrote {path}\n")
    if printer is not None:
        write(printer(found))
    elif json or not files:
        present(found, json=json)
    return NO if found.unknown else 0


def _page(found: RegisterLayout) -> str:
    """Write the page of a layout, its picture on it."""
    return as_html(found, (Picture(as_svg(found), "The matrix, each cell with its place."),))


def _printer(
    *, csv: bool, c: bool, python: bool, json: bool
) -> Callable[[RegisterLayout], str] | None:
    """Choose what to print; None for the answer itself."""
    check_one(csv=csv, c=c, python=python, json=json)
    chosen = [write for on, write in ((csv, as_csv), (c, as_c), (python, as_python)) if on]
    return chosen[0] if chosen else None
