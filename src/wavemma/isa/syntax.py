"""The text of a line: a mnemonic, operands, modifiers. Records from text, and text from records."""

import re

import msgspec

from wavemma.errors import SyntaxMistake
from wavemma.isa.modifier import Modifier, bits_text

_ITEM = r"[-+]?[\w.]+(?:e[-+]\d+)?(?:\s*\[[^\]]*\])?"
_LINE = re.compile(
    rf"\s*(?P<name>[A-Za-z_]\w{{0,79}})(?:\s+(?P<operands>{_ITEM}(?:\s*,\s*{_ITEM})*))?(?P<rest>\s.*)?\Z"
)
_COMMENT = re.compile(r"//.*|;.*|/\*.*?\*/")
_SPLIT = re.compile(r"\s*,\s*(?![^\[]*\])")
_MODIFIER = re.compile(r"\s*([A-Za-z_]\w*)\s*(?::\s*(\[[^\]]*\]|[\w+-]+))?(?=\s|\Z)")
_NUMBER = re.compile(r"(?:0[xX][0-9a-fA-F]{1,8}|0|[1-9]\d{0,8})\Z", re.ASCII)


class Line(msgspec.Struct, frozen=True):
    """A line of assembly, taken apart.

    Attributes:
        name: The mnemonic, in lower case.
        operands: Their texts in order, in lower case.
        modifiers: Word and text after the colon ("" if there is none), in order.

    """

    name: str
    operands: tuple[str, ...]
    modifiers: tuple[tuple[str, str], ...]


def without_comment(line: str) -> str:
    """Cut off comments (from `//` or `;` on, or between `/*` and `*/`) and the spaces around."""
    if "/" in line or ";" in line:
        line = _COMMENT.sub(" ", line)
    return line.strip()


def parse_line(line: str) -> Line:
    """Take a line apart; comments are ignored.

    Raises:
        SyntaxMistake: The line has another form.

    """
    text = without_comment(line)
    match = _LINE.match(text)
    if match is None:
        raise SyntaxMistake(
            "A line must be a mnemonic, operands with commas between and modifiers;"
            f" {_shortened(text)!r} was given.",
            subject=text,
            hint="As it is printed: wavemma dis.",
        )
    operands = _SPLIT.split(match["operands"].lower()) if match["operands"] else ()
    rest = match["rest"]
    return Line(match["name"].lower(), tuple(operands), _modifiers(rest) if rest else ())


def _modifiers(text: str) -> tuple[tuple[str, str], ...]:
    found = []
    place = 0
    text = text.rstrip()
    while place < len(text):
        match = _MODIFIER.match(text, place)
        if match is None:
            raise SyntaxMistake(
                "A modifier must be a word, word:number, word:NAME or word:[0,1];"
                f" {_shortened(text[place:].strip())!r} was given.",
                subject=text,
            )
        found.append((match[1].lower(), match[2] or ""))
        place = match.end()
    return tuple(found)


def read_value(each: Modifier, text: str) -> int:
    """Read what follows the word of a modifier.

    Raises:
        SyntaxMistake: It has another form.

    """
    return _READERS[each.row.kind](each, text)


def _read_flag(each: Modifier, text: str) -> int:
    if text:
        raise SyntaxMistake(f"{each.word} takes no value; {text!r} was given.", subject=text)
    return 1


def _read_int(each: Modifier, text: str) -> int:
    names = each.row.assembler_names
    if text.upper() in names:
        return names.index(text.upper())
    if not _NUMBER.match(text):
        raise SyntaxMistake(
            f"{each.word} must be followed by a colon and a number; {text!r} was given.",
            subject=text,
            allowed=names,
        )
    value = int(text, 0)
    if value >> each.width_bits:
        raise SyntaxMistake(
            f"{each.word} must be 0..{(1 << each.width_bits) - 1}; it is {text}.", subject=text
        )
    return value


def _read_mask(each: Modifier, text: str) -> int:
    bits = [bit.strip() for bit in text[1:-1].split(",")] if text.startswith("[") else []
    if not 0 < len(bits) <= each.width_bits or any(bit not in ("0", "1") for bit in bits):
        raise SyntaxMistake(
            f"{each.word} must be followed by {each.width_bits} bits,"
            f" {each.word}:{bits_text(each.default, each.width_bits)}; {text!r} was given.",
            subject=text,
        )
    return sum(int(bit) << place for place, bit in enumerate(bits))


_READERS = {"flag": _read_flag, "int": _read_int, "mask": _read_mask}


def print_value(each: Modifier, value: int) -> str:
    """Write a modifier as it stands in a line."""
    return _PRINTERS[each.row.kind](each, value)


def _print_flag(each: Modifier, value: int) -> str:
    return each.word


def _print_int(each: Modifier, value: int) -> str:
    names = each.row.assembler_names
    return f"{each.word}:{names[value] if value < len(names) else value}"


def _print_mask(each: Modifier, value: int) -> str:
    return f"{each.word}:{bits_text(value, each.width_bits)}"


_PRINTERS = {"flag": _print_flag, "int": _print_int, "mask": _print_mask}


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."
