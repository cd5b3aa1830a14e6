"""How peak rates read."""

from collections.abc import Iterable

from wavemma.explain.peaks import PeakFacts, Published, TypePeak
from wavemma.render.document import Block, Document, Facts, Heading, Table, Text
from wavemma.render.pages import document_of
from wavemma.render.words import UNKNOWN, listed, number


@document_of.register
def _peaks(answer: PeakFacts) -> Document:
    blocks: list[Block] = [
        Heading(f"Peak matrix rates of {answer.product or answer.target}", 1),
        Facts(_facts(answer)),
        rate_table(answer.peaks, answer.unit),
    ]
    blocks += [Text(_formula(answer, each)) for each in answer.peaks if len(answer.peaks) == 1]
    if any(each.published for each in answer.peaks):
        blocks += [Heading("Published figures"), published_table(answer.peaks)]
    return tuple(blocks)


def _facts(answer: PeakFacts) -> tuple[tuple[str, str], ...]:
    clock = UNKNOWN if answer.clock_mhz is None else f"{number(answer.clock_mhz)} MHz"
    rows = [
        ("target", answer.target),
        (f"{answer.unit}s", f"{answer.units}, each with {answer.simds_per_unit} SIMDs"),
        ("clock", f"{clock}, as given" if answer.clock_given else clock),
    ]
    if answer.products:
        rows.append(("products", listed(answer.products)))
    return tuple(rows)


def rate_table(peaks: Iterable[TypePeak], unit: str) -> Table:
    """Write the peak of each type as a table; without a clock only operations in a cycle."""
    found = tuple(peaks)
    timed = any(each.tera is not None for each in found)
    head: tuple[str, ...] = ("type", "sparse", f"ops/{unit}/cycle", "instruction", "grade")
    rows: list[tuple[str, ...]] = [
        (
            each.type,
            "2:4" if each.sparse else "",
            number(each.ops_per_cu_per_cycle),
            _instruction(each),
            each.grade,
        )
        for each in found
    ]
    if timed:
        head = (*head[:2], "T ops/s", *head[2:])
        rows = [
            (*row[:2], number(each.tera), *row[2:]) for row, each in zip(rows, found, strict=True)
        ]
    return Table(head, tuple(rows), right=(2, 3) if timed else (2,))


def _instruction(found: TypePeak) -> str:
    """Name the instruction, and its formats where it takes several."""
    return f"{found.instruction} ({found.a}, {found.b})" if found.several else found.instruction


def _formula(answer: PeakFacts, found: TypePeak) -> str:
    cycles = number(found.cycles)
    rate = (
        f"{number(found.ops_per_cu_per_cycle)} ops in a cycle of a {answer.unit}"
        f" = {found.ops} ops * {answer.simds_per_unit} SIMDs / {cycles} cycles."
    )
    if found.tera is None:
        return rate
    return (
        f"{number(found.tera)} T ops/s = {answer.units} {answer.unit}s"
        f" * {number(found.ops_per_cu_per_cycle)} ops in a cycle * {number(answer.clock_mhz)} MHz"
        f" / 1,000,000; {rate} As fast: {listed(found.alternatives)}."
    )


def published_table(peaks: Iterable[TypePeak]) -> Table:
    """Write published figures beside ours as a table."""
    return Table(
        ("type", "sparse", "T ops/s", "/ ours", "agreement", "source", "grade"),
        tuple(
            (
                each.type,
                "2:4" if each.sparse else "",
                number(figure.tera),
                f"{figure.ratio:.4f}",
                _agreement(figure),
                figure.source,
                figure.grade,
            )
            for each in peaks
            for figure in each.published
        ),
        right=(2, 3),
    )


def _agreement(figure: Published) -> str:
    circular = "; our clock comes from it" if figure.circular else ""
    return f"{figure.agreement}{circular}{': ' + figure.reason if figure.reason else ''}"
