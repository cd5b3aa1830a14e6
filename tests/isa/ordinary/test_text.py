"""Texts against LLVM's disassembler, and through ziglang's assembler back to bytes."""

import random
import re
from collections import Counter

import pytest

from tests.isa.ordinary.assembler import assembled
from tests.isa.ordinary.drawn import BARRIERS, forms, tame, wild
from tests.isa.ordinary.exceptions import refused, written
from tools.llvm_library import disassembled
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import (
    DecodedOrdinary,
    encode_ordinary,
    ordinary_table,
    ordinary_text,
    read_any,
    read_ordinary,
    text_any,
)

SECONDS = ("VOPD_Y", "VOPD3_Y")
"""Second halves of dual instructions."""
TARGETS = {
    "rdna3": ("gfx1100", "gfx1101", "gfx1102", "gfx1103"),
    "rdna3.5": ("gfx1150", "gfx1151", "gfx1152", "gfx1153"),
    "rdna4": ("gfx1200", "gfx1201"),
    "cdna1": ("gfx908",),
    "cdna2": ("gfx90a",),
    "cdna3": ("gfx942",),
    "cdna4": ("gfx950",),
    "cdna5": ("gfx1250", "gfx1251"),
}
OF_64 = ("cdna1", "cdna2", "cdna3", "cdna4")
ONE_SIZE = (*OF_64, "cdna5")
PLACES = [
    *((name, wave) for name in TARGETS if name not in ONE_SIZE for wave in (32, 64)),
    *((name, 64) for name in OF_64),
    ("cdna5", 32),
]
LIKE_ANOTHER = ("cdna1", "cdna2", "cdna4")
"""Those with the words of another, whose longer comparisons are for the night."""


def marks(architecture: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.nightly] if architecture in LIKE_ANOTHER else []


# A literal in place of a barrier makes LLVM 22 crash.
LITERAL = 255
# Many words of gfx9 that mean nothing make LLVM 22 crash: only what we decode is compared.
CRASHING = OF_64
# Rows whose text is not assembled to their bytes.
NOT_ASSEMBLED = {
    ("v_nop", "VOP3"): "written as the short form",
    ("v_pipeflush", "VOP3"): "written as the short form",
    ("v_cvt_pk_f16_fp8", "VOP3"): "written as the short form",
    ("v_cvt_pk_f16_bf8", "VOP3"): "written as the short form",
    ("v_fmac_f16", "VOP3"): "the assembler refuses LLVM's own op_sel of a high result",
    ("s_atc_probe", "SMEM"): "the number must fit a permission",
    ("s_atc_probe_buffer", "SMEM"): "the number must fit a permission",
}
# The short word that only the disassembler of CDNA5 knows.
NOT_ASSEMBLED |= {
    ("v_dual_dot2acc_f32_bf16", "VOPD_X"): "written as the long form",
    ("v_dual_dot2acc_f32_bf16", "VOPD3_X"): "the assembler compares banks of other registers",
}
# Those of CDNA.
NOT_ASSEMBLED_THERE = {
    "v_clrexcp": "written as the short form",
    "v_nop": "written as the short form",
    "v_writelane_b32": "two scalar registers are more than it takes there",
    "v_dot2_f32_f16": "op_sel must be as if it were not there",
    "v_dot2_f32_bf16": "op_sel must be as if it were not there",
    "v_dot2_i32_i16": "op_sel must be as if it were not there",
    "v_dot2_u32_u16": "op_sel must be as if it were not there",
    "s_sendmsg": "some messages need an operation",
    "s_sendmsghalt": "some messages need an operation",
    "s_atc_probe": "the number must fit a permission",
    "s_atc_probe_buffer": "the number must fit a permission",
}


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("810084be", "s_mov_b32 s4, 1"),
        ("6a0184be", "s_mov_b64 s[4:5], vcc"),
        ("0100a0bf", "s_branch 1"),
        ("0000b0bf", "s_endpgm"),
        ("f7fc89bf", "s_waitcnt lgkmcnt(15)"),
        ("0a040206", "v_add_f32_e32 v1, s10, v2"),
        ("010003d702071600", "v_add_nc_u16 v1.l, v2.l, v3.l"),
        ("0000d8d800000001", "ds_load_b32 v1, v0"),
    ],
)
def test_by_hand(words: str, text: str) -> None:
    found = read_any(bytes.fromhex(words), "gfx1100")
    assert isinstance(found, DecodedOrdinary), found
    assert ordinary_text(found) == text


@pytest.mark.parametrize("architecture", TARGETS)
def test_every_form_assembles_to_its_bytes(architecture) -> None:
    check_assembled(architecture, random.Random(1), 1)


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("architecture", [pytest.param(n, marks=marks(n)) for n in TARGETS])
def test_every_form_assembles_to_its_bytes_often(architecture) -> None:
    check_assembled(architecture, random.Random(2), 12)


