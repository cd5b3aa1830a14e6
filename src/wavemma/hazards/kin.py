"""The table that reads the ordinary instructions of an architecture: its own, or a relative's."""

from functools import cache

import msgspec

from wavemma.isa.ordinary import OrdinaryTable, indexed, ordinary_table
from wavemma.tables.hazard_classes import hazard_classes
from wavemma.tables.ordinary import OrdinaryRow, ordinary_rows


@cache
def readable_table(architecture: str) -> OrdinaryTable:
    """Give the architecture's own table, or that of its kin with what that lacks."""
    kin = hazard_classes().kin.get(architecture)
    if kin is None:
        return ordinary_table(architecture)
    own = [row for row in hazard_classes().more if row.architecture == architecture]
    more = tuple(
        OrdinaryRow(
            name=row.name,
            opcode=row.opcode,
            encoding=row.encoding,
            operands=row.operands,
            suffix=row.suffix,
            source=row.source,
            grade=row.grade,
        )
        for row in own
    )
    rows = ordinary_rows(kin.reads_as)
    return indexed(msgspec.structs.replace(rows, instructions=(*rows.instructions, *more)))
