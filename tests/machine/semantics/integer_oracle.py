"""What integer instructions give, from the ISA documents, on plain Python integers.

Each function takes a `Given` and gives the bits of the result, or bits and the bit of a mask.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

Result = int | str | tuple[int | str, int] | list[int | str]
"""Bits or NaN; with the bit of a mask; or both halves of a word."""


@dataclass
class Given:
    """One lane's sources, modifiers applied: unsigned bits as wide as the operand.

    Attributes:
        a: First source; b, c the others, d what the result holds, k a literal.
        mask: The lane's bit of a mask source, None if there is none; `vcc` of the carry mask.
        clamp: The modifier.
        modifiers: All of them.
        signs: Whether the absolute value and the opposite of each source is meant, where they
            are not applied yet.
        rule: The twin's rule of dot products; "" but on RDNA.
        scales: Whether the output modifier does anything in the mode that kernels run in.
        flushes: Whether products by the rule that zero times anything is zero know no subnormals.
        small: Which floats of 8 bits are meant; by_half: whether what is packed tells all of d.

    """

    a: int = 0
    b: int = 0
    c: int = 0
    d: int = 0
    k: int = 0
    mask: int | None = None
    vcc: int = 0
    clamp: bool = False
    modifiers: dict[str, int] = field(default_factory=dict)
    signs: list[tuple[bool, bool]] = field(default_factory=list)
    rule: str = ""
    scales: bool = False
    flushes: bool = False
    small: str = "ocp"
    by_half: bool = False


Function = Callable[..., Result]
ORACLE: list[tuple[re.Pattern[str], Function]] = []


def expects(pattern: str) -> Callable[[Function], Function]:
    """Enter an expectation; groups of the pattern are further arguments, numbers as such."""

    def enter(function: Function) -> Function:
        ORACLE.append((re.compile(pattern), function))
        return function

    return enter


def expected(name: str, given: Given) -> Result:
    """Give what an instruction gives; the first pattern that its whole name matches counts."""
    for pattern, function in ORACLE:
        found = pattern.fullmatch(name)
        if found:
            return function(given, *found.groups())
    raise AssertionError(f"nothing is expected of {name}")


def signed(x: int, bits: int) -> int:
    """Read bits as two's complement."""
    x &= (1 << bits) - 1
    return x - (x >> bits - 1 << bits)


def read(x: int, kind: str) -> int:
    """Read bits as "u24", "i16" ..."""
    bits = int(kind[1:])
    return signed(x, bits) if kind[0] == "i" else x & (1 << bits) - 1


def kept(x: int, kind: str, clamp: bool = False) -> int:
    """Wrap a number into a type, or limit it."""
    bits = int(kind[1:])
    if clamp:
        low, high = (
            (0, (1 << bits) - 1) if kind[0] == "u" else (-1 << bits - 1, (1 << bits - 1) - 1)
        )
        x = min(max(x, low), high)
    return x & (1 << bits) - 1


LOGIC: dict[str, Callable[[int, int], int]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "xnor": lambda a, b: ~(a ^ b),
}


@expects(r"v_(?:dual_)?(and|or|xor|xnor)_b(16|32)")
def logic(g: Given, name: str, bits: str) -> Result:
    return LOGIC[name](g.a, g.b) & (1 << int(bits)) - 1


@expects(r"v_(?:dual_|accvgpr_)?(mov|not|read|write)_b(16|32|64)")
def move(g: Given, name: str, bits: str) -> Result:
    return (~g.a if name == "not" else g.a) & (1 << int(bits)) - 1


@expects(r"v_(or3|xor3|and_or|bfi|xad|add3|lshl_add|add_lshl|lshl_or)_[bu]32")
def three(g: Given, name: str) -> Result:
    found = {
        "or3": g.a | g.b | g.c,
        "xor3": g.a ^ g.b ^ g.c,
        "and_or": g.a & g.b | g.c,
        "bfi": g.a & g.b | ~g.a & g.c,
        "xad": (g.a ^ g.b) + g.c,
        "add3": g.a + g.b + g.c,
        "lshl_add": (g.a << g.b % 32) + g.c,
        "add_lshl": (g.a + g.b) << g.c % 32,
        "lshl_or": (g.a << g.b % 32) | g.c,
    }[name]
    return found & 0xFFFFFFFF


