"""Layouts as maps over bits: compose, invert, product, divide, complement; and orders of k.

A `BitMap` takes a number and gives the exclusive or of one column for each bit that is set.
Every Layout without modifiers is such a map, from the number of an element to its place.
"""

from typing import NamedTuple

from msgspec.structs import replace

from wavemma.errors import OutOfRange
from wavemma.layouts.layout import GROUP, Bit, Layout

# A group along k of a sparse A stands for four numbers of k.
_GROUP_POSITIONS = GROUP.bit_length() - 1


class BitMap(NamedTuple):
    """A linear map over bits.

    Attributes:
        columns: What each bit of the input contributes to the output, lowest first.
        out_bits: Bits of the output.

    """

    columns: tuple[int, ...]
    out_bits: int

    def __call__(self, number: int) -> int:
        """Apply the map to 0..2**len(columns)-1."""
        image = 0
        for position, column in enumerate(self.columns):
            if number >> position & 1:
                image ^= column
        return image


def identity(bits: int) -> BitMap:
    """Make the map that changes nothing."""
    return BitMap(tuple(1 << position for position in range(bits)), bits)


def bit_map(layout: Layout) -> BitMap:
    """Give a layout as a map from the number of an element to slot + slots * lane.

    Numbers of elements count along the matrix's axes, the last one fastest. Copies, offsets
    and moves are not part of the map.
    """
    targets = {bit: place for place, bit in enumerate(layout.slot_bits + layout.lane_bits)}
    ordered = [
        Bit(index, position)
        for index, size in reversed(layout.extents)
        for position in range(size.bit_length() - 1)
    ]
    return BitMap(tuple(1 << targets[bit] for bit in ordered), len(targets))


def compose(outer: BitMap, inner: BitMap) -> BitMap:
    """Make the map that applies inner, then outer.

    Raises:
        OutOfRange: Inner gives more bits than outer takes.

    """
    if inner.out_bits > len(outer.columns):
        raise OutOfRange(
            f"The outer map takes {len(outer.columns)} bits; the inner one gives {inner.out_bits}.",
            subject=inner.out_bits,
        )
    return BitMap(tuple(outer(column) for column in inner.columns), outer.out_bits)


def invert(whole: BitMap) -> BitMap:
    """Make the map that undoes this one.

    Raises:
        OutOfRange: The map is not one to one onto all outputs.

    """
    basis = _basis(whole)
    if len(basis) != whole.out_bits or len(whole.columns) != whole.out_bits:
        raise OutOfRange(
            f"A map that can be undone has as many independent columns as bits in and out; this"
            f" one has {len(basis)} of {len(whole.columns)} in and {whole.out_bits} out.",
            subject=len(basis),
        )
    return BitMap(
        tuple(_solve(basis, 1 << position) for position in range(whole.out_bits)),
        len(whole.columns),
    )


def product(low: BitMap, high: BitMap) -> BitMap:
    """Put two maps side by side: low on the low bits of input and output, high above it."""
    lifted = tuple(column << low.out_bits for column in high.columns)
    return BitMap(low.columns + lifted, low.out_bits + high.out_bits)


def divide(whole: BitMap, low: BitMap) -> BitMap:
    """Find the map that makes the whole as a product with low.

    Raises:
        OutOfRange: The whole is no such product.

    """
    count = len(low.columns)
    rest = BitMap(
        tuple(column >> low.out_bits for column in whole.columns[count:]),
        whole.out_bits - low.out_bits,
    )
    if rest.out_bits < 0 or product(low, rest) != whole:
        raise OutOfRange("The whole must be a product with the given low map; it is not.")
    return rest


def complement(part: BitMap) -> BitMap:
    """Find single output bits that, with the image of the map, reach every output once."""
    reached = sorted(_basis(part), reverse=True)
    missing = set(range(part.out_bits)) - {number.bit_length() - 1 for number in reached}
    return BitMap(tuple(1 << position for position in sorted(missing)), part.out_bits)


def conversion(source: Layout, target: Layout) -> BitMap:
    """Give the map from the place of each element in one layout to its place in another.

    Raises:
        OutOfRange: The matrices differ.

    """
    if source.extents != target.extents:
        raise OutOfRange(
            f"Both layouts must be of one matrix; given {source.size} and {target.size}.",
            subject=target.size,
        )
    return compose(bit_map(target), invert(bit_map(source)))


