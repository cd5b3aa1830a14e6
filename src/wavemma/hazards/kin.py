"""The table that reads the ordinary instructions of an architecture: its own, or a relative's."""

from wavemma.isa.ordinary import OrdinaryTable, ordinary_table
from wavemma.tables.hazard_classes import hazard_classes


def readable_table(architecture: str) -> OrdinaryTable:
    """Give the architecture's own table, or that of its kin."""
    kin = hazard_classes().kin.get(architecture)
    return ordinary_table(kin.reads_as if kin else architecture)
