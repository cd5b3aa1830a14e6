"""A mapping written as data: a CSV file, a CuTe layout, or the bases of a linear layout."""

import csv
import json
import re
from collections.abc import Mapping
from io import StringIO
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from wavemma.errors import FileMistake, SyntaxMistake, WavemmaError
from wavemma.explain.basis_input import basis_parts
from wavemma.explain.claim import LANES, SLOTS, Claim, Numbers, axes_of, word_of
from wavemma.explain.written_number import whole_number
from wavemma.layouts import Layout

_CUTE_WORDS = re.compile(r"(?:cute::)?(?:Layout|Shape|Stride|Int|C)\s*<")
_CUTE = re.compile(r"[0-9\s(),:]+")
_KEYS = ("slot", "v", "n", "bit")
_PAIR = 2
_MOST_PLACES = 1 << 16
_MOST_BRACKETS = 64
# Of a file: over 200 for each place there may be.
_MOST_LETTERS = 1 << 24


class Table(NamedTuple):
    """Elements by place: `keys` name the numbers of a place, `found` has the outputs."""

    keys: tuple[str, ...]
    found: dict[tuple[int, ...], dict[str, int]]

    def value(self, numbers: Numbers) -> Numbers:
        """Look a place up; nothing if it is not listed."""
        return self.found.get(tuple(numbers[key] for key in self.keys), {})


def is_cute(text: str) -> bool:
    """Whether a text is a CuTe layout, shape:stride."""
    plain = _plain_cute(text)
    return bool(_CUTE.fullmatch(plain)) and (":" in plain or "Stride" in text)


