"""Words made from fields, LLVM's text of them, and that text taken apart."""

import re
from dataclasses import dataclass
from functools import cache

from llvm_library import disassembled

from wavemma.isa.encoding import Encoding

LITERAL = 0x12345678
REGISTER = re.compile(
    r"(?P<sign>-?)(?P<bar>\|?)(?:sext\()?(?P<file>v|a|s|ttmp)(?:(?P<one>\d+)|\[(?P<lo>\d+):(?P<hi>\d+)\])"
    r"(?P<half>\.[lh])?\)?\|?\Z"
)
SPLIT = re.compile(r",\s*(?![^\[(]*[\])])")


@dataclass(frozen=True)
class Line:
    """A line of LLVM's: mnemonic, operands, modifiers, and how many bytes it took."""

    size: int
    name: str
    operands: tuple[str, ...]
    modifiers: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        """Whether LLVM has nothing against it."""
        return self.size > 0


BAD = Line(0, "", (), ())
# The words that begin the modifiers of a line.
MODIFIER = re.compile(
    r" (?=(?:op_sel|op_sel_hi|neg_lo|neg_hi|quad_perm|row_\w+|bank_mask|bound_ctrl|fi|dpp8"
    r"|offset[01]?|bitop3|mul|div|th|scope|byte_sel|scale_sel|wave_\w+|dst_sel|dst_unused"
    r"|src[01]_sel):|(?:clamp|nv|scale_offset|gds|glc|slc|dlc|scc|tfe|sc[01]|nt|lds|idxen|offen"
    r"|row_mirror|row_half_mirror)\b)"
)


def assembled(encoding: Encoding, opcode: int, fields: dict[str, int]) -> int:
    """Put an opcode and field values into a word; fields that are not given are 0."""
    bits = encoding.identity | encoding.opcode.put(opcode)
    for name, value in fields.items():
        bits |= encoding.by_name[name].put(value)
    return bits


@cache
def line(bits: int, size: int, target: str, wave: int, literal: int, second: bool) -> Line:
    """Disassemble a word with a literal behind it, and take the text apart.

    Args:
        bits: The word.
        size: Its bytes.
        target: Such as "gfx1100".
        wave: Lanes of the wave.
        literal: The word behind it.
        second: Whether the second half of a dual instruction is looked at.

    """
    data = bits.to_bytes(size, "little") + literal.to_bytes(4, "little") + bytes(8)
    taken, text = disassembled(data, target, wave)
    if not taken or "/*" in text or "Warning" in text:
        return BAD
    head, *modifiers = MODIFIER.split(text)
    name, _, rest = head.partition(" ")
    rest, _, other = rest.partition(" :: ")
    if second:
        name, _, rest = other.partition(" ")
    operands = tuple(SPLIT.split(rest.strip())) if rest.strip() else ()
    return Line(taken, name, operands, tuple(modifiers))


@dataclass(frozen=True)
class Register:
    """A register operand taken apart."""

    file: str
    first: int
    count: int
    half: str
    is_negated: bool
    is_absolute: bool


def register(text: str) -> Register | None:
    """Take a register operand apart; None if it is none."""
    match = REGISTER.match(text)
    if not match:
        return None
    first = int(match["one"] or match["lo"])
    count = int(match["hi"]) - first + 1 if match["hi"] else 1
    return Register(
        match["file"], first, count, match["half"] or "", bool(match["sign"]), bool(match["bar"])
    )
