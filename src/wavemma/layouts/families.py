"""The patterns by which hardware lays matrices into registers, one function a pattern.

A function takes a `Request` and gives the Layout. Widths and shapes are all it needs: what
differs between two instructions of one pattern follows from them.
"""

import functools
from collections.abc import Callable
from typing import Literal, NamedTuple

import msgspec

from wavemma.errors import OutOfRange, UnknownName
from wavemma.layouts.layout import GROUP, KEPT, REGISTER_BITS, Bit, Layout, index_bits

Role = Literal["a", "b", "c", "d", "index", "scale_a", "scale_b"]
MATRIX_ROLES: tuple[Role, ...] = ("a", "b", "c", "d", "index")
SCALE_ROLES: tuple[Role, ...] = ("scale_a", "scale_b")
INDEX_BITS = 2
SCALE_BITS = 8


class Shape(NamedTuple):
    """The size of a product: A is m x k, B is k x n, D is m x n, all of it `blocks` times."""

    m: int
    n: int
    k: int
    blocks: int = 1


class Request(NamedTuple):
    """What a pattern must know of an operand.

    Attributes:
        role: a, b, c, d, index, scale_a or scale_b.
        shape: The product that the instruction computes.
        element_bits: Bits of an element; for the index, of an element of A.
        wave: Lanes of the wave.
        sparse: Whether A keeps two elements of each four along k.
        scale_block: Elements along k that share a scale.

    """

    role: Role
    shape: Shape
    element_bits: int
    wave: int
    sparse: bool
    scale_block: int

    @property
    def is_factor(self) -> bool:
        """Whether the operand is A, B, or the index that goes with A."""
        return self.role in ("a", "b", "index")

    @property
    def holds_pairs(self) -> bool:
        """Whether k is split into groups and kept elements."""
        return self.sparse and self.role in ("a", "index")

    @property
    def outer(self) -> tuple[str, int]:
        """The index that is not k: rows of A, columns of B, and of C and D the columns."""
        if self.role in ("a", "index", "scale_a"):
            return "i", self.shape.m
        return "j", self.shape.n

    @property
    def inner(self) -> tuple[tuple[str, int], ...]:
        """The other indices, slowest first: k, or group and kept element, or rows."""
        if self.role in SCALE_ROLES:
            return (("q", self.shape.k // self.scale_block),)
        if not self.is_factor:
            return (("i", self.shape.m),)
        if self.holds_pairs:
            return (("g", self.shape.k // GROUP), ("s", KEPT))
        return (("k", self.shape.k),)

    @property
    def extents(self) -> tuple[tuple[str, int], ...]:
        """All indices in the order of the matrix's axes; blocks only if there are several."""
        blocks = (("b", self.shape.blocks),) if self.shape.blocks > 1 else ()
        if self.role in ("a", "index", "scale_a"):
            return (*blocks, self.outer, *self.inner)
        return (*blocks, *self.inner, self.outer)

    @property
    def outer_bits(self) -> tuple[Bit, ...]:
        """Bits of the outer index."""
        return index_bits(*self.outer)

    @property
    def inner_bits(self) -> tuple[Bit, ...]:
        """Bits of the inner indices, lowest first."""
        return tuple(bit for extent in reversed(self.inner) for bit in index_bits(*extent))

    @property
    def block_bits(self) -> tuple[Bit, ...]:
        """Bits of the block."""
        return index_bits("b", self.shape.blocks)


Lay = Callable[[Request], Layout]


class Family(NamedTuple):
    """A pattern: the function that lays an operand, and the roles it knows."""

    lay: Lay
    roles: tuple[Role, ...]


FAMILIES: dict[str, Family] = {}


def pattern(name: str, roles: tuple[Role, ...] = MATRIX_ROLES) -> Callable[[Lay], Lay]:
    """Enter a pattern under the name that instruction rows use."""

    def enter(lay: Lay) -> Lay:
        FAMILIES[name] = Family(lay, roles)
        return lay

    return enter


@functools.cache
def layout(
    family: str,
    role: Role,
    shape: Shape,
    element_bits: int,
    wave: int,
    *,
    sparse: bool = False,
    scale_block: int = REGISTER_BITS,
) -> Layout:
    """Build the layout of one operand.

    Args:
        family: Name of the pattern, a key of `FAMILIES`.
        role: a, b, c, d, index, scale_a or scale_b.
        shape: The product that the instruction computes.
        element_bits: Bits of an element; for the index, of an element of A.
        wave: Lanes of the wave, 32 or 64.
        sparse: Whether A keeps two elements of each four along k.
        scale_block: Elements along k that share a scale; used by the scale roles only.

    Returns:
        The layout without modifiers.

    Raises:
        UnknownName: No such pattern.
        OutOfRange: The pattern has no such role.

    Examples:
        >>> d = layout("wmma_replicated", "d", Shape(16, 16, 16), 32, 32)
        >>> [(place.register, place.lane) for place in d.place(i=2, j=3)]
        [(1, 3)]

    """
    if family not in FAMILIES:
        raise UnknownName(
            f"{family!r} is not a layout family.", subject=family, allowed=sorted(FAMILIES)
        )
    lay, roles = FAMILIES[family]
    if role not in roles:
        raise OutOfRange(
            f"{family} lays the roles {', '.join(roles)}; {role!r} was given.",
            subject=role,
            allowed=roles,
        )
    made = lay(Request(role, shape, element_bits, wave, sparse, scale_block))
    if role == "index":
        return msgspec.structs.replace(made, element_bits=INDEX_BITS, stride_bits=INDEX_BITS)
    return made


@pattern("mfma")
def mfma(request: Request) -> Layout:
    """Fill the lanes, 16 bytes of k a turn; results keep four rows together in a lane."""
    if request.is_factor:
        return _mfma_factor(request)
    return _turns(request, request.outer_bits, request.inner_bits + request.block_bits, 2)


@pattern("mfma_f64")
def mfma_f64(request: Request) -> Layout:
    """Lay factors as `mfma` does; results spread neighbouring rows over the lanes."""
    if request.is_factor:
        return _mfma_factor(request)
    return _turns(request, request.outer_bits, request.block_bits + request.inner_bits, 0)


@pattern("wmma_replicated")
def wmma_replicated(request: Request) -> Layout:
    """Repeat factors in every 16 lanes; results take a register each, rows dealt out in turn."""
    if request.is_factor:
        copies = tuple(range(0, request.wave, 16))
        return _made(request, request.outer_bits, request.inner_bits, copies=copies)
    dealt = _turns(request, request.outer_bits, request.inner_bits, 0)
    return msgspec.structs.replace(dealt, stride_bits=REGISTER_BITS)


@pattern("wmma_chunks_64")
def wmma_chunks_64(request: Request) -> Layout:
    """Deal 64 bits of k in turn to the two halves of 32 lanes, without repetition."""
    return _halves(request, chunk_bits=64)


@pattern("wmma_chunks_128")
def wmma_chunks_128(request: Request) -> Layout:
    """Deal 128 bits of k in turn to the two halves of 32 lanes, without repetition."""
    return _halves(request, chunk_bits=128)


@pattern("scale_lanes", SCALE_ROLES)
def scale_lanes(request: Request) -> Layout:
    """Give each scale its lane, one byte of the register."""
    return _made(request, request.outer_bits + request.inner_bits, (), element_bits=SCALE_BITS)


@pattern("scale_bytes", SCALE_ROLES)
def scale_bytes(request: Request) -> Layout:
    """Give each row or column its lane, which holds the scales along k byte by byte."""
    return _made(request, request.outer_bits, request.inner_bits, element_bits=SCALE_BITS)


def _mfma_factor(request: Request) -> Layout:
    """Lay A, B or the index of an MFMA: 128 bits of k to a lane before the next lane's turn."""
    rows = request.outer_bits + request.block_bits
    return _turns(request, rows, request.inner_bits, _chunk(128, request.element_bits))


def _halves(request: Request, chunk_bits: int) -> Layout:
    """Lay an operand over 16 lanes twice, and over 64 lanes by halving its registers again."""
    rows, excess = request.outer_bits[:4], request.outer_bits[4:]
    chunk = 3
    if request.is_factor:
        chunk = _chunk(chunk_bits, request.element_bits)
        # One kept element of a sparse A stands for two along k, and B keeps in step with A.
        chunk += request.sparse and request.role == "b"
    made = _turns(request, rows, request.inner_bits + excess, chunk, lanes=32)
    if request.wave == 32 or made.registers == 1:
        return made
    # The upper 32 lanes take the upper half of each lane's elements.
    lanes, slots = (*made.lane_bits, made.slot_bits[-1]), made.slot_bits[:-1]
    return msgspec.structs.replace(made, lane_bits=lanes, slot_bits=slots)


def _chunk(chunk_bits: int, element_bits: int) -> int:
    """Count the index bits of the shortest power of two of elements that fills a chunk."""
    return (-(-chunk_bits // element_bits) - 1).bit_length()


def _turns(
    request: Request, rows: tuple[Bit, ...], along: tuple[Bit, ...], chunk: int, lanes: int = 0
) -> Layout:
    """Lay rows over lanes; of the bits along, `chunk` go to slots, then lanes fill, then slots."""
    free = (lanes or request.wave).bit_length() - 1 - len(rows)
    start = max(min(chunk, len(along) - free), 0)
    lane_bits = rows + along[start : start + free]
    return _made(request, lane_bits, along[:start] + along[start + free :])


def _made(
    request: Request,
    lane_bits: tuple[Bit, ...],
    slot_bits: tuple[Bit, ...],
    *,
    copies: tuple[int, ...] = (0,),
    element_bits: int = 0,
) -> Layout:
    """Make the Layout, its slots as wide as its elements."""
    width = element_bits or request.element_bits
    return Layout(request.extents, lane_bits, slot_bits, width, width, request.wave, copies)
