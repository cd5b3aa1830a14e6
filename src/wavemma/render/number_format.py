"""How everything about a number format reads."""

from collections.abc import Iterator

from wavemma.explain.number_format import FormatEntry, FormatFacts
from wavemma.render.document import Block, Detail, Document, Facts, Heading, Table
from wavemma.render.pages import document_of, footer_of, short_footer
from wavemma.render.short_form import where_words
from wavemma.render.words import listed, number


@document_of.register
def _format(answer: FormatFacts) -> Document:
    where = f" on {answer.target}" if answer.target else ""
    blocks: list[Block] = [Heading(f"{answer.name}{where}", 1)]
    for entry in answer.formats:
        if len(answer.formats) > 1:
            blocks.append(Heading(entry.name))
        table = _uses(entry)
        on = where_words(row[0] for row in table.rows)
        short = Facts((*_facts(entry), ("used on", on))) if on else Facts(tuple(_facts(entry)))
        blocks.append(Detail((Facts(tuple(_facts(entry))), table), (short,)))
    return tuple(blocks)


@footer_of.register
def _footer(answer: FormatFacts) -> Document:
    return short_footer(answer)


def _facts(entry: FormatEntry) -> Iterator[tuple[str, str]]:
    yield "format", entry.words
    parts = [f"{each.name} {_span(each.hi, each.lo)}" for each in entry.layout]
    yield "bits", ", ".join(parts)
    if entry.bias is not None:
        yield "bias", number(entry.bias)
    for low, high in entry.ranges:
        yield "finite values", f"{value(low)} to {value(high)}"
    yield "code of the highest", entry.max_code
    if entry.min_normal is not None:
        yield "smallest normal", value(entry.min_normal)
        smallest = entry.min_subnormal
        yield "smallest subnormal", "none" if smallest is None else value(smallest)
        yield "infinity", entry.infinity_code or "none"
        yield "NaN", entry.nan + (f", such as {entry.nan_code}" if entry.nan_code else "")
        yield "minus zero", "yes" if entry.has_negative_zero else "no"
    if entry.dtype:
        yield "as a dtype", entry.dtype
    if entry.note:
        yield "note", entry.note


def value(found: float) -> str:
    """Write a value: small whole numbers as such, powers of two beside their digits."""
    if found.is_integer() and abs(found) < 1e7:
        return str(int(found))
    mantissa, exponent = found.hex().split("p")
    power = f" (2^{int(exponent)})" if mantissa.rstrip("0") == "0x1." else ""
    return f"{found:.9g}{power}"


def _span(hi: int, lo: int) -> str:
    return f"{hi}:{lo}" if hi > lo else str(hi)


def _uses(entry: FormatEntry) -> Table:
    return Table(
        ("target", "used for", "instructions"),
        tuple(
            (each.target, listed(map(_role, each.roles)), number(each.instructions))
            for each in entry.uses
        ),
        right=(2,),
    )


def _role(role: str) -> str:
    matrix = role.removeprefix("scale_").upper()
    return f"scales of {matrix}" if role.startswith("scale_") else matrix
