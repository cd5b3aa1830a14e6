"""Records of data/probes.toml: what is open about the silicon, and what it may be."""

from functools import cache
from typing import Literal

import msgspec

from wavemma.errors import DataMistake
from wavemma.tables.files import rows
from wavemma.tables.keys import by_name, check_known
from wavemma.tables.models import model_rows
from wavemma.tables.sources import sources
from wavemma.tables.targets import targets

_FILE = "probes.toml"
Inputs = Literal["sums", "clamp", "nan", "underflow", "places"]


class CandidateRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that the silicon may do.

    Attributes:
        model: The arithmetic model; that of the instruction's row if empty.
        layout: The layout of all operands; that of the instruction's row if empty.
        title: What it means, where the model's own title does not say it.

    """

    model: str = ""
    layout: str = ""
    title: str = ""


class PointRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One open point.

    Attributes:
        name: Key.
        question: What is not known.
        targets: The targets that it is open on.
        inputs: Which inputs the probe needs.
        candidates: What the silicon may do, what this project takes first; none: only measured.
        instructions: The instructions; if empty, those that follow the first candidate's model.
        wave: Lanes of the wave; 0: the target's default.
        formats: Formats of A and B where modifiers choose them.
        note: What else is to be said.
        source: Key of data/sources.toml.

    """

    name: str
    question: str
    targets: tuple[str, ...]
    inputs: Inputs
    source: str
    candidates: tuple[CandidateRow, ...] = ()
    instructions: tuple[str, ...] = ()
    wave: int = 0
    formats: tuple[str, ...] = ()
    note: str = ""


@cache
def points() -> dict[str, PointRow]:
    """Give every open point by name, in file order.

    Raises:
        DataMistake: A name is used twice, or a reference leads nowhere.

    """
    found = by_name(_FILE, "point", rows(_FILE, "point", PointRow))
    for row in found.values():
        place = f"data/{_FILE}, point {row.name}"
        check_known(place, "targets", row.targets, targets())
        check_known(place, "source", (row.source,), sources())
        named = [each.model for each in row.candidates if each.model]
        check_known(place, "model", named, model_rows())
        if not row.instructions and not named:
            raise DataMistake(f"{place}: instructions must be given where no model is.")
    return found
