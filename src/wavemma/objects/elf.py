"""ELF files of code objects: header, sections, segments, symbols, relocations and notes."""

from collections.abc import Iterator
from io import BytesIO

import msgspec
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import Section as RawSection
from elftools.elf.sections import Symbol as RawSymbol
from elftools.elf.sections import SymbolTableSection

from wavemma.errors import FileMistake
from wavemma.objects.damage import damage, part
from wavemma.objects.structures import number

MAGIC = b"\x7fELF"
NOTE_OWNER = b"AMDGPU\0"
WHOLE = "a whole ELF file"
MOST_BYTES = 1 << 30
"""More than any code object has; larger sizes are damage."""
_NO_BITS = "SHT_NOBITS"
_WRITABLE, _ALLOCATED, _EXECUTABLE = 0x1, 0x2, 0x4


class Section(msgspec.Struct, frozen=True):
    """A section.

    Attributes:
        name: Such as ".text".
        index: Its number, by which symbols name it.
        address: Where it lies in memory, 0 in relocatable files.
        size: In bytes.
        align: In bytes.
        data: Its bytes, empty if the file holds none (.bss).
        is_allocated: Whether it lies in memory at all.
        is_code: Whether it is executable.
        is_writable: Whether code may write it.

    """

    name: str
    index: int
    address: int
    size: int
    align: int
    data: bytes
    is_allocated: bool
    is_code: bool
    is_writable: bool


class Segment(msgspec.Struct, frozen=True):
    """A range of memory that the file fills: address, size in memory, bytes, permissions."""

    address: int
    size: int
    data: bytes
    flags: int


class Symbol(msgspec.Struct, frozen=True):
    """A symbol.

    Attributes:
        name: As the linker knows it.
        value: Address; in relocatable files the offset inside of its section.
        size: In bytes.
        kind: "FUNC", "OBJECT", "NOTYPE", "SECTION" and so on.
        binding: "GLOBAL", "LOCAL" or "WEAK".
        visibility: "DEFAULT", "PROTECTED", "HIDDEN" or "INTERNAL".
        section: Number of its section, or "UNDEF", "ABS" or "COMMON".

    """

    name: str
    value: int
    size: int
    kind: str
    binding: str
    visibility: str
    section: int | str


class Reference(msgspec.Struct, frozen=True):
    """A relocation: where (section number, None if by address), what, whose, and how much more."""

    section: int | None
    offset: int
    kind: int
    symbol: Symbol
    addend: int


class ElfFile(msgspec.Struct, frozen=True):
    """What an ELF file of a code object holds; a link of several has the notes of each."""

    is_relocatable: bool
    os_abi: int
    abi_version: int
    flags: int
    sections: tuple[Section, ...]
    segments: tuple[Segment, ...]
    symbols: tuple[Symbol, ...]
    references: tuple[Reference, ...]
    notes: tuple[bytes, ...]


def is_elf(data: bytes) -> bool:
    """Tell whether bytes start as an ELF file does."""
    return data.startswith(MAGIC)


def start_words(data: bytes) -> str:
    """Say in words what bytes start with."""
    return f"starts with {data[:8].hex(' ')}" if data else "is empty"


def read_elf(data: bytes) -> ElfFile:
    """Read the ELF file of a code object.

    Args:
        data: The whole file.

    Raises:
        FileMistake: It is no ELF file, is not for an AMD GPU, or is damaged.

    """
    if not is_elf(data):
        raise FileMistake(
            f"The file must start as an ELF file does, with {MAGIC.hex(' ')};"
            f" it {start_words(data)}.",
            subject="ELF",
        )
    with damage(WHOLE):
        return _read(ELFFile(BytesIO(data)), data)


def _read(file: ELFFile, data: bytes) -> ElfFile:
    header = file.header
    if header["e_machine"] != "EM_AMDGPU":
        raise FileMistake(
            f"The ELF file must be for an AMD GPU; it is for {header['e_machine']}.",
            subject=header["e_machine"],
            hint="A host program holds its code objects in a bundle in section .hip_fatbin.",
        )
    kinds = {"ET_REL": True, "ET_DYN": False}
    if header["e_type"] not in kinds or file.elfclass != 64 or not file.little_endian:
        raise FileMistake(
            "The ELF file must be a shared or relocatable object of 64 bits, low byte first;"
            f" it is {header['e_type']} of {file.elfclass} bits.",
            subject=header["e_type"],
        )
    is_relocatable = kinds[header["e_type"]]
    # To walk them takes pyelftools longer than all else.
    listed = list(file.iter_sections())
    sections = tuple(_sections(listed, data))
    tables = [each for each in listed if isinstance(each, SymbolTableSection)]
    return ElfFile(
        is_relocatable,
        data[7],
        header["e_ident"]["EI_ABIVERSION"],
        header["e_flags"],
        sections,
        () if is_relocatable else tuple(_segments(file, data)),
        tuple(_symbols(tables)),
        tuple(_references(file, listed, is_relocatable)),
        tuple(_notes(listed, data)),
    )


