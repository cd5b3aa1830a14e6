"""What comes nearest to a builtin on the architectures that lack it."""

from collections.abc import Iterator, Sequence

import msgspec

from wavemma.explain.equivalents import nearest, setup_of
from wavemma.explain.nearness import HELD, OTHER, RECODED, ROUNDED, Setup, between
from wavemma.isa.instruction import Instruction
from wavemma.tables.builtins import BuiltinRow, available
from wavemma.tables.targets import architectures, targets_of

_HOW = {RECODED: ", other codes", HELD: "", ROUNDED: ", rounded", OTHER: ", other numbers"}


class Counterpart(msgspec.Struct, frozen=True, kw_only=True):
    """The nearest instruction of another architecture.

    Attributes:
        architecture: Key of the architecture.
        title: Its name as printed.
        target: The target that has it; the first of the architecture where several have.
        targets: All of its targets that have it.
        instruction: The nearest instruction there.
        builtin: What to call for it; empty if there is no builtin.
        is_equivalent: Whether it computes the same but for shape, wave and codes.
        differs: What is not as it was, in a few words each; nothing but layouts if empty.

    """

    architecture: str
    title: str
    target: str
    targets: tuple[str, ...]
    instruction: str
    builtin: str
    is_equivalent: bool
    differs: tuple[str, ...]


def elsewhere(row: BuiltinRow, found: Sequence[Instruction]) -> Iterator[Counterpart]:
    """Give the nearest instruction of each architecture that lacks a builtin.

    Args:
        row: The builtin.
        found: The instructions that it becomes.

    """
    owners = available(row)
    # A builtin with scales also becomes the instruction without them.
    scaled = [each for each in found if each.matrix.scale_block]
    setups = [setup_of(each, each.targets[0], row.wave or None) for each in scaled or found]
    for key, architecture in architectures().items():
        here = targets_of(key)
        if set(here) & set(owners):
            continue
        found_here = [(name, *nearest(setups, name)) for name in here]
        where, old, best = min(found_here, key=lambda each: each[2].distance)
        yield Counterpart(
            architecture=key,
            title=architecture.title,
            target=where,
            targets=tuple(name for name in here if name in best.setup.instruction.targets),
            instruction=best.setup.instruction.name,
            builtin=best.builtins[0].name if best.builtins else "",
            is_equivalent=best.distance.is_equivalent,
            differs=(*_owners(best.setup, here), *_differs(old, best.setup)),
        )


def _owners(new: Setup, targets: tuple[str, ...]) -> tuple[str, ...]:
    """Say which targets of an architecture have an instruction that not all have."""
    owners = [name for name in targets if name in new.instruction.targets]
    return () if len(owners) == len(targets) else (f"{', '.join(owners)} only",)


def _differs(old: Setup, new: Setup) -> Iterator[str]:
    one, two = old.instruction, new.instruction
    if one.is_sparse != two.is_sparse:
        yield "dense A" if one.is_sparse else "sparse A"
    changes: dict[str, list[str]] = {}
    for role, name in old.formats.items():
        here = new.formats.get(role, name)
        how = _HOW.get(between(name, here))
        if how is not None:
            changes.setdefault(f"{here} for {name}{how}", []).append(role.upper())
    yield from (f"{', '.join(roles)}: {change}" for change, roles in changes.items())
    if one.matrix.scale_block != two.matrix.scale_block:
        block = two.matrix.scale_block
        yield f"scales for {block} elements along k" if block else "no scales"
    if (one.shape, one.blocks) != (two.shape, two.blocks):
        blocks = f", {two.blocks} blocks" if two.blocks > 1 else ", one block"
        yield f"{'x'.join(map(str, two.shape))}{blocks if two.blocks != one.blocks else ''}"
    if old.wave != new.wave:
        yield f"waves of {new.wave} lanes"
