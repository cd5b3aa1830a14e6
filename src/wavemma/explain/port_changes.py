"""What differs between the two sides of a port, and what to do about it."""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from wavemma.explain.formula_pairs import Formula
from wavemma.explain.nearness import HELD, OTHER, ROUNDED, Distance, Setup, between
from wavemma.explain.port_side import OperandUse, PortSide
from wavemma.tables.formats import format_row

_LETTERS = {"a": "A", "b": "B", "c": "C", "d": "D"}
_HOW = {
    HELD: "has every value of it: convert, no bit is lost",
    ROUNDED: "rounds its values: convert and check the error",
    OTHER: "is of another kind: convert and check range and error",
}
_CODES = "codes of the two formats mean other values: convert the data, the bits must not be copied"


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One difference: of what, as it was, as it is, and what to do; empty if nothing."""

    what: str
    before: str
    after: str
    do: str = ""


def obstacles(old: Setup, new: Setup, found: Distance) -> Iterator[str]:
    """Say why the nearest instruction does not compute the same, one sentence each."""
    if found.is_equivalent:
        return
    here = new.target
    if found.sparsity:
        yield (
            f"{here} has no sparse instruction for these formats: expand A to all its columns and"
            " use the dense one."
        )
    reasons: dict[tuple[str, str, str], list[str]] = {}
    for role in ("a", "b", "d", "c"):
        before, after = old.formats[role], new.formats[role]
        how = _HOW.get(between(before, after))
        if how and not (role == "c" and old.formats["d"] == before):
            reasons.setdefault((before, after, how), []).append(_LETTERS[role])
    for (before, after, how), letters in reasons.items():
        yield (
            f"{' and '.join(letters)} of {before} with the rest as it was: none on {here}."
            f" The nearest, {after}, {how}."
        )
    yield from _scale_obstacles(old, new)


def _scale_obstacles(old: Setup, new: Setup) -> Iterator[str]:
    before, after = old.instruction.matrix.scale_block, new.instruction.matrix.scale_block
    if before == after:
        return
    if not after:
        yield (
            f"{new.target} has no block scales for these formats: multiply the sum of each block of"
            f" {before} by its two scales, or scale the elements before they are packed."
        )
    elif not before:
        yield (
            f"{new.target} has only the form with block scales: give it scales of 1 (0x7f in every"
            " byte of E8M0)."
        )
    else:
        yield f"A scale is for {after} elements along k there, for {before} here."


def changes_of(before: PortSide, after: PortSide) -> Iterator[Change]:
    """List what differs, in the order in which code meets it."""
    yield from _different(
        ("instruction", before.instruction, after.instruction, ""),
        ("builtin", before.builtin, after.builtin, ""),
        ("arguments", _signature(before), _signature(after), ""),
        ("wave", str(before.wave), str(after.wave), _wave_advice(after)),
        ("tile", _tile(before), _tile(after), _tile_advice(before, after)),
        ("k step", str(before.shape[2]), str(after.shape[2]), _step_advice(before, after)),
    )
    pairs = [(each, after.operand(each.role)) for each in before.operands]
    yield from _merged(
        change for one, two in pairs if two is not None for change in _operand(one, two)
    )
    gone = [each.name for each in before.operands if after.operand(each.role) is None]
    come = [each.name for each in after.operands if before.operand(each.role) is None]
    yield from _different(("operands", _listed(gone), _listed(come), ""))
    yield from _different(
        ("cycles", _number(before.cycles), _number(after.cycles), ""),
        ("rate", _rate(before), _rate(after), ""),
    )
    yield Change(
        what="model", before=_model(before), after=_model(after), do=_model_advice(before, after)
    )


def _merged(changes: Iterable[Change]) -> Iterator[Change]:
    """Say once what changes alike for several operands."""
    groups: dict[tuple[str, Change], list[str]] = {}
    for each in changes:
        topic, _, name = each.what.rpartition(" ")
        groups.setdefault((topic, replace(each, what="")), []).append(name)
    for (topic, each), names in groups.items():
        yield replace(each, what=f"{topic} {', '.join(names)}")


def _operand(one: OperandUse, two: OperandUse) -> Iterator[Change]:
    name = one.name
    recoded = one.format.partition("_")[0] == two.format.partition("_")[0]
    advice = _CODES if recoded and one.element_bits == two.element_bits else ""
    yield from _different(
        (f"format of {name}", one.format, two.format, advice),
        (f"type of {name}", one.type, two.type, ""),
        (f"registers of {name}", str(one.registers), str(two.registers), ""),
        (f"copies of {name}", _copies(one), _copies(two), _copy_advice(one, two)),
    )
    if one.neighbours and two.neighbours:
        runs = (f"k side by side in {name}", str(one.neighbours), str(two.neighbours), "")
        yield from _different(runs)
    yield from _different((f"map of {name}", place_text(one), place_text(two), ""))


def place_text(use: OperandUse) -> str:
    """Write which element a lane holds, by register and number where short formulas exist."""
    found: tuple[Formula, ...] = use.formulas.register_element or use.formulas.element
    return "; ".join(f"{each.name} = {each.python}" for each in found)


def _different(*rows: tuple[str, str, str, str]) -> Iterator[Change]:
    for what, before, after, do in rows:
        if before != after:
            yield Change(what=what, before=before or "-", after=after or "-", do=do)


def _signature(side: PortSide) -> str:
    return ", ".join(side.call)


def _tile(side: PortSide) -> str:
    m, n, _ = side.shape
    return f"{m}x{n}" + (f", {side.blocks} blocks" if side.blocks > 1 else "")


def _tile_advice(before: PortSide, after: PortSide) -> str:
    if before.blocks > 1 or after.blocks > 1:
        return "products of several blocks become several calls, or one larger product"
    parts = [
        f"{old // new} along {axis}" if old > new else f"1/{new // old} along {axis}"
        for axis, old, new in zip("MN", before.shape, after.shape, strict=False)
        if old != new
    ]
    return f"tiles for one: {', '.join(parts)}" if parts else ""


def _step_advice(before: PortSide, after: PortSide) -> str:
    old, new = before.shape[2], after.shape[2]
    if old == new:
        return ""
    if old > new:
        return f"{old // new} calls for one along k"
    return f"one call does the work of {new // old} along k; K must be a multiple of {new}, or pad"


def _wave_advice(after: PortSide) -> str:
    return f"lane = threadIdx.x % {after.wave}"


def _copies(use: OperandUse) -> str:
    return "one lane" if use.copies == 1 else f"{use.copies} lanes hold the same"


def _copy_advice(one: OperandUse, two: OperandUse) -> str:
    if one.copies > two.copies:
        return "each lane loads only its own part of k"
    return "the same must be loaded into each copy" if one.copies < two.copies else ""


def _number(value: int | None) -> str:
    return "unknown" if value is None else str(value)


def _rate(side: PortSide) -> str:
    value = side.ops_per_cu_per_cycle
    return "unknown" if value is None else f"{value:g} ops/{side.unit}/cycle"


def _model(side: PortSide) -> str:
    return f"{side.model} [{side.model_grade}]"


def _model_advice(before: PortSide, after: PortSide) -> str:
    """Say whether results may differ in their bits."""
    formats = [(before.operand(role), after.operand(role)) for role in ("a", "b", "d")]
    if all(one and two and _is_integer(one) and _is_integer(two) for one, two in formats):
        return "sums are exact and wrap alike; only with clamp may results differ"
    if any(one and two and one.format != two.format for one, two in formats):
        return "the formats differ, so the bits do"
    if before.model != after.model:
        return "rounded otherwise: last bits may differ, compare with a tolerance"
    if before.shape[2] != after.shape[2]:
        return "the same rule; with another K its groups along k may fall otherwise"
    return "the same rule: the same bits, if k is summed in the same order"


def _is_integer(use: OperandUse) -> bool:
    return format_row(use.format).kind == "integer"


def _listed(names: list[str]) -> str:
    return ", ".join(names)
