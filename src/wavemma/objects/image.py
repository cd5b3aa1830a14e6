"""A code object in memory: where each section lies, and relocations applied."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache

import msgspec

from wavemma.errors import FileMistake
from wavemma.objects.elf import MOST_BYTES, ElfFile, Reference, Symbol
from wavemma.tables.abi import abi
from wavemma.tables.abi_rows import RelocationRow

PAGE_BYTES = 4096
SLOT_BYTES = 8
_PLACELESS = ("ABS",)


class Relocation(msgspec.Struct, frozen=True):
    """A number that depends on where the image is put.

    Attributes:
        address: Of the number inside of the image.
        row: What is computed, and how wide it is.
        symbol: Address of the symbol in the image, or outside of it.
        is_absolute: Whether that address does not move with the image.
        addend: Added to it.
        slot: Address of the symbol's slot in the table of addresses, 0 if it needs none.

    """

    address: int
    row: RelocationRow
    symbol: int
    is_absolute: bool
    addend: int
    slot: int


class Image(msgspec.Struct, frozen=True):
    """A code object laid out from address 0 on.

    Attributes:
        data: The bytes, before relocations.
        sections: Address of each section by number.
        writable: Ranges that code may write: address and size.
        code: Ranges that hold instructions: address and size.
        relocations: What must be computed when it is placed.

    """

    data: bytes
    sections: dict[int, int]
    writable: tuple[tuple[int, int], ...]
    code: tuple[tuple[int, int], ...]
    relocations: tuple[Relocation, ...]

    def at(self, base: int) -> bytes:
        """Give the bytes for an image whose first byte is put at an address."""
        placed = bytearray(self.data)
        for each in self.relocations:
            width_bytes = each.row.width // 8
            value = _FORMULAS[each.row.formula](_Values.of(each, base)) & (1 << each.row.width) - 1
            placed[each.address : each.address + width_bytes] = value.to_bytes(
                width_bytes, "little"
            )
        return bytes(placed)

    def address_of(self, symbol: Symbol) -> int:
        """Give the address of a defined symbol in the image."""
        if isinstance(symbol.section, int) and symbol.section in self.sections:
            return self.sections[symbol.section] + symbol.value
        return symbol.value


class _Values(msgspec.Struct, frozen=True):
    """The letters of the formulas: S symbol, A addend, P place, G slot of the symbol, B base."""

    s: int
    a: int
    p: int
    g: int
    b: int

    @classmethod
    def of(cls, each: Relocation, base: int) -> "_Values":
        """Move a relocation to a base."""
        moved = 0 if each.is_absolute else base
        return cls(each.symbol + moved, each.addend, each.address + base, each.slot + base, base)


# By the formula of the row in data/abi/elf.toml.
_FORMULAS: dict[str, Callable[[_Values], int]] = {
    "S+A": lambda v: v.s + v.a,
    "(S+A) low 32": lambda v: v.s + v.a,
    "(S+A) >> 32": lambda v: (v.s + v.a) >> 32,
    "S+A-P": lambda v: v.s + v.a - v.p,
    "(S+A-P) low 32": lambda v: v.s + v.a - v.p,
    "(S+A-P) >> 32": lambda v: (v.s + v.a - v.p) >> 32,
    "G+GOT+A-P": lambda v: v.g + v.a - v.p,
    "(G+GOT+A-P) low 32": lambda v: v.g + v.a - v.p,
    "(G+GOT+A-P) >> 32": lambda v: (v.g + v.a - v.p) >> 32,
    "B+A": lambda v: v.b + v.a,
    "(S+A-P-4)/4": lambda v: (v.s + v.a - v.p - 4) // 4,
}


@cache
def _kinds() -> dict[int, RelocationRow]:
    return {row.value: row for row in abi().relocations if row.width}


def image(file: ElfFile, externals: Mapping[str, int] | None = None) -> Image:
    """Lay out a code object from address 0 on.

    Linked objects stay as the linker put them; the sections of relocatable ones are put one after
    the other, each at its alignment, and behind them a table of addresses if one is asked for.

    Args:
        file: The ELF file.
        externals: Addresses of symbols that the object does not define, by name; they do not
            move with the image.

    Raises:
        FileMistake: A symbol is missing, a relocation is unknown or lies outside of the image.

    """
    placed = _Relocatable(file) if file.is_relocatable else _Linked(file)
    return placed.image(externals or {})


class _Linked:
    """Sections where the linker put them."""

    def __init__(self, file: ElfFile) -> None:
        self.file = file
        self.sections: dict[int, int] = {}
        ends = [each.address + each.size for each in file.segments]
        self.data = bytearray(max(ends, default=0))
        for each in file.segments:
            self.data[each.address : each.address + len(each.data)] = each.data
        self.slots: dict[str, int] = {}

    def image(self, externals: Mapping[str, int]) -> Image:
        """Put everything together."""
        relocations = tuple(self._relocations(externals))
        code = tuple(
            (self.place(each.index, each.address), each.size)
            for each in self.file.sections
            if each.is_code and each.is_allocated
        )
        writable = tuple(
            (self.place(each.index, each.address), each.size)
            for each in self.file.sections
            if each.is_writable and each.is_allocated
        )
        return Image(bytes(self.data), self.sections, writable, code, relocations)

    def place(self, section: int, address: int) -> int:
        """Give the address of a section."""
        return self.sections.get(section, address)

    def slot(self, name: str) -> int:
        """Give the place of a symbol's address in the table of addresses, made when asked for."""
        if name not in self.slots:
            self.data += bytes(-len(self.data) % SLOT_BYTES)
            self.slots[name] = len(self.data)
            self.data += bytes(SLOT_BYTES)
        return self.slots[name]

    def _relocations(self, externals: Mapping[str, int]) -> Iterator[Relocation]:
        for each in self.file.references:
            if each.kind not in _kinds():
                continue_or_refuse(each)
                continue
            address = self._address(each)
            if address is None:
                continue
            row = _kinds()[each.kind]
            symbol, is_absolute = self._symbol(each.symbol, row, externals)
            slot = self.slot(each.symbol.name) if row.formula.strip("(").startswith("G") else 0
            if slot:
                full = next(r for r in _kinds().values() if r.formula == "S+A" and r.width == 64)
                yield Relocation(slot, full, symbol, is_absolute, 0, 0)
            self._inside(address, row)
            yield Relocation(address, row, symbol, is_absolute, each.addend, slot)

    def _address(self, each: Reference) -> int | None:
        """Give the place that a relocation changes; None if its section is not in memory."""
        if each.section is None:
            return each.offset
        return self.sections[each.section] + each.offset if each.section in self.sections else None

    def _inside(self, address: int, row: RelocationRow) -> None:
        if address + row.width // 8 > len(self.data):
            raise FileMistake(
                f"A relocation must lie inside the image of {len(self.data)} bytes; one is at"
                f" 0x{address:x}. The file is damaged.",
                subject=row.name,
            )

    def _symbol(
        self, symbol: Symbol, row: RelocationRow, externals: Mapping[str, int]
    ) -> tuple[int, bool]:
        """Give a symbol's address, and whether it stays where it is."""
        if row.formula.startswith("B"):
            return 0, False
        if symbol.section != "UNDEF":
            at = self.sections.get(symbol.section, 0) if isinstance(symbol.section, int) else 0
            return at + symbol.value, symbol.section in _PLACELESS
        if symbol.name in externals:
            return externals[symbol.name], True
        if symbol.binding == "WEAK" or not symbol.name:
            return 0, True
        raise FileMistake(
            f"Every symbol that the code uses must be defined; {symbol.name!r} is not.",
            subject=symbol.name,
            allowed=externals,
            hint="Link the object, or give the address.",
        )


