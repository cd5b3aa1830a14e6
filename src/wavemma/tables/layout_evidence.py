"""Records of data/layout_evidence.toml: what the layouts of instructions rest on."""

from functools import cache

import msgspec

from wavemma.errors import DataMistake
from wavemma.tables.files import rows
from wavemma.tables.keys import Grade

_FILE = "layout_evidence.toml"


class LayoutEvidenceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the layouts of some instructions of an architecture rest on.

    Attributes:
        architecture: Key of the architecture.
        source: Key of data/sources.toml.
        grade: Grade of the layouts.
        instructions: The instructions; none stands for all that no other row names.
        note: What limits the evidence.
        rival_roles: Operands that another source describes otherwise.
        rival: What it says.
        rival_source: Key of that source.

    """

    architecture: str
    source: str
    grade: Grade
    instructions: tuple[str, ...] = ()
    note: str = ""
    rival_roles: tuple[str, ...] = ()
    rival: str = ""
    rival_source: str = ""


class MoveEvidenceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What rests on which source of how a modifier moves a layout, by its effect."""

    effect: str
    architectures: tuple[str, ...]
    source: str
    grade: Grade
    note: str = ""


@cache
def _layouts() -> tuple[LayoutEvidenceRow, ...]:
    return rows(_FILE, "layout", LayoutEvidenceRow)


@cache
def _moves() -> tuple[MoveEvidenceRow, ...]:
    return rows(_FILE, "move", MoveEvidenceRow)


def layout_evidence(architecture: str, instruction: str) -> LayoutEvidenceRow:
    """Find what the layouts of an instruction rest on.

    Raises:
        DataMistake: No row is for it.

    """
    ours = [row for row in _layouts() if row.architecture == architecture]
    for row in ours:
        if instruction in row.instructions:
            return row
    for row in ours:
        if not row.instructions:
            return row
    raise DataMistake(
        f"data/{_FILE} must have a row for {instruction} of {architecture}.", subject=instruction
    )


def move_evidence(architecture: str, effect: str) -> MoveEvidenceRow:
    """Find what a moving modifier rests on.

    Raises:
        DataMistake: No row is for it.

    """
    for row in _moves():
        if row.effect == effect and architecture in row.architectures:
            return row
    raise DataMistake(
        f"data/{_FILE} must have a row for {effect} on {architecture}.", subject=effect
    )
