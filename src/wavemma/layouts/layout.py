"""Where each element of a matrix lies in the registers of a wave.

The idea: every layout of these instructions permutes bits. The number of a lane and the number
of a slot are written in binary, and each of those bits *is* one bit of an index of the matrix.

One worked example. A 16x16 result of 32-bit numbers over the 32 lanes of a wave:

    lane bits, low first:  j0 j1 j2 j3 i0        slot bits:  i1 i2 i3

Row i = 2 (i1 = 1, the rest 0), column j = 3 (j0 = j1 = 1): lane = 1 + 2 = 3, slot = 1. A slot is
32 bits wide, so the element fills register 1 of lane 3. Read backwards, lane 3 and slot 1 give
i = 2 and j = 3. Formulas, pictures, packing and the inverse all come from these two lists of
bits; nothing is typed twice.

Indices have one letter: A[i][k], B[k][j], C[i][j], D[i][j], and b numbers the block of an
instruction that multiplies several. A sparse A keeps two elements of each group of four along
k: g is the group (k // 4) and s tells the two kept ones apart. q numbers a block of scales.
"""

import itertools
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import msgspec

from wavemma.errors import DataMistake, OutOfRange

REGISTER_BITS = 32
GROUP = 4
"""Elements along k of which a sparse A keeps some."""
KEPT = 2
"""How many it keeps."""


class Bit(NamedTuple):
    """One bit of an index: `Bit("k", 2)` is the bit of k that counts 4."""

    letter: str
    position: int

    def __str__(self) -> str:
        return f"{self.letter}{self.position}"


class Piece(NamedTuple):
    """A part of an element inside of one register: bits bit_lo..bit_hi, both included."""

    register: int
    bit_lo: int
    bit_hi: int


class Place(NamedTuple):
    """One place of an element.

    `register` and `bit_lo` say where its lowest bit lies; `bit_hi` counts on from the same
    register, so it passes 31 when the element runs into the next one.
    """

    register: int
    lane: int
    slot: int
    bit_lo: int
    bit_hi: int

    def pieces(self) -> tuple[Piece, ...]:
        """Cut the place at the borders of registers, low bits first."""
        first, last = self.bit_lo // REGISTER_BITS, self.bit_hi // REGISTER_BITS
        return tuple(
            Piece(
                self.register + n,
                max(self.bit_lo - n * REGISTER_BITS, 0),
                min(self.bit_hi - n * REGISTER_BITS, REGISTER_BITS - 1),
            )
            for n in range(first, last + 1)
        )


