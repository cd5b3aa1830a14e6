"""Rows of ordinary instructions that an architecture takes from others."""

from collections.abc import Callable, Iterable

import msgspec

from wavemma.tables.instructions import Grade
from wavemma.tables.ordinary_records import OrdinaryRow, OrdinaryRows, ShapeRow, SlotRow


class TakenRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An architecture whose instructions another one has too.

    Attributes:
        architecture: Whose rows.
        names: Mnemonics; all if there are none. Those must come first.
        source: Key of a source, in place of that of the rows.
        grade: How sure it is that they are the same.

    """

    architecture: str
    source: str
    grade: Grade
    names: tuple[str, ...] = ()

    def has(self, row: OrdinaryRow) -> bool:
        """Tell whether it takes a row."""
        return not self.names or row.name in self.names


def taken_from(
    architecture: str, taken: Iterable[TakenRow], given: Callable[[str], OrdinaryRows]
) -> OrdinaryRows:
    """Put rows together: all of the first architecture, and named ones of others.

    Args:
        architecture: Key of the one that takes them.
        taken: From where.
        given: Gives the rows of an architecture.

    """
    first, *others = taken
    table = given(first.architecture)
    found = [_cited(row, first) for row in table.instructions]
    slots, shapes, settings = dict(table.slots), dict(table.shapes), dict(table.settings)
    choices = table.choices
    for other in others:
        more, mark = given(other.architecture), f"{other.architecture} "
        own = [row for row in more.instructions if other.has(row)]
        found += [_renamed(_cited(row, other), mark) for row in own]
        slots |= {mark + name: _slot(slot, mark) for name, slot in more.slots.items()}
        shapes |= {mark + name: _shape(shape, mark) for name, shape in more.shapes.items()}
        settings |= {
            mark + name: msgspec.structs.replace(row, name=mark + name)
            for name, row in more.settings.items()
        }
        choices += tuple(
            msgspec.structs.replace(row, modifier=mark + row.modifier) for row in more.choices
        )
    return msgspec.structs.replace(
        table,
        name=architecture,
        instructions=tuple(found),
        slots=slots,
        shapes=shapes,
        settings=settings,
        choices=choices,
    )


def _cited(row: OrdinaryRow, taken: TakenRow) -> OrdinaryRow:
    return msgspec.structs.replace(row, source=taken.source, grade=taken.grade)


def _marked(name: str, mark: str) -> str:
    return mark + name if name else ""


def _renamed(row: OrdinaryRow, mark: str) -> OrdinaryRow:
    return msgspec.structs.replace(
        row,
        operands=tuple(mark + name for name in row.operands),
        modifiers=_marked(row.modifiers, mark),
        in_parts=_marked(row.in_parts, mark),
    )


def _slot(slot: SlotRow, mark: str) -> SlotRow:
    return msgspec.structs.replace(
        slot,
        name=mark + slot.name,
        extended=_marked(slot.extended, mark),
        in_parts=_marked(slot.in_parts, mark),
    )


def _shape(shape: ShapeRow, mark: str) -> ShapeRow:
    modifiers = tuple(mark + name for name in shape.modifiers)
    return msgspec.structs.replace(shape, name=mark + shape.name, modifiers=modifiers)
