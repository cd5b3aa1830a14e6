"""What to change in code that goes from one target to another, in the order of the work."""

from collections.abc import Iterable, Iterator

import msgspec

from wavemma.explain.port_changes import Change, place_text
from wavemma.explain.port_side import OperandUse, PortSide

_FACTORS = ("a", "b")
_SUMS = ("c", "d")
_LOOPS = ("wave", "tile", "k step")
_CALL = ("builtin", "arguments")


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to do: to what, and what."""

    what: str
    do: str


def steps_of(before: PortSide, after: PortSide, changes: Iterable[Change]) -> Iterator[Step]:
    """List what must be done, first things first: the call, types, loops, loads, stores.

    Args:
        before: The old side.
        after: The new side.
        changes: What differs between them.

    """
    found = tuple(changes)
    yield from _call(before, after, {each.what for each in found})
    yield from _types(found)
    yield from _asked(found, *_LOOPS, "format of")
    for roles in (_FACTORS, _SUMS, _others(before, after)):
        yield from _moves(before, after, roles)
    yield from _gone(before, after)


def _call(before: PortSide, after: PortSide, differs: set[str]) -> Iterator[Step]:
    """Say what to call; without a builtin the instruction must be written in assembly."""
    if not differs.intersection((*_CALL, "instruction")):
        return
    if not after.builtin:
        yield Step(what="builtin", do=f"there is none: use {after.instruction} in assembly")
    elif differs.intersection(_CALL):
        given = f"; arguments: {', '.join(after.call)}" if "arguments" in differs else ""
        old = f" in place of {before.builtin}" if before.builtin != after.builtin else ""
        yield Step(what="builtin", do=f"call {after.builtin}{old or ' as before'}{given}")


def _types(changes: tuple[Change, ...]) -> Iterator[Step]:
    """Say which types to declare; where one side has none, how many registers there are."""
    typed = [each for each in changes if each.what.startswith("type of ")]
    named = all(each.after != "-" and each.before != "-" for each in typed)
    if named and typed:
        parts = [_swap(each, "type of ") for each in typed]
        yield Step(what="types", do="; ".join(parts))
        return
    counted = [each for each in changes if each.what.startswith("registers of ")]
    if counted:
        parts = [_swap(each, "registers of ") for each in counted]
        yield Step(what="registers", do="; ".join(parts))


def _swap(change: Change, topic: str) -> str:
    return f"{change.after} for {change.what.removeprefix(topic)} in place of {change.before}"


def _asked(changes: tuple[Change, ...], *topics: str) -> Iterator[Step]:
    for each in changes:
        if each.do and each.what.startswith(topics):
            yield Step(what=each.what, do=each.do)


def _moves(before: PortSide, after: PortSide, roles: tuple[str, ...]) -> Iterator[Step]:
    """Say how operands are loaded and stored; once where it is the same for several."""
    groups: dict[str, list[str]] = {}
    for role in roles:
        old, new = before.operand(role), after.operand(role)
        if old and new and _held(old) != _held(new):
            groups.setdefault(_move(old, new), []).append(_named(new))
    for text, names in groups.items():
        yield Step(what=", ".join(names), do=text)


def _held(use: OperandUse) -> tuple[object, ...]:
    """Give all that the code of a load or store depends on."""
    bits = (use.element_bits, use.stride_bits, use.offset_bits, use.slots)
    return (use.lanes, use.copies, use.registers, place_text(use), *bits)


def _move(old: OperandUse, new: OperandUse) -> str:
    registers = f"v = 0..{new.registers - 1}" if new.registers > 1 else "v = 0"
    parts = [f"{place_text(new) or 'no short formula'} ({registers})"]
    if new.copies < old.copies:
        parts.append("each lane loads only its own part")
    elif new.copies > old.copies:
        parts.append(f"load the same into each of {new.copies} lanes")
    if new.offset_bits or new.stride_bits != new.element_bits:
        parts.append(f"an element every {new.stride_bits} bits, the first at bit {new.offset_bits}")
    return "; ".join(parts)


def _named(use: OperandUse) -> str:
    return f"{'stores' if use.role == 'd' else 'loads'} of {use.name}"


def _others(before: PortSide, after: PortSide) -> tuple[str, ...]:
    """List the roles besides those of the matrices, such as the index."""
    roles = [each.role for side in (before, after) for each in side.operands]
    return tuple(dict.fromkeys(role for role in roles if role not in (*_FACTORS, *_SUMS)))


def _gone(before: PortSide, after: PortSide) -> Iterator[Step]:
    """Name the operands that only one side has."""
    lost = [each.name for each in before.operands if after.operand(each.role) is None]
    new = [each.name for each in after.operands if before.operand(each.role) is None]
    if lost:
        yield Step(what="operands", do=f"leave out {', '.join(lost)}")
    if new:
        yield Step(what="operands", do=f"add {', '.join(new)}")