def check_assembled(architecture: str, rng: random.Random, count: int) -> None:
    table, wave = ordinary_table(architecture), 64 if architecture in OF_64 else 32
    lines: list[str] = []
    wanted: list[bytes] = []
    for row, extension in forms(table):
        if row.encoding in SECONDS or (row.name, row.encoding) in NOT_ASSEMBLED:
            continue
        if architecture in OF_64 and row.name in NOT_ASSEMBLED_THERE:
            continue
        if row.encoding == "SMEM_REGISTER":
            # Of two words with one text the assembler writes the other.
            continue
        for _ in range(count):
            found = read_ordinary(tame(table, row, extension, rng), architecture, wave)
            assert not isinstance(found, Undecoded), (row.name, extension, found)
            lines.append(ordinary_text(found))
            wanted.append(encode_ordinary(found))
    assert len(lines) > (1850 if architecture in OF_64 else 2500) * count
    data, complaints = assembled(lines, TARGETS[architecture][0])
    assert data == b"".join(wanted), complaints[:2000] or first_difference(lines, wanted, data)


def first_difference(lines: list[str], wanted: list[bytes], data: bytes) -> str:
    place = 0
    for line, each in zip(lines, wanted, strict=True):
        if data[place : place + len(each)] != each:
            return f"{line}: {each.hex()}, not {data[place : place + len(each)].hex()}"
        place += len(each)
    return "behind the last line"


@pytest.mark.oracle
@pytest.mark.parametrize(("architecture", "wave"), PLACES)
def test_llvm_agrees(architecture, wave) -> None:
    counts = compared(architecture, random.Random(wave), wave, 3)
    # Odd pairs of registers, which LLVM calls invalid, are many on CDNA.
    known = 8 if architecture in ONE_SIZE else 30
    assert counts["same"] > (3500 if architecture in OF_64 else 4000)
    assert counts["same"] > known * counts["excused"]


@pytest.mark.oracle
@pytest.mark.slow
@pytest.mark.parametrize(
    ("architecture", "wave"), [pytest.param(*each, marks=marks(each[0])) for each in PLACES]
)
def test_llvm_agrees_on_many(architecture, wave) -> None:
    assert compared(architecture, random.Random(wave + 1), wave, 25)["same"] > 30_000


def compared(architecture: str, rng: random.Random, wave, count: int) -> Counter[str]:
    """Compare wild words with LLVM; where it refuses ours, compare what we encode instead."""
    table = ordinary_table(architecture)
    counts: Counter[str] = Counter()
    for row, extension in forms(table):
        if row.encoding in SECONDS or (row.encoding == "VOPD_X" and wave == 64):
            continue
        for _ in range(count):
            target = rng.choice(TARGETS[architecture])
            data = wild(table, row, extension, rng) + bytes(8)
            if row.name.startswith(BARRIERS) and data[0] == LITERAL:
                continue
            found = read_ordinary(data, architecture, wave)
            if architecture in CRASHING and isinstance(found, Undecoded):
                counts["refused"] += 1
                continue
            size, theirs = disassembled(data, target, wave)
            if isinstance(found, Undecoded):
                assert not size or refused(theirs, found.message), (data.hex(), theirs, found)
                counts["refused"] += 1
                continue
            if not size:
                data = encode_ordinary(found) + bytes(8)
                size, theirs = disassembled(data, target, wave)
            theirs = theirs.partition(" ;")[0]
            ours = ordinary_text(found)
            same = ours == theirs and size == found.size_bytes
            assert same or written(theirs, ours), (data.hex(), theirs, ours)
            counts["same" if same else "excused"] += 1
    return counts


NOT_OURS = re.compile(r"exp|tbuffer_|image_|ds_(param|direct)_load|lds_|v_interp")
"""Words of graphics, which are not decoded."""
OLDER = 0xD3
"""The last byte of words of gfx9, some of which LLVM decodes for gfx11 and gfx12, too."""


@pytest.mark.oracle
@pytest.mark.parametrize("target", ["gfx1100", "gfx1201", "gfx1250"])
def test_llvm_agrees_on_any_words(target: str) -> None:
    rng, counts = random.Random(99), Counter[str]()
    for _ in range(6000):
        data = rng.randbytes(16)
        if data[0] == LITERAL:
            continue
        found = read_any(data, target, 32)
        size, theirs = disassembled(data, target, 32)
        theirs = theirs.partition(" ;")[0]
        if isinstance(found, Undecoded):
            known = not size or refused(theirs, found.message) or NOT_OURS.match(theirs)
            assert known or data[3] == OLDER, (data.hex(), theirs, found)
        elif not size:
            # We ignore unused fields; what LLVM refuses for them it takes without.
            counts["unused"] += 1
        else:
            ours = text_any(found)
            same = ours == theirs and size == found.size_bytes
            assert same or written(theirs, ours), (data.hex(), theirs, ours)
            counts["same" if same else "excused"] += 1
    assert counts["same"] > 2500
    assert counts["same"] > (5 if target == "gfx1250" else 100) * counts["excused"]
    assert counts["same"] > 10 * counts["unused"]
