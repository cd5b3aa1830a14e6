"""What instructions are in this file?"""

from collections.abc import Iterator
from typing import Literal

import msgspec

from wavemma.errors import FileMistake
from wavemma.explain.answer import Answer
from wavemma.explain.disassembly import evidence_of, told
from wavemma.explain.encoding import Occurrence
from wavemma.explain.object_files import (
    FunctionCode,
    WaveSource,
    bare_code,
    function_codes,
    is_text,
    read_objects,
)
from wavemma.explain.word_order import count, other_order
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import AnyDecoded, DecodedOrdinary, branch_target, sweep_any
from wavemma.isa.target import Wave, target
from wavemma.objects import is_bundle, is_elf

Kind = Literal["kernel", "function", "code"]


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """The instructions of one function, or of code that is in none.

    Attributes:
        name: Of the function, or of the section; "" of bare code.
        kind: "kernel" if it has a descriptor.
        target: Such as "gfx1100".
        wave: Lanes of the wave.
        wave_source: What says so.
        address: Where it starts in the file's own counting.
        instructions: In order; of targets whose ordinary instructions are not in the tables only
            the matrix instructions.
        size_bytes: Bytes of the code.
        other_bytes: Those of them that are in no instruction of the tables.

    """

    name: str
    kind: Kind
    target: str
    wave: Wave
    wave_source: WaveSource
    address: int
    instructions: tuple[Occurrence, ...]
    size_bytes: int
    other_bytes: int


class FileDisassembly(Answer, frozen=True, kw_only=True, tag=True):
    """The instructions in a file, function by function."""

    stretches: tuple[Stretch, ...]

    @property
    def instructions(self) -> tuple[Occurrence, ...]:
        """All of them, in order."""
        return tuple(each for stretch in self.stretches for each in stretch.instructions)


def file_disassembly(
    target_name: str, data: bytes, *, wave: int | None = None, fields: bool = False
) -> FileDisassembly:
    """Find the instructions of a file: code objects (ELF), a bundle of them, or bare code.

    Args:
        target_name: Such as "gfx942"; "" takes it from the code objects.
        data: The whole file.
        wave: Lanes of the wave where no kernel descriptor tells; the target's default if None.
        fields: Whether every field is told.

    Raises:
        FileMistake: The file is damaged, for another target, for another wave, or no code.

    """
    asked = target(target_name) if target_name else None
    if is_elf(data) or is_bundle(data):
        files = read_objects(data, asked)
        codes = [code for file in files for code in function_codes(file, wave)]
        skipped = files[0].skipped
    else:
        if data and asked and is_text(data):
            raise FileMistake("The file must be code; it holds text.", subject="text")
        codes = [bare_code(asked, data, wave)]
        skipped = tuple(_order_advice(codes[0]))
    found, decoded = [], []
    for code in codes:
        listed = sweep_any(code.function.data, code.target.name, code.wave)
        found.append(_stretch(code, listed, fields=fields))
        decoded += [each for _, each in listed if not isinstance(each, Undecoded)]
    return FileDisassembly(
        stretches=tuple(found),
        evidence=evidence_of(decoded, codes[0].target.name),
        notes=(*_notes(codes), *skipped),
    )


def _order_advice(code: FunctionCode) -> Iterator[str]:
    """Say if bare code holds instructions in another order of its bytes only."""
    data, name = code.function.data, code.target.name
    advice = other_order(data, name, code.wave, count(sweep_any(data, name, code.wave), name))
    if advice:
        yield advice


def _stretch(
    code: FunctionCode, listed: tuple[tuple[int, AnyDecoded | Undecoded], ...], *, fields: bool
) -> Stretch:
    function = code.function
    kind: Kind = "kernel" if function.descriptor else "function" if function.is_function else "code"
    # Code repeats itself, so the same bytes are told once.
    known: dict[bytes, Occurrence] = {}
    instructions, used = [], 0
    for place, each in listed:
        raw = function.data[place : place + each.size_bytes]
        if raw not in known:
            known[raw] = told(place, each, function.data, fields=fields)
        address = function.address + place
        used += 0 if isinstance(each, Undecoded) else each.size_bytes
        instructions.append(
            msgspec.structs.replace(
                known[raw],
                offset=address,
                place=f"{function.name}+0x{place:x}" if function.name else "",
                said=(*known[raw].said, *(_open(code, place, each) or _leads(code, address, each))),
            )
        )
    return Stretch(
        name=function.name,
        kind=kind,
        target=code.target.name,
        wave=code.wave,
        wave_source=code.wave_source,
        address=function.address,
        instructions=tuple(instructions),
        size_bytes=len(function.data),
        other_bytes=len(function.data) - used,
    )


def _open(code: FunctionCode, place: int, each: AnyDecoded | Undecoded) -> tuple[str, ...]:
    """Say what a linker will fill in; until then the bytes tell nothing."""
    unlinked = code.function.unlinked
    places = range(place, place + each.size_bytes) if unlinked else ()
    return tuple(f"the linker puts {unlinked[at]} here" for at in places if at in unlinked)


def _leads(code: FunctionCode, address: int, each: AnyDecoded | Undecoded) -> tuple[str, ...]:
    """Say where a branch leads."""
    goal = branch_target(each, address) if isinstance(each, DecodedOrdinary) else None
    if goal is None:
        return ()
    before = [(start, name) for start, name in code.starts if start <= goal]
    place = f"{before[-1][1]}+0x{goal - before[-1][0]:x}" if before else f"0x{goal:x}"
    return (f"leads to {place}",)


def _notes(codes: list[FunctionCode]) -> tuple[str, ...]:
    """Say which wave sizes nothing in the file tells."""
    notes = []
    assumed = [each for each in codes if each.wave_source == "the default"]
    if any(len(each.target.waves) > 1 for each in assumed):
        names = ", ".join(each.function.name for each in assumed if each.function.name)
        notes.append(
            f"No kernel descriptor tells the wave size of {names or 'bare code'}: it is read as"
            f" wave{assumed[0].wave}, the default; give --wave if it is not."
        )
    return tuple(notes)
