"""The instructions of a target that come nearest to one of another target."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from wavemma.clang_builtins.names import available
from wavemma.explain.nearness import (
    OTHER,
    ROUNDED,
    WORST,
    Distance,
    Setup,
    between,
    distance,
)
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.isa.target import wave_of
from wavemma.tables.builtins import BuiltinRow, builtins
from wavemma.tables.formats import format_row
from wavemma.tables.targets import Wave, target

_NOTHING: Mapping[str, str] = {}
_ROLES = ("a", "b", "c", "d")


class Equivalent(NamedTuple):
    """A setup on the other target, how far it is, and the builtins that give it."""

    setup: Setup
    distance: Distance
    builtins: tuple[BuiltinRow, ...]


def setup_of(
    instruction: Instruction,
    target_name: str,
    wave: int | None = None,
    formats: Mapping[str, str] = _NOTHING,
) -> Setup:
    """Say how an instruction is used; a format that is not given is the first of its role.

    Raises:
        OutOfRange: The target has no waves of that size.

    """
    lanes = wave_of(target(target_name), wave)
    chosen = {role: names[0] for role, names in instruction.formats.items()}
    return Setup(target_name, instruction, lanes, chosen | dict(formats))


def equivalents(old: Setup, target_name: str, wave: int | None = None) -> tuple[Equivalent, ...]:
    """List the matrix instructions of a target by how near they come to a setup, nearest first.

    Args:
        old: What is to be replaced.
        target_name: The target.
        wave: Lanes of the wave there; if None, the default there, or those of the setup where
            they are not the default of its own target.

    Raises:
        UnknownTarget: No such target.
        OutOfRange: The target has no waves of that size.

    """
    lanes = wave_there(old, target_name, wave)
    found = [
        Equivalent(new, distance(old, new), builtins_for(each, target_name, lanes))
        for each in catalog.instructions(target_name)
        if each.is_matrix
        for new in [_fitted(old, each, target_name, lanes)]
    ]
    return tuple(sorted(found, key=lambda each: _rank(old, each)))


def wave_there(old: Setup, target_name: str, wave: int | None = None) -> Wave:
    """Choose the lanes of the wave on a target; arguments and errors as above."""
    row = target(target_name)
    chosen = old.wave != target(old.target).default_wave and old.wave in row.waves
    return wave_of(row, wave or (old.wave if chosen else None))


def nearest(
    setups: Sequence[Setup], target_name: str, wave: int | None = None
) -> tuple[Setup, Equivalent]:
    """Choose the pair of an old setup and a new one that are nearest; arguments as above."""
    pairs = [(old, equivalents(old, target_name, wave)[0]) for old in setups]
    return min(pairs, key=lambda pair: pair[1].distance)


@cache
def builtins_for(instruction: Instruction, target_name: str, wave: Wave) -> tuple[BuiltinRow, ...]:
    """List the builtins that become an instruction in a wave of that size, the plain one first."""
    key = (instruction.architecture, instruction.name)
    found = (
        row
        for row in builtins().values()
        if key in row.references and row.wave in (0, wave) and target_name in available(row)
    )
    return tuple(sorted(found, key=lambda row: len(row.name)))


def _fitted(old: Setup, instruction: Instruction, target_name: str, wave: Wave) -> Setup:
    """Choose the formats of an instruction that come nearest to those of a setup."""
    formats = {
        role: min(instruction.formats[role], key=lambda name: _loss(old.formats[role], name))
        for role in _ROLES
    }
    return setup_of(instruction, target_name, wave, formats)


def _loss(old: str, new: str) -> tuple[int, int]:
    """Order formats by how they stand for another; where values are rounded, wide ones first."""
    how = between(old, new)
    return how, format_row(new).bits * (-1 if how in (ROUNDED, OTHER) else 1)


def _rank(old: Setup, found: Equivalent) -> tuple[object, ...]:
    """Order by distance, then by how much wider the operands are, then by tile and name."""
    shape = found.setup.instruction.shape
    tiles = tuple(abs(new - one) for new, one in zip(shape, old.instruction.shape, strict=True))
    other = old.instruction.name != found.setup.instruction.name
    first, last = found.distance[:WORST], found.distance[WORST:]
    return (*first, _width(old, found.setup), *last, other, tiles)


def _width(old: Setup, new: Setup) -> int:
    """Count the bits of the formats; where values are rounded, more bits come nearer."""
    return sum(_loss(old.formats[role], new.formats[role])[1] for role in _ROLES)
