"""What must stand between instructions: rules as data, applied to the paths of a program."""

from wavemma.hazards.flow import Missing, missing
from wavemma.hazards.machine_code import Reader
from wavemma.hazards.reading import Reading, Run, Span
from wavemma.hazards.rules import Need, conflicts_of, countings_of, needs

__all__ = [
    "Missing",
    "Need",
    "Reader",
    "Reading",
    "Run",
    "Span",
    "conflicts_of",
    "countings_of",
    "missing",
    "needs",
]