@expects(r"v_(?:pk_|dual_)?(lshlrev|lshrrev|ashrrev)_([bi])(16|32|64)")
def shift(g: Given, name: str, letter: str, width: str) -> Result:
    bits = int(width)
    count = g.a % bits
    number = signed(g.b, bits) if letter == "i" else g.b & (1 << bits) - 1
    return (number << count if name == "lshlrev" else number >> count) & (1 << bits) - 1


@expects(r"v_cndmask_b(?:16|32)")
def choose(g: Given) -> Result:
    return g.b if g.mask else g.a


@expects(r"v_dual_cndmask_b32")
def choose_by_carry(g: Given) -> Result:
    return g.b if (g.vcc if g.mask is None else g.mask) else g.a


@expects(r"v_bfe_([ui])32")
def field_of(g: Given, letter: str) -> Result:
    width = g.c % 32
    number = signed(g.a, 32) if letter == "i" else g.a
    part = number >> g.b % 32 & (1 << width) - 1
    return (signed(part, width) if letter == "i" and width else part) & 0xFFFFFFFF


@expects(r"v_bfm_b32")
def field_mask(g: Given) -> Result:
    return ((1 << g.a % 32) - 1 << g.b % 32) & 0xFFFFFFFF


@expects(r"v_align(bit|byte)_b32")
def align(g: Given, unit: str) -> Result:
    count = g.c % 32 if unit == "bit" else 8 * (g.c % 4)
    return (g.a << 32 | g.b) >> count & 0xFFFFFFFF


@expects(r"v_perm_b32")
def permute(g: Given) -> Result:
    data = (g.a << 32 | g.b).to_bytes(8, "little")
    found = []
    for choice in g.c.to_bytes(4, "little"):
        if choice >= 12:
            found.append(255 if choice > 12 else 0)
        else:
            sign = data[2 * (choice - 8) + 1] >> 7 if choice >= 8 else 0
            found.append(255 * sign if choice >= 8 else data[choice])
    return int.from_bytes(bytes(found), "little")


@expects(r"v_bfrev_b32")
def reverse(g: Given) -> Result:
    return int(f"{g.a:032b}"[::-1], 2)


@expects(r"v_bcnt_u32_b32")
def count_ones(g: Given) -> Result:
    return g.a.bit_count() + g.b & 0xFFFFFFFF


COUNTS = {"ffbh_u32": "clz", "ffbl_b32": "ctz", "ffbh_i32": "cls"}


@expects(r"v_(clz_i32_u32|ctz_i32_b32|cls_i32|ffbh_u32|ffbl_b32|ffbh_i32)")
def count_zeros(g: Given, name: str) -> Result:
    text, name = f"{g.a:032b}", COUNTS.get(name, name[:3])
    wanted = {"clz": "1", "ctz": "1", "cls": "1" if text[0] == "0" else "0"}[name]
    place = text[::-1].find(wanted) if name == "ctz" else text.find(wanted)
    return place & 0xFFFFFFFF


@expects(r"v_lshl_add_u64")
def shift_and_add_wide(g: Given) -> Result:
    return (g.a << g.b % 8) + g.c & (1 << 64) - 1


@expects(r"v_pk_mov_b32")
def words_of_pairs(g: Given) -> Result:
    chosen = g.modifiers["op_sel"]
    low, high = g.a >> 32 * (chosen & 1), g.b >> 32 * (chosen >> 1)
    return high % (1 << 32) << 32 | low % (1 << 32)


@expects(r"v_pack_b32_f16")
def pack(g: Given) -> Result:
    low, high = (x | 0x200 if x & 0x7FFF > 0x7C00 else x for x in (g.a, g.b))
    return high << 16 | low


