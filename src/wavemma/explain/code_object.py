"""The code in an ELF file, and the target that it says it is for."""

from io import BytesIO
from typing import NamedTuple

from elftools.common.exceptions import ELFError
from elftools.construct import ConstructError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from wavemma.errors import FileMistake
from wavemma.tables.abi import abi
from wavemma.tables.targets import targets

ELF_MAGIC = b"\x7fELF"
_MACHINE = "EM_AMDGPU"
_FUNCTIONS = "STT_FUNC"
_EXECUTABLE = 0x4


class Code(NamedTuple):
    """An executable section.

    Attributes:
        name: Of the section.
        address: Where it starts.
        data: Its bytes.
        functions: Name and address of each function, lowest first.

    """

    name: str
    address: int
    data: bytes
    functions: tuple[tuple[str, int], ...]


class CodeObject(NamedTuple):
    """A code object: the target that its header names, "" if unknown here, and its code."""

    target: str
    machine: int
    sections: tuple[Code, ...]


def is_elf(data: bytes) -> bool:
    """Whether bytes start as an ELF file does."""
    return data.startswith(ELF_MAGIC)


def code_object(data: bytes) -> CodeObject:
    """Read the executable sections of an ELF file.

    Args:
        data: The whole file.

    Raises:
        FileMistake: The file is damaged, cut off, or not for an AMD GPU.

    """
    try:
        return _read(ELFFile(BytesIO(data)), len(data))
    except (ELFError, ConstructError, UnicodeDecodeError, ValueError, KeyError, OverflowError):
        raise FileMistake(
            "The file must be a whole ELF file; it starts as one, but is damaged or cut off.",
            subject="ELF",
        ) from None


def _read(file: ELFFile, size: int) -> CodeObject:
    if file["e_machine"] != _MACHINE:
        raise FileMistake(
            f"The ELF file must be for an AMD GPU; it is for {file['e_machine']}.",
            subject=file["e_machine"],
        )
    machine = file["e_flags"] & _machine_mask()
    sections = []
    for number, section in enumerate(file.iter_sections()):
        if section["sh_type"] == "SHT_PROGBITS" and section["sh_flags"] & _EXECUTABLE:
            if section["sh_offset"] + section["sh_size"] > size:
                raise ELFError("section beyond the end of the file")
            functions = tuple(_functions(file, number))
            code = Code(section.name, section["sh_addr"], section.data(), functions)
            sections.append(code)
    return CodeObject(_target(machine), machine, tuple(sections))


def _functions(file: ELFFile, section_number: int) -> list[tuple[str, int]]:
    """List name and address of the functions of a section, lowest first."""
    found = {
        symbol["st_value"]: symbol.name
        for table in file.iter_sections()
        if isinstance(table, SymbolTableSection)
        for symbol in table.iter_symbols()
        if symbol["st_info"]["type"] == _FUNCTIONS and symbol["st_shndx"] == section_number
    }
    return [(found[address], address) for address in sorted(found)]


def _machine_mask() -> int:
    """Give the bits of the flags that hold the number of the machine."""
    row = next(row for row in abi().bits if (row.word, row.name) == ("e_flags_v4", "MACH"))
    return ((1 << (row.hi - row.lo + 1)) - 1) << row.lo


def _target(machine: int) -> str:
    """Name the target of a machine number; "" if the tables have none."""
    for row in abi().numbers:
        if row.set == "machine" and row.value == machine and row.name in targets():
            return row.name
    return ""
