"""A mapping that somebody claims: from places to elements, or from elements to places.

Every operand is looked at as one matrix with axes `row` and `col` (and `b`, its block), whatever
its own letters are, so that a claim about one operand can be held against all others. The kept
elements of a sparse A count along `col` from 0 to K/2-1, or, if the claim says so, by `g` and `s`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple

from msgspec.structs import replace

from wavemma.layouts import Bit, Layout
from wavemma.layouts.layout import REGISTER_BITS

Syntax = Literal["python", "c", "callable", "table", "cute", "bases", "access"]
Numbers = Mapping[str, int]

LANES = {
    "lane": ("lane", "lane_id", "laneid", "lid", "lidx", "lane_idx"),
    "thread": ("thread", "tid", "threadIdx.x", "threadidx_x", "thread_id", "tidx", "threadid"),
}
SLOTS = {
    "v": ("v", "vgpr", "reg", "register"),
    "n": ("n",),
    "slot": ("slot", "e", "ele", "elem", "element", "item"),
    "bit": ("bit",),
}
AXES = {
    "row": ("row", "r"),
    "col": ("col", "column", "c"),
    "b": ("b", "block", "blk"),
    "g": ("g", "group"),
    "s": ("s", "kept"),
}
PLACES = (*LANES, *SLOTS)
SCALES = "q"


class Claim(NamedTuple):
    """A mapping somebody claims.

    Attributes:
        syntax: How it was written.
        text: It as it was written, as far as that is text.
        inputs: What it needs, by our name, with the user's word for it.
        outputs: What it gives, likewise.
        value: Its outputs for given inputs, by our names; nothing where a table has no entry.
        entries: Places that a table lists; 0 if it is no table.
        form: A statement with places for {row} and {col}; empty if it is none.
        stride: By what that statement multiplies the row; empty where it does not.
        parts_waves: Whether it parts a thread's number into its wave and its lane.

    """

    syntax: Syntax
    text: str
    inputs: dict[str, str]
    outputs: dict[str, str]
    value: Callable[[Numbers], Numbers]
    entries: int = 0
    form: str = ""
    stride: str = ""
    parts_waves: bool = False

    @property
    def is_forward(self) -> bool:
        """Whether it leads from places to elements."""
        return not any(name in PLACES for name in self.outputs)

    @property
    def by_pairs(self) -> bool:
        """Whether it speaks of groups and kept elements of a sparse A."""
        return bool({"g", "s"} & {*self.inputs, *self.outputs})

    @property
    def by_register(self) -> bool:
        """Whether it speaks of registers and not of slots."""
        return bool({"v", "n"} & {*self.inputs, *self.outputs})


class Spot(NamedTuple):
    """A place as claims speak of it; v and n are -1 where elements cross registers."""

    lane: int
    v: int
    n: int
    slot: int
    bit: int


def word_of(names: Mapping[str, tuple[str, ...]], word: str) -> str | None:
    """Find which of our names a user's word means."""
    lowered = word.lower()
    return next((name for name, words in names.items() if lowered in map(str.lower, words)), None)


def axes_of(layout: Layout) -> dict[str, tuple[str, ...]]:
    """List the words for the axes of an operand: its own letters beside the common words."""
    letters = [letter for letter, _ in layout.extents if letter != "b"]
    # Of scales, "block" would be taken for the block of k that a scale is for.
    blocks = ("b",) if "b" in layout.size or SCALES not in letters else ()
    words = {name: AXES[name] for name in ("row", "col", *blocks)}
    if "s" in letters:
        words |= {"g": AXES["g"], "s": AXES["s"]}
        letters = letters[:1]
    for name, letter in zip(("row", "col"), letters, strict=False):
        words[name] = (*words[name], letter)
    return words


def seen(layout: Layout, *, by_pairs: bool = False) -> Layout:
    """Name the axes of a layout `b`, `row` and `col`; of a sparse A on request `row`, `g`, `s`."""
    letters = [letter for letter, _ in layout.extents if letter != "b"]
    moved: dict[str, tuple[str, int]] = {}
    if "s" not in letters:
        moved = {letters[0]: ("row", 0), letters[1]: ("col", 0)}
    elif by_pairs:
        moved = {letters[0]: ("row", 0)}
    else:
        moved = {letters[0]: ("row", 0), "g": ("col", 1), "s": ("col", 0)}
    sizes: dict[str, int] = {}
    for letter, size in layout.extents:
        name = moved.get(letter, (letter, 0))[0]
        sizes[name] = sizes.get(name, 1) * size

    def renamed(bit: Bit) -> Bit:
        name, above = moved.get(bit.letter, (bit.letter, 0))
        return Bit(name, bit.position + above)

    return replace(
        layout,
        extents=tuple(sizes.items()),
        lane_bits=tuple(map(renamed, layout.lane_bits)),
        slot_bits=tuple(map(renamed, layout.slot_bits)),
    )


def transposed(layout: Layout) -> Layout:
    """Exchange rows and columns of a layout that `seen` gave."""
    other = {"row": "col", "col": "row"}
    sizes = [(other.get(letter, letter), size) for letter, size in layout.extents]
    if len(sizes) >= 2:
        sizes[-2:] = sizes[:-3:-1]
    return replace(
        layout,
        extents=tuple(sizes),
        lane_bits=tuple(Bit(other.get(b.letter, b.letter), b.position) for b in layout.lane_bits),
        slot_bits=tuple(Bit(other.get(b.letter, b.letter), b.position) for b in layout.slot_bits),
    )


def crosses(layout: Layout) -> bool:
    """Whether elements run over the borders of registers, so that v and n do not count them."""
    stride = layout.stride_bits
    return bool(max(stride, REGISTER_BITS) % min(stride, REGISTER_BITS))


def in_register(layout: Layout) -> int:
    """Count the elements of one register; 1 where an element fills it or more."""
    return min(max(REGISTER_BITS // layout.stride_bits, 1), layout.slots)


def spot(layout: Layout, lane: int, slot: int) -> Spot:
    """Tell a place in all the words that claims may use."""
    v, bit = layout.position(slot)
    if crosses(layout):
        return Spot(lane, -1, -1, slot, bit)
    n = slot % in_register(layout)
    return Spot(lane, v, n, slot, bit)


def places(layout: Layout) -> Iterator[tuple[Spot, tuple[dict[str, int], ...]]]:
    """Yield every place that holds something, lane by lane, with the elements read from it."""
    for lane in range(layout.wave):
        for slot in range(layout.slots):
            elements = layout.elements(lane, slot)
            if elements:
                yield spot(layout, lane, slot), elements