def csv_file(path: Path, layout: Layout) -> Claim:
    """Read a mapping from a CSV file.

    Args:
        path: A file whose first line names its columns: lane (or tid); v, n and slot, as far as
            they are needed; and row and col, or the operand's letters (b for blocks). Columns
            `copy` and `hi` are passed over, so what `wavemma layout --csv` writes can be read.
        layout: The operand's own layout.

    Raises:
        FileMistake: The file cannot be read, or a line is no such line.

    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            text = stream.read(_MOST_LETTERS + 1)
        _check_letters(path, text)
        lines = list(csv.reader(StringIO(text, newline=""), skipinitialspace=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or "it is not text with commas between"
        raise FileMistake(f"{path} cannot be read: {reason}.", subject=path) from None
    if not lines:
        raise FileMistake(f"{path} must name its columns in its first line; it is empty.")
    inputs, outputs, columns = _columns(path, lines[0], layout)
    found: dict[tuple[int, ...], dict[str, int]] = {}
    for number, line in enumerate(lines[1:], 2):
        if not any(cell.strip() for cell in line):
            continue
        cells = _cells(path, number, line, columns)
        place = tuple(cells[name] for name in inputs)
        element = {name: cells[name] for name in outputs}
        if found.setdefault(place, element) != element:
            named = ", ".join(f"{word} {cells[name]}" for name, word in inputs.items())
            raise FileMistake(f"{path}, line {number}: {named} has another element above.")
    if not found:
        raise FileMistake(
            f"{path} must list places below the names of its columns; it lists none.", subject=path
        )
    table = Table(tuple(inputs), found)
    return Claim("table", str(path), inputs, outputs, table.value, len(found))


def _check_letters(path: Path, text: str) -> None:
    if len(text) > _MOST_LETTERS:
        raise FileMistake(
            f"{path} must have {_MOST_LETTERS:,} letters at most; it has more.", subject=path
        )


def cute_axes(role: str) -> tuple[str, str]:
    """Name the axis of an operand that CuTe counts fastest, and the other."""
    return ("col", "row") if role in ("b", "scale_b") else ("row", "col")


def cute(text: str, layout: Layout, role: str) -> Claim:
    """Read a mapping from a CuTe layout of (lane, value), as atoms give it.

    Its index counts rows of A, C and D fastest (row + M*col); of B and its scales, as CuTe keeps
    them N x K, columns (col + N*k). Blocks come last.

    Args:
        text: Such as "((16,2),8):((16,1),2)", or with Shape<...> and Stride<...>.
        layout: The operand's own layout.
        role: The operand.

    Raises:
        SyntaxMistake: It is not shape:stride with two modes.

    """
    shape, stride = _shape_and_stride(text)
    modes = [list(zip(_flat(s), _flat(t), strict=True)) for s, t in zip(shape, stride, strict=True)]
    fast, slow = cute_axes(role)
    sizes = [size for letter, size in layout.extents if letter != "b"]
    matrix = (sizes[0], prod(sizes[1:]))
    rows, columns = matrix if fast == "row" else (matrix[1], matrix[0])
    found: dict[tuple[int, ...], dict[str, int]] = {}
    counts = [prod(size for size, _ in mode) for mode in modes]
    _check_size(prod(counts))
    for lane in range(counts[0]):
        for slot in range(counts[1]):
            index = _index(modes[0], lane) + _index(modes[1], slot)
            rest, first = divmod(index, rows)
            block, second = divmod(rest, columns)
            found[lane, slot] = {fast: first, slow: second, "b": block}
    return _claim("cute", text, found, layout)


def bases(text: str, layout: Layout) -> Claim:
    """Read a mapping from the bases of a linear layout, as Triton writes it.

    Args:
        text: Lists for register and lane, such as "register = [[2, 0]], lane = [[0, 1]]", or
            lines such as "lane=1 -> (0, 1)"; each basis is (row, col), or (b, row, col). The
            register's bits number the elements of a lane.
        layout: The operand's own layout.

    Raises:
        SyntaxMistake: It has other parts, or no pairs of numbers.

    """
    parts = basis_parts(text)
    for name in ("warp", "block"):
        if parts.get(name):
            raise SyntaxMistake(
                f"The layout of one instruction has register and lane bits only; {name} has bits"
                " too.",
                subject=name,
                hint=f"Leave {name} out.",
            )
    lanes, slots = parts.get("lane", []), parts.get("register", [])
    axes = ("b", "row", "col") if len((lanes + slots or [[0, 0]])[0]) > _PAIR else ("row", "col")
    _check_size(1 << len(lanes + slots))
    found: dict[tuple[int, ...], dict[str, int]] = {
        (lane, slot): dict(zip(axes, _xor(lanes, lane, slots, slot, len(axes)), strict=True))
        for lane in range(1 << len(lanes))
        for slot in range(1 << len(slots))
    }
    return _claim("bases", text, found, layout)


def _claim(
    syntax: Any,  # noqa: ANN401 - one of the literals of Claim
    text: str,
    found: dict[tuple[int, ...], dict[str, int]],
    layout: Layout,
) -> Claim:
    """Make a claim by lane and slot."""
    outputs = {"row": "row", "col": "col"} | ({"b": "b"} if "b" in layout.size else {})
    named = {place: {name: each.get(name, 0) for name in outputs} for place, each in found.items()}
    keys = {"lane": "lane", "slot": "slot"}
    return Claim(syntax, text, keys, outputs, Table(tuple(keys), named).value, len(found))


def _check_size(places: int) -> None:
    """Refuse a table that is larger than any operand."""
    if places > _MOST_PLACES:
        raise SyntaxMistake(
            f"The layout of an operand has at most {_MOST_PLACES:,} places; this one has more.",
            subject=places,
        )


def _columns(
    path: Path, head: list[str], layout: Layout
) -> tuple[dict[str, str], dict[str, str], dict[str, int]]:
    """Find what each column is: what names places, what names elements, and where each stands."""
    axes = axes_of(layout)
    columns: dict[str, int] = {}
    for number, cell in enumerate(head):
        name = word_of({**LANES, **SLOTS, **axes}, cell.strip())
        if name in columns:
            raise FileMistake(
                f"{path} must have one column for each number; {head[columns[name]].strip()} and"
                f" {cell.strip()} are the same.",
                subject=path,
            )
        if name is not None:
            columns[name] = number
    lanes = [name for name in LANES if name in columns][:1]
    keys = ["slot"] if "slot" in columns else [key for key in _KEYS if key in columns]
    outputs = [name for name in axes if name in columns]
    if not lanes or not keys or not outputs:
        raise FileMistake(
            f"{path} must have a column lane, one of v and slot, and row and col in its first line;"
            f" it has {', '.join(head)}.",
            subject=path,
        )
    words = {name: head[number].strip() for name, number in columns.items()}
    return (
        {name: words[name] for name in (*lanes, *keys)},
        {name: words[name] for name in outputs},
        columns,
    )


def _cells(path: Path, number: int, line: list[str], columns: Mapping[str, int]) -> dict[str, int]:
    try:
        return {name: whole_number(line[place].strip()) for name, place in columns.items()}
    except (WavemmaError, IndexError):
        raise FileMistake(
            f"{path}, line {number} must have a whole number for each of {', '.join(columns)}; it"
            f" is {','.join(line)!r}.",
            subject=path,
        ) from None


def _plain_cute(text: str) -> str:
    """Write a CuTe layout with brackets and numbers only."""
    plain = _CUTE_WORDS.sub("(", text).replace(">", ")")
    return re.sub(r"\b_(?=[0-9])", "", plain).replace("{}", "").strip()


def _shape_and_stride(text: str) -> tuple[list[Any], list[Any]]:
    """Cut a CuTe layout into the shape and the stride of both modes."""
    plain = re.sub(r",\s*\)", ")", _plain_cute(text))
    try:
        if plain.count("(") > _MOST_BRACKETS:
            raise ValueError
        listed = json.loads(f"[{plain.replace(':', ',').replace('(', '[').replace(')', ']')}]")
        if ":" not in plain and len(listed) == 1:
            listed = listed[0]
        shape, stride = listed
        if [_form(shape), len(shape)] != [_form(stride), _PAIR]:
            raise ValueError
    except (ValueError, TypeError):
        raise SyntaxMistake(
            "A CuTe layout must be shape:stride with a mode for the lane and one for the value,"
            f" such as ((16,2),8):((16,1),2); given {text.strip()!r}.",
            subject=text,
        ) from None
    return shape, stride


def _form(tree: Any) -> Any:  # noqa: ANN401 - nested lists of numbers
    """Tell how numbers are nested, not what they are."""
    return [_form(each) for each in tree] if isinstance(tree, list) else 0


def _flat(tree: Any) -> list[int]:  # noqa: ANN401 - nested lists of numbers
    return [number for each in tree for number in _flat(each)] if isinstance(tree, list) else [tree]


def _index(mode: list[tuple[int, int]], number: int) -> int:
    """Count a number out over a mode, the first part fastest, and sum its strides."""
    total = 0
    for size, stride in mode:
        number, at = divmod(number, size)
        total += at * stride
    return total


def _xor(
    lanes: list[list[int]], lane: int, slots: list[list[int]], slot: int, axes: int
) -> list[int]:
    """Put together the bases of all bits that are set."""
    total = [0] * axes
    for number, group in ((lane, lanes), (slot, slots)):
        for place, basis in enumerate(group):
            if number >> place & 1:
                total = [left ^ right for left, right in zip(total, basis, strict=True)]
    return total
