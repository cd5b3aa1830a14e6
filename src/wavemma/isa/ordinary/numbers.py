"""Numbers that an instruction reads itself, written as the assembler does."""

from collections.abc import Callable
from functools import cache

from wavemma.tables.number_parts import NamedRow, PartRow
from wavemma.tables.ordinary import ordinary_rows

INLINE_MOST = 64
"""Numbers up to this are written in decimal where larger ones are hexadecimal."""
MESSAGE_CODES = 256


def number_text(style: str, value: int, architecture: str) -> str:
    """Write a number that stands as an operand.

    Args:
        style: How, as the operand's row says.
        value: Its bits, unsigned.
        architecture: Whose names are used.

    """
    return _STYLES[style](value, architecture)


@cache
def _names(immediate: str, architecture: str) -> dict[int, str]:
    rows: tuple[NamedRow, ...] = ordinary_rows(architecture).named
    return {row.value: row.name for row in rows if row.immediate == immediate}


@cache
def _parts(immediate: str, architecture: str) -> tuple[PartRow, ...]:
    rows = ordinary_rows(architecture).parts
    return tuple(row for row in rows if row.immediate == immediate)


def _read(part: PartRow, value: int) -> int:
    width = part.hi - part.lo + 1
    low = value >> part.lo & (1 << width) - 1
    if part.upper is None:
        return low
    lo, hi = part.upper
    return low | (value >> lo & (1 << hi - lo + 1) - 1) << width


def _decimal(value: int, architecture: str) -> str:
    return str(value)


def _hex(value: int, architecture: str) -> str:
    return f"0x{value:x}"


def _inline(value: int, architecture: str) -> str:
    return str(value) if value <= INLINE_MOST else f"0x{value:x}"


def _if_any(value: int, architecture: str) -> str:
    return str(value) if value else ""


def _counters(value: int, architecture: str) -> str:
    """Write the counters that are waited for; all of them if none is."""
    parts = _parts("waitcnt", architecture)
    return _listed(parts, value) or _listed(parts, value, all_of_them=True)


def _dependencies(value: int, architecture: str) -> str:
    """Write the dependencies that are waited for; the number itself if other bits are set."""
    parts = _parts("depctr", architecture)
    if value & ~sum((1 << part.hi + 1) - (1 << part.lo) for part in parts):
        return f"0x{value:x}"
    return _listed(parts, value) or _listed(parts, value, all_of_them=True)


def _listed(parts: tuple[PartRow, ...], value: int, all_of_them: bool = False) -> str:
    return " ".join(
        f"{part.word}({_read(part, value)})"
        for part in parts
        if all_of_them or _read(part, value) != part.default
    )


def _delay(value: int, architecture: str) -> str:
    """Write what an instruction and a later one wait for; the number itself if one has no name."""
    parts = _parts("delay", architecture)
    found = []
    for part in parts:
        names = _names(part.word, architecture)
        which = _read(part, value)
        if which != part.default and which not in names:
            return f"0x{value:x}"
        if which != part.default:
            found.append(f"{part.word}({names[which]})")
    return " | ".join(found) or str(value)


def _register_field(value: int, architecture: str) -> str:
    """Write a hardware register, and the bits of it if they are not all."""
    register, first, width = (_read(part, value) for part in _parts("hwreg", architecture))
    name = _names("hwreg", architecture).get(register, str(register))
    bits = "" if (first, width) == (0, 31) else f", {first}, {width + 1}"
    return f"hwreg({name}{bits})"


def _index_mode(value: int, architecture: str) -> str:
    """Write which operands an index is added to; the number itself if other bits are set."""
    names = _names("gpr_idx", architecture)
    if value >> len(names):
        return f"0x{value:x}"
    return f"gpr_idx({','.join(name for bit, name in names.items() if value >> bit & 1)})"


def _message(value: int, architecture: str) -> str:
    """Write a message; higher bits are ignored if its code has a name."""
    name = _names("message", architecture).get(value % MESSAGE_CODES)
    if name:
        return f"sendmsg({name})"
    return f"sendmsg({value}, 0, 0)" if value < MESSAGE_CODES else str(value)


_STYLES: dict[str, Callable[[int, str], str]] = {
    "branch": _decimal,
    "hex": _hex,
    "inline": _inline,
    "if_any": _if_any,
    "counters": _counters,
    "dependencies": _dependencies,
    "delay": _delay,
    "register_field": _register_field,
    "message": _message,
    "index_mode": _index_mode,
}
