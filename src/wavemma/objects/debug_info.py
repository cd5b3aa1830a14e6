"""What a compiler notes with -g: source lines of code, and types of kernel parameters."""

import os
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from io import BytesIO
from itertools import islice
from typing import Any

import msgspec
from elftools.dwarf.dwarfinfo import DebugSectionDescriptor, DwarfConfig, DWARFInfo

from wavemma.errors import FileMistake
from wavemma.objects.damage import damage
from wavemma.objects.elf import ElfFile, Section
from wavemma.objects.image import Image
from wavemma.tables.abi import abi

_INFO, _LINE = ".debug_info", ".debug_line"
_READ = (
    "debug_info",
    "debug_abbrev",
    "debug_line",
    "debug_line_str",
    "debug_str",
    "debug_str_offsets",
    "debug_addr",
    "debug_types",
    "debug_ranges",
    "debug_rnglists",
    "debug_loc",
    "debug_loclists",
)
_UNREAD = (
    "debug_aranges",
    "debug_frame",
    "eh_frame",
    "debug_pubtypes",
    "debug_pubnames",
    "debug_sup",
    "gnu_debugaltlink",
)
"""Sections that the reader knows besides, of which nothing is asked here."""
_THROUGH = tuple(f"DW_TAG_{word}_type" for word in ("const", "volatile", "restrict", "atomic"))
_POINTERS = ("DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type")
_MOST_ENTRIES = 1 << 20
_MOST_STEPS = 32
_ADDRESS_BYTES = 8
_ZERO_BASED = 5
"""The version of line tables from which on files are counted from 0."""


class SourceLine(msgspec.Struct, frozen=True):
    """A line of a source file, as the compiler named it."""

    file: str
    line: int

    def __str__(self) -> str:
        """Write it as compilers do."""
        return f"{self.file}:{self.line}"


class DebugInfo:
    """The debug information of a code object; what is damaged counts as missing.

    Args:
        file: The ELF file.
        laid: Where its sections lie.

    """

    def __init__(self, file: ElfFile, laid: Image) -> None:
        self._file = file
        self._laid = laid
        self._sections = {each.name: each for each in file.sections}
        self._known: dict[str, tuple[str, ...]] = {}

    @property
    def has_lines(self) -> bool:
        """Whether there is a table of lines, whatever it holds."""
        return _LINE in self._sections

    def line(self, address: int) -> SourceLine | None:
        """Find the source line of an instruction by its address in the image."""
        place = bisect_right(self._starts, address) - 1
        return self._rows[place][1] if place >= 0 else None

    def parameters(self, kernel: str) -> tuple[str, ...]:
        """Give a word for the type of each parameter of a kernel: its name, "float*", or "".

        Returns:
            Nothing if it is not known; typedefs and qualifiers are looked through.

        """
        if _INFO not in self._sections:
            return ()
        if kernel not in self._known:
            try:
                with damage("debug information"):
                    self._known[kernel] = self._parameters(kernel)
            except FileMistake:
                self._known[kernel] = ()
        return self._known[kernel]

    @cached_property
    def _rows(self) -> list[tuple[int, SourceLine | None]]:
        """Where each line's code starts, lowest first; None behind the end of code."""
        if not self.has_lines:
            return []
        try:
            with damage("debug information"):
                return sorted(_line_rows(self._dwarf), key=lambda row: (row[0], row[1] is not None))
        except FileMistake:
            return []

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self._rows]

    def _parameters(self, kernel: str) -> tuple[str, ...]:
        name = kernel.encode()
        for unit in self._dwarf.iter_CUs():
            for entry in islice(unit.iter_DIEs(), _MOST_ENTRIES):
                if entry.tag == "DW_TAG_subprogram" and name in _names(entry):
                    return tuple(
                        _word(each)
                        for each in islice(entry.iter_children(), _MOST_ENTRIES)
                        if each.tag == "DW_TAG_formal_parameter"
                    )
        return ()

    @cached_property
    def _dwarf(self) -> DWARFInfo:
        found = {f"{name}_sec": self._section(f".{name}") for name in _READ}
        unread = dict.fromkeys(f"{name}_sec" for name in _UNREAD)
        return DWARFInfo(DwarfConfig(True, "AMDGPU", _ADDRESS_BYTES), **found, **unread)

    def _section(self, name: str) -> DebugSectionDescriptor | None:
        found = self._sections.get(name)
        if found is None:
            return None
        data = self._relocated(found)
        return DebugSectionDescriptor(BytesIO(data), name, 0, len(data), found.address)

    def _relocated(self, found: Section) -> bytes:
        """Fill in the addresses that a relocatable object leaves to the linker."""
        data = bytearray(found.data)
        widths = {row.value: row.width // 8 for row in abi().relocations if row.formula == "S+A"}
        for each in self._file.references:
            if each.section == found.index and each.kind in widths:
                width = widths[each.kind]
                value = self._laid.address_of(each.symbol) + each.addend
                whole = value & (1 << 8 * width) - 1
                data[each.offset : each.offset + width] = whole.to_bytes(width, "little")
        return bytes(data)


def _line_rows(dwarf: DWARFInfo) -> Iterator[tuple[int, SourceLine | None]]:
    for unit in dwarf.iter_CUs():
        program = dwarf.line_program_for_CU(unit)
        if program is None:
            continue
        files = _files(program.header)
        for state in (entry.state for entry in program.get_entries() if entry.state):
            is_known = state.line > 0 and not state.end_sequence
            name = files.get(state.file, "")
            yield state.address, SourceLine(name, state.line) if is_known and name else None


def _files(header: Any) -> dict[int, str]:  # noqa: ANN401 - pyelftools has no types
    """Give the names of files by number, folders in front where the compiler names one."""
    first = 0 if header.version >= _ZERO_BASED else 1
    folders = [os.fsdecode(each) for each in header.include_directory]
    found = {}
    for number, entry in enumerate(header.file_entry, first):
        folder = entry.dir_index - first
        under = folders[folder] if entry.dir_index and folder < len(folders) else ""
        found[number] = os.path.join(under, os.fsdecode(entry.name))
    return found


def _names(entry: Any) -> list[bytes]:  # noqa: ANN401 - pyelftools has no types
    keys = ("DW_AT_linkage_name", "DW_AT_name")
    return [entry.attributes[key].value for key in keys if key in entry.attributes]


def _word(entry: Any) -> str:  # noqa: ANN401 - pyelftools has no types
    """Name the type of a parameter."""
    for _ in range(_MOST_STEPS):
        if "DW_AT_type" not in entry.attributes:
            return ""
        entry = entry.get_DIE_from_attribute("DW_AT_type")
        if entry.tag in _POINTERS:
            return _word(entry) + "*"
        is_passed = entry.tag in ("DW_TAG_typedef", "DW_TAG_enumeration_type", *_THROUGH)
        if not is_passed:
            name = entry.attributes.get("DW_AT_name")
            return name.value.decode(errors="replace") if name else ""
    return ""
