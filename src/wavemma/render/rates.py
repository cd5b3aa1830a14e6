"""How the speed of one instruction reads."""

from collections.abc import Iterable

from msgspec.structs import replace

from wavemma.explain.rates import RateFacts
from wavemma.explain.speeds import Speed
from wavemma.render.document import Document, Facts, Heading, Table
from wavemma.render.pages import document_of
from wavemma.render.words import number


@document_of.register
def _rate(answer: RateFacts) -> Document:
    first = answer.speeds[0]
    return (
        Heading(f"{answer.instruction} on {answer.target}", 1),
        Facts(
            (
                ("architecture", answer.architecture),
                ("operations", f"{first.ops} a wave" if first.ops else "none, it loads scales"),
                ("SIMDs", f"{answer.simds_per_unit} work at once in a {first.unit}"),
                ("pipe", first.pipe),
            )
        ),
        speed_table(answer.speeds, with_targets=False),
    )


def speed_table(speeds: Iterable[Speed], *, with_targets: bool) -> Table:
    """Write the costs of one instruction as a table; columns that say nothing are left out."""
    groups: dict[Speed, list[str]] = {}
    for each in speeds:
        groups.setdefault(replace(each, target=""), []).append(each.target)
    found = tuple(groups)
    columns = _words(groups, with_targets=with_targets)
    words = len(columns)
    if with_targets and any(each.ops for each in found):
        columns.append(("ops", [number(each.ops) for each in found]))
    columns.append(("cycles", [number(each.cycles) for each in found]))
    if any(each.passes for each in found):
        columns.append(("passes", [number(each.passes) for each in found]))
    columns.append(("beside VALU", [number(each.coexec_cycles) for each in found]))
    for unit in dict.fromkeys(each.unit for each in found):
        rates = [number(each.ops_per_cu_per_cycle) if each.unit == unit else "" for each in found]
        columns.append((f"ops/{unit}/cycle", rates))
    if any(each.block != each.unit for each in found):
        rates = [number(each.ops_per_block_per_cycle) for each in found]
        columns.append((f"ops/{found[0].block}/cycle", rates))
    columns.append(("grade", [each.grade for each in found]))
    return Table(
        tuple(name for name, _ in columns),
        tuple(zip(*(cells for _, cells in columns), strict=True)),
        right=tuple(range(words, len(columns) - 1)),
    )


def _words(groups: dict[Speed, list[str]], *, with_targets: bool) -> list[tuple[str, list[str]]]:
    """Write the columns that say of what the costs are."""
    columns: list[tuple[str, list[str]]] = []
    if with_targets:
        columns.append(("targets", [", ".join(names) for names in groups.values()]))
    if any(each.stepping for each in groups):
        columns.append(("stepping", [each.stepping or "final" for each in groups]))
    if any(each.case for each in groups):
        columns.append(("formats", [each.case or "any" for each in groups]))
    return columns