class _Relocatable(_Linked):
    """Sections that find their place here."""

    def __init__(self, file: ElfFile) -> None:
        super().__init__(file)
        held = [each for each in file.sections if each.is_allocated and each.size]
        is_fixed = True
        for each in sorted(held, key=lambda each: each.is_writable):
            # What code may write must share no page with what it may not.
            step = max(each.align, PAGE_BYTES if is_fixed and each.is_writable else 1)
            is_fixed = not each.is_writable
            start = -(-len(self.data) // step) * step
            if start + each.size > MOST_BYTES:
                raise FileMistake(
                    f"The sections must fit into {MOST_BYTES} bytes; {each.name} has {each.size}"
                    f" bytes aligned to {step}. The file is damaged.",
                    subject=each.name,
                )
            self.sections[each.index] = start
            self.data += bytes(start - len(self.data))
            self.data += each.data + bytes(each.size - len(each.data))


def continue_or_refuse(each: Reference) -> None:
    """Pass over relocations that change nothing, refuse those that are not known.

    Raises:
        FileMistake: No row has the number.

    """
    known = {row.value: row.name for row in abi().relocations}
    if each.kind not in known:
        raise FileMistake(
            f"A relocation must be of a known kind; one has number {each.kind}.",
            subject=each.kind,
            allowed=known.values(),
        )