def relabel(layout: Layout, index: str, positions: tuple[int, ...]) -> Layout:
    """Number an index anew: what was its bit positions[n] becomes its bit n."""
    renamed = {Bit(index, old): Bit(index, new) for new, old in enumerate(positions)}
    lanes, slots = (
        tuple(renamed.get(bit, bit) for bit in bits)
        for bits in (layout.lane_bits, layout.slot_bits)
    )
    return replace(layout, lane_bits=lanes, slot_bits=slots)


def contiguous_k_positions(layout: Layout) -> tuple[int, ...]:
    """List the bits of k in the order in which a lane's slots, then the lanes, count them.

    Args:
        layout: Layout of A or B; for a sparse A the two bits within a group come first.

    Returns:
        The bit of k that is bit n for a kernel whose lanes each load neighbouring k.

    """
    bits = layout.slot_bits + layout.lane_bits
    if "g" in layout.size:
        above = [bit.position + _GROUP_POSITIONS for bit in bits if bit.letter == "g"]
        return (*range(_GROUP_POSITIONS), *above)
    return tuple(bit.position for bit in bits if bit.letter == "k")


def contiguous_k(a: Layout, b: Layout) -> tuple[int, ...] | None:
    """Give the order of k that kernels see whose lanes load neighbouring k.

    Hardware sums in the order of registers and lanes. A kernel that fills the slots of a lane
    with neighbouring k calls them by other numbers than the layout does.

    Args:
        a: Layout of A.
        b: Layout of B of the same instruction.

    Returns:
        order, with order[n] the layout's k for the kernel's k = n; None if A and B order k
        differently, so that no one order makes both contiguous.

    """
    positions = contiguous_k_positions(a)
    if positions != contiguous_k_positions(b):
        return None
    return tuple(
        sum((n >> new & 1) << old for new, old in enumerate(positions))
        for n in range(1 << len(positions))
    )


def k_equivalent(a: Layout, b: Layout, other_a: Layout, other_b: Layout) -> tuple[int, ...] | None:
    """Find the one permutation of k, applied to A and B, that turns a pair of layouts into another.

    Two such pairs give the same exact sums; rounding may differ.

    Returns:
        order, with the other pair's k = n lying where this pair's k = order[n] lies; None if
        there is no such order. For a sparse A, k moves by whole groups of four.

    """
    if (a.extents, b.extents) != (other_a.extents, other_b.extents):
        return None
    along = "g" if "g" in a.size else "k"
    known = {a.place(**_at(a, along, n)): n for n in range(a.size[along])}
    found = [known.get(other_a.place(**_at(a, along, n))) for n in range(a.size[along])]
    order = [n for n in found if n is not None]
    if len(order) != len(found) or not _is_reordered(a, other_a, along, order):
        return None
    step = 1 << _GROUP_POSITIONS
    if along == "g":
        order = [step * group + within for group in order for within in range(step)]
    return tuple(order) if _is_reordered(b, other_b, "k", order) else None


def _at(layout: Layout, index: str, value: int) -> dict[str, int]:
    """Name the element with one index given and the others 0."""
    return {each: value if each == index else 0 for each in layout.size}


def _is_reordered(layout: Layout, other: Layout, index: str, order: list[int]) -> bool:
    """Say whether the other layout is this one with an index renumbered."""
    for slot in range(other.slots):
        for lane in range(other.wave):
            element = other.element(lane, slot)
            moved = element and {**element, index: order[element[index]]}
            if layout.element(lane, slot) != moved:
                return False
    return layout.copies == other.copies and layout.stride_bits == other.stride_bits


def _basis(part: BitMap) -> dict[int, int]:
    """Reduce the columns: independent outputs by the input that gives each."""
    basis: dict[int, int] = {}
    for position, column in enumerate(part.columns):
        rest, given = _reduce(basis, column)
        if rest:
            basis[rest] = given ^ 1 << position
    return basis


def _reduce(basis: dict[int, int], number: int) -> tuple[int, int]:
    """Take known outputs away from a number; give what is left and the input of the rest."""
    given = 0
    leading = {output.bit_length(): output for output in basis}
    for length in range(number.bit_length(), 0, -1):
        if number.bit_length() == length and length in leading:
            number ^= leading[length]
            given ^= basis[leading[length]]
    return number, given


def _solve(basis: dict[int, int], output: int) -> int:
    """Find the input of an output that the basis reaches."""
    return _reduce(basis, output)[1]
