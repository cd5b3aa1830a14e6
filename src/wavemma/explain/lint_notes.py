"""What a reader of lint's findings must know of what was looked through."""

from collections.abc import Iterable, Sequence

from wavemma.checks.program import Program
from wavemma.explain.object_files import FunctionCode
from wavemma.isa.decode import Undecoded
from wavemma.tables.ordinary import taken_rows
from wavemma.tables.targets import architectures, targets


def wave_notes(codes: Sequence[FunctionCode]) -> list[str]:
    """Say where nothing tells the wave size."""
    assumed = [each for each in codes if each.wave_source == "the default"]
    if not any(len(each.target.waves) > 1 for each in assumed):
        return []
    names = ", ".join(each.function.name for each in assumed if each.function.name)
    return [
        f"No kernel descriptor tells the wave size of {names or 'bare code'}: read as"
        f" wave{assumed[0].wave}, the default; give --wave if it is not."
    ]


def taken_notes(names: Iterable[str]) -> list[str]:
    """Say where the tables of another architecture are used."""
    notes = []
    for name in names:
        for taken in taken_rows(targets()[name].architecture)[:1]:
            title = architectures()[taken.architecture].title
            notes.append(
                f"Ordinary instructions of {name} are read with the tables of {title} (grade"
                f" {taken.grade}): their names may differ, and what is new there is not followed."
            )
    return notes


def unknown_notes(programs: Sequence[Program]) -> list[str]:
    """Say how many words are in no table, and where the first one is."""
    places = [
        (program.name, item)
        for program in programs
        if program.unit == "address"
        for item in program.items
        if isinstance(item.decoded, Undecoded) and not item.reading.known
    ]
    if not places:
        return []
    name, item = places[0]
    return [
        f"{len(places)} words are in no table, so that registers of theirs are not followed; the"
        f" first is at {name}+0x{item.offset:x}."
    ]
