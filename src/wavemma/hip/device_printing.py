"""What kernels print: the packets of buffered printf as text."""

import ctypes
import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

HEADER_BYTES = 8
_SPECIFICATION = re.compile(
    r"%(?P<flags>[-+ #0']*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?"
    r"(?P<length>hh|h|ll|l|j|z|t|L)?(?P<kind>[diouxXcspfFeEgGaAn%])"
)
_LENGTH_BITS = {"hh": 8, "h": 16, "": 32}
_WORD = 8
_TO_STDERR, _IS_CONSTANT = 1, 2


class Printed(msgspec.Struct, frozen=True):
    """Text of one printf, and whether it is for stderr."""

    text: bytes
    is_error: bool


def formats_of(noted: Sequence[str]) -> dict[int, bytes]:
    """Read the format strings that a code object's metadata lists, by their hash."""
    found = {}
    for line in noted:
        head, _, text = line.partition(",")
        found[int(head.rpartition(":")[2], 16)] = text.encode("utf-8", "surrogateescape")
    return found


def printed(data: bytes, formats: Mapping[int, bytes]) -> Iterator[Printed]:
    """Read the packets of a buffer.

    Args:
        data: The used part, without the header.
        formats: Constant formats by hash.

    """
    place = 0
    while place + 4 <= len(data):
        control = int.from_bytes(data[place : place + 4], "little")
        size = control >> 2
        if size < 4 or place + size > len(data):
            return
        packet = data[place + 4 : place + size]
        if control & _IS_CONSTANT:
            text = formats.get(int.from_bytes(packet[:_WORD], "little"), b"?")
            rest = packet[_WORD:]
        else:
            text, rest = _string(packet)
        yield Printed(formatted(text, rest), bool(control & _TO_STDERR))
        place += size


def formatted(text: bytes, arguments: bytes) -> bytes:
    """Fill a format with arguments as printf does; each takes 8 bytes, strings lie inline."""
    library = ctypes.CDLL(None)
    pieces, rest, last = [], arguments, 0
    # Bytes become characters one by one, so that any encoding passes through.
    plain = text.decode("latin-1")
    for found in _SPECIFICATION.finditer(plain):
        pieces.append(plain[last : found.start()].encode("latin-1"))
        last = found.end()
        if found["kind"] == "%":
            pieces.append(b"%")
            continue
        width, rest = _starred(found["width"], rest)
        precision, rest = _starred(found["precision"], rest)
        dot = "" if precision is None else f".{precision}"
        piece, rest = _one(library, found, f"%{found['flags']}{width or ''}{dot}", rest)
        pieces.append(piece)
    pieces.append(plain[last:].encode("latin-1"))
    return b"".join(pieces)


def _one(
    library: ctypes.CDLL, found: re.Match[str], start: str, rest: bytes
) -> tuple[bytes, bytes]:
    """Format one argument with the C library."""
    kind = found["kind"]
    if kind == "s":
        value, rest = _string(rest)
        return _written(library, f"{start}s", ctypes.c_char_p(value)), rest
    word, rest = rest[:_WORD].ljust(_WORD, b"\0"), rest[_WORD:]
    if kind in "fFeEgGaA":
        number = ctypes.c_double.from_buffer_copy(word)
        return _written(library, start + kind, number), rest
    bits = int.from_bytes(word, "little")
    if kind == "p":
        return _written(library, start + "p", ctypes.c_void_p(bits)), rest
    if kind == "c":
        return _written(library, start + "c", ctypes.c_int(bits & 0xFF)), rest
    if kind == "n":
        return b"", rest
    width = _LENGTH_BITS.get(found["length"] or "", 64)
    bits &= (1 << width) - 1
    if kind in "di" and bits >> (width - 1):
        bits -= 1 << width
    return _written(library, f"{start}ll{kind}", ctypes.c_longlong(bits)), rest


def _written(library: ctypes.CDLL, text: str, value: object) -> bytes:
    form = text.encode("latin-1")
    size = library.snprintf(None, ctypes.c_size_t(0), form, value)
    room = ctypes.create_string_buffer(size + 1)
    library.snprintf(room, ctypes.c_size_t(size + 1), form, value)
    return room.raw[:size]


def _starred(given: str | None, rest: bytes) -> tuple[str | None, bytes]:
    """Take a width or precision from the arguments where it is a star."""
    if given != "*":
        return given, rest
    number = int.from_bytes(rest[:4], "little", signed=True)
    return str(number), rest[_WORD:]


def _string(data: bytes) -> tuple[bytes, bytes]:
    """Take a string that is padded to whole words."""
    end = data.find(b"\0")
    end = len(data) if end < 0 else end
    return data[:end], data[(end + 1 + _WORD - 1) // _WORD * _WORD :]