def _sections(listed: list[RawSection], data: bytes) -> Iterator[Section]:
    for index, each in enumerate(listed):
        head = each.header
        is_empty = head["sh_type"] in (_NO_BITS, "SHT_NULL")
        yield Section(
            each.name,
            index,
            head["sh_addr"],
            head["sh_size"],
            max(1, head["sh_addralign"]),
            b"" if is_empty else part(data, head["sh_offset"], head["sh_size"], each.name),
            bool(head["sh_flags"] & _ALLOCATED),
            bool(head["sh_flags"] & _EXECUTABLE),
            bool(head["sh_flags"] & _WRITABLE),
        )


def _segments(file: ELFFile, data: bytes) -> Iterator[Segment]:
    for each in file.iter_segments("PT_LOAD"):
        head = each.header
        if head["p_vaddr"] + head["p_memsz"] > MOST_BYTES or head["p_filesz"] > head["p_memsz"]:
            raise FileMistake(
                f"A segment must end below {MOST_BYTES} and hold its own bytes; this one has"
                f" {head['p_memsz']} bytes at 0x{head['p_vaddr']:x}. The file is damaged.",
                subject="segment",
            )
        found = part(data, head["p_offset"], head["p_filesz"], "A segment")
        yield Segment(head["p_vaddr"], head["p_memsz"], found, head["p_flags"])


def _symbols(tables: list[SymbolTableSection]) -> Iterator[Symbol]:
    """Give the symbols of all tables, the full table's first, each name and value once."""
    seen = set()
    for table in sorted(tables, key=lambda each: each["sh_type"] != "SHT_SYMTAB"):
        for each in table.iter_symbols():
            found = _symbol(each)
            if found.name and (found.name, found.value) not in seen:
                seen.add((found.name, found.value))
                yield found


def _symbol(each: RawSymbol) -> Symbol:
    head = each.entry
    place = head["st_shndx"]
    return Symbol(
        each.name,
        head["st_value"],
        head["st_size"],
        _bare(head["st_info"]["type"]),
        _bare(head["st_info"]["bind"]),
        _bare(head["st_other"]["visibility"]),
        place if isinstance(place, int) else _bare(place),
    )


def _bare(word: object) -> str:
    """Cut the prefix off a name of pyelftools: STT_FUNC is FUNC."""
    return str(word).partition("_")[2] or str(word)


def _references(
    file: ELFFile, listed: list[RawSection], is_relocatable: bool
) -> Iterator[Reference]:
    for table in listed:
        if not isinstance(table, RelocationSection):
            continue
        symbols = file.get_section(table["sh_link"])
        if not isinstance(symbols, SymbolTableSection):
            raise ELFError("relocations without symbols")
        for each in table.iter_relocations():
            yield Reference(
                table["sh_info"] if is_relocatable else None,
                each["r_offset"],
                each["r_info_type"],
                _symbol(symbols.get_symbol(each["r_info_sym"])),
                each["r_addend"] if table.is_RELA() else 0,
            )


def _notes(listed: list[RawSection], data: bytes) -> Iterator[bytes]:
    """Find the descriptions of all notes with metadata."""
    for each in listed:
        if each["sh_type"] == "SHT_NOTE":
            yield from _described(part(data, each["sh_offset"], each["sh_size"], each.name))


def _described(notes: bytes) -> Iterator[bytes]:
    """Go through notes of 12-byte heads, names and descriptions, padded to 4 bytes."""
    place = 0
    while place + 12 <= len(notes):
        sizes = [int.from_bytes(notes[place + n : place + n + 4], "little") for n in (0, 4, 8)]
        name_at, described_at = place + 12, place + 12 + _padded(sizes[0])
        name = notes[name_at : name_at + sizes[0]]
        if name == NOTE_OWNER and sizes[2] == number("note_type", "METADATA"):
            yield part(notes, described_at, sizes[1], "The metadata note")
        place = described_at + _padded(sizes[1])


def _padded(size: int) -> int:
    return size + 3 & ~3
