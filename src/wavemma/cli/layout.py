"""`wavemma layout`."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wavemma.cli.choices import check_alone, check_one
from wavemma.cli.modifiers import DEFAULTS, Moves
from wavemma.cli.output import present, write
from wavemma.cli.written import check_distinct, check_writable, is_answer, write_file
from wavemma.errors import SyntaxMistake
from wavemma.explain.layout import RegisterLayout
from wavemma.explain.layout import layout as find
from wavemma.explain.layout_pair import LayoutPair, layout_pair
from wavemma.render.csv import as_csv
from wavemma.render.document import Picture
from wavemma.render.html import as_html
from wavemma.render.source import as_c, as_python
from wavemma.render.svg import as_svg, as_svg_pair

NO = 1
PICTURE = "The matrix, each cell with its place."

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
    beside: str | None = None,
    beside_op: str | None = None,
    beside_wave: int | None = None,
    csv: Flag = False,
    c: Flag = False,
    python: Flag = False,
    html: Path | None = None,
    svg: Path | None = None,
    full: Flag = False,
    json: Flag = False,
) -> int:
    """Show the whole register layout of an operand.

    For example:

    | wavemma layout gfx1100 v_wmma_f32_16x16x16_f16 D
    | wavemma layout MI300X v_mfma_f32_32x32x8_f16 A --svg a.svg

    Args:
        target: Such as gfx1100, or a product such as "RX 7900 XTX".
        instruction: A mnemonic, such as v_wmma_f32_16x16x16_f16, or a builtin that becomes one.
        operand: A, B, C, D, index, scale_a or scale_b.
        wave: Lanes of the wave, 32 or 64; the target's default if not given.
        format: Format of A or B where a modifier chooses it, such as fp4.
        moves: Modifiers that move data.
        beside: Another target, or the same in another wave: put its layout beside this one.
        beside_op: The instruction there; the same, or the nearest, if not given.
        beside_wave: Lanes of the wave there; the target's default if not given.
        csv: Print a line for each place of each element.
        c: Print C (and HIP) functions that load and store the registers of one lane.
        python: Print Python functions that load and store the registers of a wave.
        html: Write a page to this file.
        svg: Write a picture to this file.
        full: Print every lane and row by itself.
        json: Print JSON.

    """
    _check_beside(beside, beside_op, beside_wave, {"--csv": csv, "--c": c, "--python": python})
    files = [path for path in (html, svg) if path is not None]
    for path in files:
        check_writable(path)
    check_distinct(files)
    printer = _printer(csv=csv, c=c, python=python, json=json)
    modifiers = moves.given()
    found = find(target, instruction, operand, wave=wave, format=format, modifiers=modifiers)
    answer: RegisterLayout | LayoutPair = found
    if beside is not None:
        answer = layout_pair(
            found, beside, instruction=beside_op, wave=beside_wave, modifiers=modifiers
        )
    _write_files(answer, html, svg, told=printer is None and not json)
    if printer is not None:
        write(printer(found))
    elif json or not files:
        present(answer, json=json, full=full)
    return NO if found.unknown else 0


def _write_files(
    answer: RegisterLayout | LayoutPair, html: Path | None, svg: Path | None, *, told: bool
) -> None:
    """Write page and picture, and say so."""
    picture = as_svg_pair(answer) if isinstance(answer, LayoutPair) else as_svg(answer)
    page = as_html(answer, (Picture(picture, PICTURE),)) if html else ""
    for path, text in ((html, page), (svg, picture)):
        if path is None:
            continue
        write_file(path, text.encode())
        # What is printed for a program to read must hold nothing else.
        if told and not is_answer(path):
            write(f"wrote {path}\n")


def _check_beside(
    beside: str | None, op: str | None, wave: int | None, printed: Mapping[str, bool]
) -> None:
    """Refuse what would not be heeded without, or with, a layout beside."""
    if beside is not None:
        check_alone("--beside", printed, why="puts two layouts side by side")
    elif op is not None or wave is not None:
        name = "--beside-op" if op is not None else "--beside-wave"
        raise SyntaxMistake(f"{name} needs --beside TARGET: it is about that target.", subject=name)


def _printer(
    *, csv: bool, c: bool, python: bool, json: bool
) -> Callable[[RegisterLayout], str] | None:
    """Choose what to print; None for the answer itself."""
    check_one(csv=csv, c=c, python=python, json=json)
    chosen = [write for on, write in ((csv, as_csv), (c, as_c), (python, as_python)) if on]
    return chosen[0] if chosen else None
