"""Registers beyond those that the numbers in instructions reach: a mode holds their high bits."""

import msgspec

from wavemma.checks.program import Item, Program
from wavemma.checks.written_line import written_line
from wavemma.hazards import Reader, Reading, Run
from wavemma.isa.decode import Undecoded
from wavemma.isa.decoded import Decoded
from wavemma.isa.ordinary import DecodedOrdinary

_MODE = 0xFF


def in_banks(program: Program, reader: Reader, data: bytes = b"") -> Program:
    """Give a program with the registers that its mode means; the same if it sets none.

    The mode is 0 where a run begins, as compilers leave it.

    Args:
        program: As it was read, with the numbers that stand in the instructions.
        reader: Reads it.
        data: Its bytes; none of a text.

    """
    banking = reader.table.rows.banking
    name = banking.name if banking else ""
    if not name or all(item.reading.name != name for item in program.items):
        return program
    readings = [
        reading for run in program.runs for reading in _of_run(program, run, reader, data, name)
    ]
    items = tuple(
        msgspec.structs.replace(item, reading=reading)
        for item, reading in zip(program.items, readings, strict=True)
    )
    runs = tuple(
        Run(run.first, tuple(readings[run.first : run.first + len(run.readings)]), run.successors)
        for run in program.runs
    )
    return msgspec.structs.replace(program, items=items, runs=runs, banked=True)


def _of_run(program: Program, run: Run, reader: Reader, data: bytes, name: str) -> list[Reading]:
    mode, found = 0, []
    for item in program.items[run.first : run.first + len(run.readings)]:
        if item.reading.name == name:
            mode = _number(item) & _MODE
        found.append(_banked(item, reader, data, mode) if mode else item.reading)
    return found


def _number(item: Item) -> int:
    if isinstance(item.decoded, DecodedOrdinary):
        return next((o.value for o in item.decoded.operands.values() if o.kind == "number"), 0)
    try:
        return int(item.written.split()[1], 0)
    except (IndexError, ValueError):
        return 0


def _banked(item: Item, reader: Reader, data: bytes, mode: int) -> Reading:
    if data:
        return reader.read(data[item.offset :], mode).reading
    if isinstance(item.decoded, Decoded | Undecoded):
        return reader.reading(item.decoded, b"", mode)
    name, _, rest = item.written.partition(" ")
    found = written_line(name.lower(), rest.strip().lower(), reader, mode)
    return found.reading if found else item.reading