class Layout(msgspec.Struct, frozen=True, dict=True, cache_hash=True):
    """The map between the places of one operand and the elements of its matrix.

    Attributes:
        extents: (index, size) in the order of the matrix's axes, blocks first; sizes are powers
            of two. The number of an element counts along these axes, the last one fastest.
        lane_bits: The index bit that each bit of the lane is, lowest first.
        slot_bits: The same for the slot, the number of an element within its lane.
        element_bits: Bits of an element.
        stride_bits: Bits from one slot to the next; more than element_bits leaves a gap.
        wave: Lanes of the wave.
        copies: Offsets added to the lane; each element is present at all of them.
        offset_bits: Where slot 0 starts in the registers of a lane.
        lane_sources: If not empty, what belongs to lane n is read from lane lane_sources[n].
        block_sources: If not empty, block n is read from where block block_sources[n] lies.

    """

    extents: tuple[tuple[str, int], ...]
    lane_bits: tuple[Bit, ...]
    slot_bits: tuple[Bit, ...]
    element_bits: int
    stride_bits: int
    wave: int
    copies: tuple[int, ...] = (0,)
    offset_bits: int = 0
    lane_sources: tuple[int, ...] = ()
    block_sources: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Check that the bits cover the matrix."""
        for index, size in self.extents:
            if size < 1 or size & (size - 1):
                raise DataMistake(
                    f"The extent of {index} must be a power of two; it is {size}.", subject=size
                )
        wanted = [bit for index, size in self.extents for bit in index_bits(index, size)]
        if sorted(wanted) != sorted(self.lane_bits + self.slot_bits):
            given = " ".join(map(str, self.lane_bits + self.slot_bits))
            raise DataMistake(
                f"The bits of lane and slot must be each bit of {dict(self.extents)} once;"
                f" given: {given}.",
                subject=given,
            )
        if max(self.copies) + 2 ** len(self.lane_bits) > self.wave:
            raise DataMistake(f"The lanes of a layout must fit into a wave of {self.wave}.")

    def __str__(self) -> str:
        lanes, slots = (" ".join(map(str, bits)) for bits in (self.lane_bits, self.slot_bits))
        return f"<layout of {dict(self.extents)}: lane bits {lanes}; slot bits {slots}>"

    @cached_property
    def size(self) -> dict[str, int]:
        """The extent of each index by its letter."""
        return dict(self.extents)

    @property
    def slots(self) -> int:
        """Slots of each lane that is used."""
        return 1 << len(self.slot_bits)

    @property
    def elements_count(self) -> int:
        """Elements of the matrix, all blocks together."""
        return 1 << (len(self.lane_bits) + len(self.slot_bits))

    @property
    def registers(self) -> int:
        """Registers of 32 bits that each lane needs, from bit 0 of the first one on."""
        last = self.offset_bits + (self.slots - 1) * self.stride_bits + self.element_bits
        return -(-last // REGISTER_BITS)

    @property
    def has_moves(self) -> bool:
        """Whether lanes or blocks are read from elsewhere, so that places may be shared."""
        return bool(self.lane_sources or self.block_sources)

    def place(self, **indices: int) -> tuple[Place, ...]:
        """Find all the places of one element.

        Args:
            **indices: The indices of the element by letter, each 0..extent-1; an index of
                extent 1 may be left out.

        Returns:
            A place for each copy, in the order of `copies`.

        Raises:
            OutOfRange: An index is missing, unknown or outside of the matrix.

        """
        self._check_indices(indices)
        if self.block_sources:
            indices["b"] = self.block_sources[indices.get("b", 0)]
        lane, slot = _number(self.lane_bits, indices), _number(self.slot_bits, indices)
        register, bit = self.position(slot)
        return tuple(
            Place(register, self._source(lane + copy), slot, bit, bit + self.element_bits - 1)
            for copy in self.copies
        )

    def position(self, slot: int) -> tuple[int, int]:
        """Give the register of a slot and the lowest bit of the slot in that register."""
        return divmod(self.offset_bits + slot * self.stride_bits, REGISTER_BITS)

    def element(self, lane: int, slot: int) -> dict[str, int] | None:
        """Find the indices of the element at a place; None where nothing lies.

        Where modifiers let several elements be read from one place, this is the first of them.
        """
        return next(iter(self.elements(lane, slot)), None)

    def elements(self, lane: int, slot: int) -> tuple[dict[str, int], ...]:
        """Find the indices of all elements that are read from a place.

        Args:
            lane: 0..wave-1.
            slot: 0..slots-1.

        Returns:
            Indices by letter in the order of the extents. Without modifiers at most one.

        Raises:
            OutOfRange: The lane or the slot does not exist.

        """
        check_range("lane", lane, self.wave)
        check_range("slot", slot, self.slots)
        found: list[dict[str, int]] = []
        for base, copy in itertools.product(self._bases(lane), self.copies):
            if 0 <= base - copy < 1 << len(self.lane_bits):
                found.extend(self._named(base - copy, slot))
        return tuple({tuple(each.items()): each for each in found}.values())

    def _bases(self, lane: int) -> Iterator[int]:
        """Yield the lanes whose contents are read from the given one."""
        if not self.lane_sources:
            yield lane
        for base, source in enumerate(self.lane_sources):
            if source == lane:
                yield base

    def _source(self, lane: int) -> int:
        """Give the lane that holds what belongs to the given one."""
        return self.lane_sources[lane] if self.lane_sources else lane

    def _named(self, lane: int, slot: int) -> Iterator[dict[str, int]]:
        """Yield the elements of a base lane and slot; several if blocks share their source."""
        values = {index: 0 for index, _ in self.extents}
        for number, bits in ((lane, self.lane_bits), (slot, self.slot_bits)):
            for place, bit in enumerate(bits):
                values[bit.letter] |= (number >> place & 1) << bit.position
        if not self.block_sources:
            yield values
        for block, source in enumerate(self.block_sources):
            if source == values["b"]:
                yield values | {"b": block}

    def _check_indices(self, indices: dict[str, int]) -> None:
        """Refuse indices that the matrix does not have, and gaps."""
        for index, value in indices.items():
            if index not in self.size and value != 0:
                raise OutOfRange(
                    f"An index of this matrix must be one of {', '.join(self.size)}; {index!r}"
                    f" was given.",
                    subject=index,
                    allowed=self.size,
                )
            check_range(index, value, self.size.get(index, 1))
        for index, size in self.extents:
            if size > 1 and index not in indices:
                raise OutOfRange(
                    f"Index {index!r} (0..{size - 1}) is missing.", subject=index, allowed=self.size
                )


def index_bits(index: str, size: int) -> tuple[Bit, ...]:
    """List the bits of an index that counts 0..size-1, size a power of two, lowest first."""
    return tuple(Bit(index, position) for position in range(size.bit_length() - 1))


def check_range(name: str, value: int, size: int) -> None:
    """Refuse a value outside of 0..size-1.

    Raises:
        OutOfRange: The value is outside.

    """
    if not 0 <= value < size:
        raise OutOfRange(f"{name} must be 0..{size - 1}; it is {value}.", subject=value)


def _number(bits: tuple[Bit, ...], indices: dict[str, int]) -> int:
    """Put the named bits of the indices together, lowest first."""
    return sum((indices[bit.letter] >> bit.position & 1) << place for place, bit in enumerate(bits))
