"""Packets of printf against the C library's own printf, and against packets made by hand."""

import hashlib
import struct

from hypothesis import given
from hypothesis import strategies as st

from wavemma.hip.device_printing import formats_of, formatted, printed


def word(value: int) -> bytes:
    return (value & (1 << 64) - 1).to_bytes(8, "little")


def text(value: bytes) -> bytes:
    whole = value + b"\0"
    return whole + bytes(-len(whole) % 8)


def test_numbers_have_the_width_of_their_type() -> None:
    assert formatted(b"%d %u %hhd", word(-1) + word(-1) + word(0x1FF)) == b"-1 4294967295 -1"
    assert formatted(b"%ld|%llx|%zu", word(-1) + word(-1) + word(3)) == b"-1|ffffffffffffffff|3"
    assert formatted(b"%5.2f|%-8s|%c%%", struct.pack("<d", 3.14159) + text(b"ab") + word(65)) == (
        b" 3.14|ab      |A%"
    )
    assert formatted(b"%*d|%.*f", word(4) + word(7) + word(1) + struct.pack("<d", 0.25)) == (
        b"   7|0.2"
    )


def test_text_of_any_encoding_passes() -> None:
    assert formatted("é%s".encode(), text("ü".encode())) == "éü".encode()


@given(st.integers(-(1 << 31), (1 << 31) - 1), st.floats(allow_nan=False))
def test_numbers_are_as_python_formats_them(number: int, real: float) -> None:
    packed = word(number) + struct.pack("<d", real)
    expected = f"{number:d} {real:.6e}".encode().replace(b"inf", b"inf")
    assert formatted(b"%d %e", packed) == expected


def test_packets_follow_each_other() -> None:
    key = hashlib.md5(b"n = %d\n").digest()[:8]
    number = int.from_bytes(key, "little")
    formats = formats_of([f"0:0:{number:x},n = %d\n"])
    constant = key + word(7)
    first = struct.pack("<I", (len(constant) + 4) << 2 | 2) + constant
    plain = text(b"%s!") + text(b"what")
    second = struct.pack("<I", (len(plain) + 4) << 2 | 1) + plain
    found = list(printed(first + second, formats))
    assert [(each.text, each.is_error) for each in found] == [(b"n = 7\n", False), (b"what!", True)]


def test_a_packet_that_is_cut_off_ends_the_text() -> None:
    assert list(printed(struct.pack("<I", 400 << 2), {})) == []
    assert list(printed(b"\0\0\0\0\0\0\0\0", {})) == []