@expects(r"v_(?:pk_|dual_)?(add|sub|subrev)_(?:nc_)?([ui](?:16|32))")
def add(g: Given, name: str, kind: str) -> Result:
    a, b = read(g.a, kind), read(g.b, kind)
    return kept({"add": a + b, "sub": a - b, "subrev": b - a}[name], kind, g.clamp)


@expects(r"v_(add|sub|subrev)(?:_co_(ci_)?|([cb])_co_|b(r)ev_co_)u32")
def carry(g: Given, name: str, *kinds: str | None) -> Result:
    with_carry = any(kinds)
    name = "subrev" if kinds[2] else name
    more = g.mask if with_carry else 0
    a, b = (g.b, g.a) if name == "subrev" else (g.a, g.b)
    exact = a + b + more if name == "add" else a - b - more
    return kept(exact, "u32", g.clamp), int(not 0 <= exact < 1 << 32)


@expects(r"v_(?:pk_)?mul_lo_(u16|u32)")
def multiply_low(g: Given, kind: str) -> Result:
    return kept(read(g.a, kind) * read(g.b, kind), kind, g.clamp)


@expects(r"v_mul_(hi_)?([ui]32)(?:_([ui]24))?")
def multiply(g: Given, high: str | None, kind: str, source: str | None) -> Result:
    product = read(g.a, source or kind) * read(g.b, source or kind)
    return kept(product >> 32, kind) if high else kept(product, kind, g.clamp)


@expects(r"v_(?:pk_)?mad_(?:legacy_)?([ui](?:16|32))(?:_([ui](?:16|24)))?")
def multiply_add(g: Given, kind: str, source: str | None) -> Result:
    a, b = (read(x, source or kind) for x in (g.a, g.b))
    return kept(a * b + read(g.c, kind), kind, g.clamp)


@expects(r"v_mad_(?:co_)?([ui])64_[ui]32")
def multiply_add_wide(g: Given, letter: str) -> Result:
    exact = read(g.a, f"{letter}32") * read(g.b, f"{letter}32") + read(g.c, f"{letter}64")
    return kept(exact, f"{letter}64", g.clamp), exact >> 64 & 1


ORDER: dict[str, Callable[..., int]] = {
    "min": min,
    "max": max,
    "min3": min,
    "max3": max,
    "med3": lambda a, b, c: sorted((a, b, c))[1],
    "minmax": lambda a, b, c: max(min(a, b), c),
    "maxmin": lambda a, b, c: min(max(a, b), c),
}


@expects(r"v_(?:pk_)?(min|max|min3|max3|med3|minmax|maxmin)_([ui](?:16|32))")
def order(g: Given, name: str, kind: str) -> Result:
    sources = (g.a, g.b) if name in ("min", "max") else (g.a, g.b, g.c)
    return kept(ORDER[name](*(read(x, kind) for x in sources)), kind)


@expects(r"v_cvt_pk_([ui])16_[ui]32")
def pack_limited(g: Given, letter: str) -> Result:
    low, high = (kept(read(x, f"{letter}32"), f"{letter}16", True) for x in (g.a, g.b))
    return high << 16 | low


@expects(r"v_cvt_([ui])32_[ui]16")
def widen(g: Given, letter: str) -> Result:
    return read(g.a, f"{letter}16") & 0xFFFFFFFF


COMPARE: dict[str, Callable[[int, int], bool]] = {
    "f": lambda a, b: False,
    "lt": lambda a, b: a < b,
    "eq": lambda a, b: a == b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ne": lambda a, b: a != b,
    "ge": lambda a, b: a >= b,
    "t": lambda a, b: True,
    "tru": lambda a, b: True,
}


@expects(r"v_cmpx?_([a-z]+)_([ui](?:16|32|64))")
def compare(g: Given, name: str, kind: str) -> Result:
    return int(COMPARE[name](read(g.a, kind), read(g.b, kind)))
