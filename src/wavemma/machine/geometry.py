"""The shape of a launch, checked against the limits of the target."""

import operator
from collections.abc import Sequence
from functools import cache
from typing import SupportsIndex, TypeGuard

import msgspec

from wavemma.errors import LaunchMistake
from wavemma.objects import Kernel
from wavemma.tables.abi import abi, limit
from wavemma.tables.targets import Wave

Sizes = tuple[int, int, int]
_MOST = (1 << 32) - 1
_AXES = "xyz"


class Geometry(msgspec.Struct, frozen=True):
    """How many workgroups there are, of what size.

    Attributes:
        grid: Workgroups along x, y and z.
        block: Work-items of one along x, y and z.
        dynamic_lds_bytes: LDS besides what the kernel declares.

    """

    grid: Sizes
    block: Sizes
    dynamic_lds_bytes: int = 0

    @property
    def groups(self) -> int:
        """Workgroups in all."""
        x, y, z = self.grid
        return x * y * z

    @property
    def items(self) -> int:
        """Work-items of a workgroup."""
        x, y, z = self.block
        return x * y * z

    def waves(self, wave: Wave) -> int:
        """Waves of a workgroup."""
        return -(-self.items // wave)


def sizes(given: SupportsIndex | Sequence[SupportsIndex], what: str) -> Sizes:
    """Fill up one, two or three numbers to three.

    Raises:
        LaunchMistake: They are not whole numbers above 0, or more than three.

    """
    parts = tuple(given) if isinstance(given, Sequence) else (given,)
    numbers = [operator.index(each) for each in parts if _is_whole(each)]
    whole = len(numbers) == len(parts) and all(1 <= each <= _MOST for each in numbers)
    if not whole or not 1 <= len(numbers) <= len(_AXES):
        raise LaunchMistake(
            f"A {what} must be one to three whole numbers above 0, got {given!r}.", subject=given
        )
    x, y, z = (*numbers, 1, 1)[:3]
    return x, y, z


def _is_whole(given: object) -> TypeGuard[SupportsIndex]:
    # A look for a protocol takes longer than all the rest.
    if type(given) is int:
        return True
    return isinstance(given, SupportsIndex) and not isinstance(given, bool)


def check(geometry: Geometry, kernel: Kernel, architecture: str) -> None:
    """Refuse a launch that the target cannot do.

    Raises:
        LaunchMistake: Says which limit.

    """
    wave = kernel.descriptor.wave
    most = min(
        limit("workgroup_max", architecture, wave), kernel.metadata.max_flat_workgroup_size or 1024
    )
    if geometry.items > most:
        raise LaunchMistake(
            f"A workgroup of {kernel.name} must have at most {most} work-items;"
            f" {' x '.join(map(str, geometry.block))} are {geometry.items}.",
            subject=geometry.block,
        )
    wanted = kernel.metadata.reqd_workgroup_size
    if wanted and tuple(wanted) != geometry.block:
        raise LaunchMistake(
            f"{kernel.name} was compiled for workgroups of {tuple(wanted)}, got {geometry.block}.",
            subject=geometry.block,
        )
    room = limit("lds_max", architecture, wave)
    static = kernel.descriptor.group_bytes
    if geometry.dynamic_lds_bytes < 0 or static + geometry.dynamic_lds_bytes > room:
        raise LaunchMistake(
            f"A workgroup must have at most {room:,} bytes of LDS; {kernel.name} declares"
            f" {static:,} and the launch asks for {geometry.dynamic_lds_bytes:,} more.",
            subject=geometry.dynamic_lds_bytes,
        )
    for axis, count in zip(_AXES, geometry.grid, strict=True):
        if count > (most := _most_groups(axis, architecture)):
            raise LaunchMistake(
                f"A grid must have at most {most:,} workgroups along {axis}, as {architecture}"
                f" keeps their number in a register; got {count:,}.",
                subject=geometry.grid,
            )
    if geometry.groups * geometry.items > _MOST:
        raise LaunchMistake(
            f"A launch must have at most {_MOST:,} work-items, got"
            f" {geometry.groups * geometry.items:,}.",
            subject=geometry.grid,
        )


@cache
def _most_groups(axis: str, architecture: str) -> int:
    """Count the workgroups along an axis that the register with their number can tell apart."""
    name = f"WORKGROUP_ID_{axis.upper()}"
    widths = [
        row.hi - row.lo + 1
        for row in abi().bits
        if row.name.endswith(name) and row.word.startswith("TTMP") and row.holds_for(architecture)
    ]
    return 1 << min(widths, default=32)
