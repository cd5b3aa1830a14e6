"""Words in a wrong order are found to be so, whatever the order is."""

import struct

import pytest

from wavemma.explain.assembly import assembly
from wavemma.explain.disassembly import disassembly

LINES = (
    ("gfx908", "v_mfma_f32_16x16x16f16 a[0:3], v[4:5], v[6:7], a[0:3]"),
    ("gfx942", "v_mfma_f32_16x16x16_f16 v[10:13], a[2:3], v[4:5], v[6:9]"),
    ("gfx950", "v_mfma_f32_16x16x32_bf16 v[0:3], v[4:7], v[8:11], v[0:3]"),
    ("gfx1100", "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]"),
    ("gfx1201", "v_swmmac_f32_16x16x32_f16 v[0:7], v[8:11], v[12:19], v20"),
    ("gfx1250", "v_wmma_f32_16x16x32_f16 v[0:7], v[8:15], v[16:23], v[0:7]"),
)


def _wrong_ways(data: bytes) -> dict[str, str]:
    """Write an instruction of 8 bytes in orders that no tool reads, by what was done."""
    low, high = struct.unpack("<2I", data)
    halves = struct.unpack("<4H", data)
    return {
        "words exchanged": f"0x{high:08x} 0x{low:08x}",
        "high word first": f"0x{low:08x}{high:08x}",
        "bytes of words": f"0x{int.from_bytes(data[:4]):08x} 0x{int.from_bytes(data[4:]):08x}",
        "bytes of the whole": data[::-1].hex(" "),
        "big-endian bytes": " ".join(data[n : n + 4][::-1].hex(" ") for n in (0, 4)),
        "halves of words": " ".join(f"0x{halves[n ^ 1]:04x}" for n in range(4)),
        "big-endian number": f"0x{int.from_bytes(data):016x}",
    }


@pytest.mark.parametrize(("target", "line"), LINES)
@pytest.mark.parametrize("way", _wrong_ways(bytes(8)))
def test_the_right_order_is_named_and_works(target: str, line: str, way: str) -> None:
    data = bytes(assembly(target, line).data)
    found = disassembly(target, _wrong_ways(data)[way])
    assert not any(each.is_matrix for each in found.instructions)
    (advice,) = (note for note in found.notes if "order may be wrong" in note)
    assert line.split()[0] in advice
    words = advice.split(f"Try: wavemma dis {target} ")[1]
    assert [each.text for each in disassembly(target, words).instructions] == [line]


@pytest.mark.parametrize(("target", "line"), LINES)
def test_words_in_order_are_given_no_advice(target: str, line: str) -> None:
    data = bytes(assembly(target, line).data)
    for words in (data.hex(), " ".join(f"0x{each:08x}" for each in struct.unpack("<2I", data))):
        assert not any("may be wrong" in note for note in disassembly(target, words).notes)
    ordinary = disassembly("gfx1100", "0x7e020302 0xbfb00000")
    assert not any("may be wrong" in note for note in ordinary.notes)


def test_an_ordinary_instruction_turned_round_is_found() -> None:
    found = disassembly("gfx1100", "0x0000b0bf")
    assert any("they are s_endpgm" in note for note in found.notes)


def test_long_words_get_no_command() -> None:
    line = LINES[3][1]
    data = bytes(assembly("gfx1100", line).data) * 8
    turned = b"".join(data[n : n + 8][::-1] for n in range(0, len(data), 8))
    (advice,) = (
        each for each in disassembly("gfx1100", turned.hex(" ")).notes if "may be wrong" in each
    )
    assert "v_wmma_f32_16x16x16_f16 and 7 more" in advice
    assert "Try" not in advice
