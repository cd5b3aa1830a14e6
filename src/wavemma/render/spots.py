"""Places and formulas as words, shared by every page that shows them."""

from collections.abc import Iterable, Sequence

from wavemma.explain.formula_pairs import Formula, Formulas
from wavemma.explain.operand import Asked
from wavemma.explain.spots import Bits, Spot
from wavemma.render.document import Block, Code, Document, Heading, Text

REGISTER_BITS = 32
_WIDEST = 70


def bits_text(bits: Bits) -> str:
    """Write bits of a register: "v1", or "v1[31:16]" if they do not fill it."""
    if (bits.hi, bits.lo) == (REGISTER_BITS - 1, 0):
        return f"v{bits.register}"
    return f"v{bits.register}[{bits.hi}:{bits.lo}]"


def spot_text(spot: Spot) -> str:
    """Write the bits of a place, high ones first if they run over a border."""
    return " and ".join(bits_text(bits) for bits in reversed(spot.bits))


def lanes_text(spots: Iterable[Spot]) -> str:
    """Write the lanes of places: "lane 3", "lanes 2 and 18"."""
    lanes = [str(spot.lane) for spot in spots]
    if len(lanes) == 1:
        return f"lane {lanes[0]}"
    return f"lanes {', '.join(lanes[:-1])} and {lanes[-1]}"


def asked_facts(asked: Asked) -> tuple[tuple[str, str], ...]:
    """Write what a question is about, but for its subject."""
    moves = _moves_text(asked)
    given = (("modifiers", moves),) if moves else ()
    assumed = " (assumed; --format FORMAT names another)" if asked.is_assumed else ""
    return (("format", f"{asked.format}{assumed}"), *given)


def caption(asked: Asked) -> str:
    """Name an operand in one line, with all that decides where its elements lie."""
    return ", ".join(
        filter(None, (f"{asked.operand} of {asked}", f"format {asked.format}", _moves_text(asked)))
    )


def moved(asked: Asked) -> str:
    """Name an instruction with the format and modifiers of an operand, in one line."""
    return ", ".join(filter(None, (f"{asked}, {asked.format}", _moves_text(asked))))


def _moves_text(asked: Asked) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in asked.modifiers.items())


def formula_blocks(formulas: Formulas) -> Document:
    """Write formulas both ways, in Python and, where it differs, in C."""
    blocks: list[Block] = []
    for title, found in (
        ("Place of an element", formulas.place),
        ("Element at a place", formulas.element),
        ("Element in register v (number n from the low bits)", formulas.register_element),
    ):
        if found:
            blocks += [Heading(title, 3), Code(_lines(found), "python")]
    if not formulas.place:
        blocks.append(Text("No short formula describes how these lanes are moved."))
    elif formulas.copies:
        lanes = " and ".join(f"lane + {offset}" for offset in formulas.copies)
        blocks.insert(2, Text(f"The same element is also at {lanes}."))
    return tuple(blocks)


def _lines(formulas: tuple[Formula, ...]) -> str:
    """Write one formula a line; C's words beside where they differ, below where too long."""
    width = max(len(f"{each.name} = {each.python}") for each in formulas)
    beside = all(width + len(each.c) <= _WIDEST for each in formulas)
    lines = []
    for each in formulas:
        line = f"{each.name} = {each.python}"
        if each.c == each.python:
            lines.append(line)
        elif beside:
            lines.append(f"{line.ljust(width)}   in C: {each.c}")
        else:
            lines += [line, f"{'C:':>{len(each.name) + 2}} {each.c}"]
    return "\n".join(lines)


def runs(numbers: Sequence[int]) -> str:
    """Write numbers in their order, neighbours as runs: "0-3, 8-11, 4-7"."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in found)
