"""Parts of registers: what further words of vector instructions read, and what they write.

A source is one byte, one half or the whole of a register, with zeros or its sign above; a result
goes into one, and the rest of the register becomes zeros, copies of the sign, or stays.
"""

from typing import TypeVar

from wavemma.engines.engine import Engine
from wavemma.isa.ordinary import DecodedOrdinary
from wavemma.isa.ordinary.catalog import ordinary_table

V = TypeVar("V")
_WORD_BITS = 32
_WIDTHS = {"BYTE": 8, "WORD": 16}
_SOURCES = {"a": "src0_sel", "b": "src1_sel"}
_RESULT, _REST = "dst_sel", "dst_unused"


def takes_parts(decoded: DecodedOrdinary) -> bool:
    """Tell whether a further word says which parts of registers are meant."""
    extension = decoded.instruction.extension
    return extension is not None and extension.parts


def is_whole(decoded: DecodedOrdinary, role: str) -> bool:
    """Tell whether a source is the whole of its register."""
    return _place(decoded, _SOURCES[role])[1] == _WORD_BITS


def part_read(e: Engine[V], decoded: DecodedOrdinary, role: str, bits: V) -> V:
    """Take the part of a register that a source names, I32 lanes."""
    if role not in _SOURCES:
        return bits
    first, width = _place(decoded, _SOURCES[role])
    if width == _WORD_BITS:
        return bits
    if not decoded.operands[role].is_sign_extended:
        return e.and_(e.lshr(bits, first) if first else bits, (1 << width) - 1)
    unused = _WORD_BITS - width
    return e.ashr(e.shl(bits, unused - first), unused)


def part_written(e: Engine[V], decoded: DecodedOrdinary, bits: V, old: V) -> V:
    """Put a result into the part of a register that it is written to, I32 lanes.

    Args:
        e: The engine.
        decoded: The instruction.
        bits: The result.
        old: What the register holds.

    """
    if _RESULT not in decoded.modifiers:
        return bits
    first, width = _place(decoded, _RESULT)
    if width == _WORD_BITS:
        return bits
    mask, unused = (1 << width) - 1, _WORD_BITS - width
    rest = _word(decoded, _REST)
    if rest == "UNUSED_SEXT":
        return e.ashr(e.shl(bits, unused), unused - first)
    field = e.and_(bits, mask)
    field = e.shl(field, first) if first else field
    return field if rest == "UNUSED_PAD" else e.or_(e.and_(old, ~(mask << first)), field)


def _place(decoded: DecodedOrdinary, modifier: str) -> tuple[int, int]:
    """Give the first bit and the width of the part that a modifier names."""
    if modifier not in decoded.modifiers:
        return 0, _WORD_BITS
    kind, _, number = _word(decoded, modifier).partition("_")
    width = _WIDTHS.get(kind, _WORD_BITS)
    return (int(number) * width if number else 0), width


def _word(decoded: DecodedOrdinary, modifier: str) -> str:
    """Give the word that the assembler writes for a modifier."""
    choices = ordinary_table(decoded.instruction.architecture).choices[modifier]
    return choices[decoded.modifiers[modifier]].partition(":")[2]
