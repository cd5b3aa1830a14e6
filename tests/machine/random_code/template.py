"""A kernel that loads registers, runs what a test puts into it, and stores registers again."""

import struct
from functools import cache

from tests.objects.compiled import linked

VECTORS, FIRST_SCALAR, SCALARS = 24, 8, 32
"""Vector registers v1 and up, and scalar registers, that random code uses."""
COUNTERS = range(41, 45)
"""Scalar registers for the counters of loops."""
LDS_BYTES = 2048
REGISTER_BYTES = 256
RESULTS = 16384
"""Where results begin, behind what is loaded."""
STATE_BYTES = 2 * RESULTS
WORDS = 700
"""Room for random code."""
KEPT_LANE, STATE_POINTER = 60, 2
"""The vector register with four times the lane's number; scalars that point to the state."""
KEPT_WIDE, KEPT_ADDRESS, KEPT_INDEX = 57, 58, 62
"""Eight times the lane's number; a pair, that behind the state's address; a pair, the lane's number
and four times that."""
RESOURCE, KEPT_OFFSET = 56, 46
"""Scalars that describe what is loaded of the state as a buffer; one that holds a small number."""
OFFSET = 64
SCRATCH_WORDS = 400
WAVES_OF_64_ALONE = ("gfx908", "gfx90a", "gfx942", "gfx950")
RESOURCE_FORMAT = dict.fromkeys(WAVES_OF_64_ALONE, 0x27000)
"""The last word of a buffer resource; of RDNA as compilers write it."""
RESOURCE_FORMAT["gfx1250"] = 0
RECORDS = {"gfx1250": RESULTS >> 7}
"""The third word, which counts bytes; of gfx1250 all but the lowest 7 bits."""
KEPT_SCALARS = 5
"""How many words are stored behind the scalar registers: condition, active lanes, carry mask."""
_NOP, _BEGIN = 0xBF800000, (0xBF800009, 0xBF800008, 0xBF80000A)


_OLDER = {
    "global_load_b32": "global_load_dword",
    "global_store_b32": "global_store_dword",
    "ds_store_b32": "ds_write_b32",
    "ds_load_b32": "ds_read_b32",
    "s_load_b64": "s_load_dwordx2",
    "s_load_b256": "s_load_dwordx8",
    "s_load_b512": "s_load_dwordx16",
}
"""Names of CDNA, by those of RDNA."""


def _next() -> list[str]:
    return [f"s_add_u32 s4, s4, {REGISTER_BYTES}", "s_addc_u32 s5, s5, 0"]


def _to(offset: int) -> list[str]:
    return [f"s_add_u32 s4, s2, {offset}", "s_addc_u32 s5, s3, 0"]


def _kept(lane: str) -> list[str]:
    """Set the registers that random code reads and never writes, and clear scratch memory."""
    pair = f"v{KEPT_ADDRESS}", f"v{KEPT_ADDRESS + 1}"
    lines = [f"v_lshlrev_b32 v{KEPT_WIDE}, 1, {lane}", f"v_mov_b32 v{KEPT_INDEX + 1}, {lane}"]
    lines += [f"v_lshrrev_b32 v{KEPT_INDEX}, 2, {lane}"]
    lines += [f"v_mov_b32 {pair[1]}, s3", f"v_or_b32 {pair[0]}, s2, v{KEPT_WIDE}"]
    lines += [f"s_mov_b32 s{RESOURCE}, s2", f"s_and_b32 s{RESOURCE + 1}, s3, 0xffff"]
    lines += [f"s_mov_b32 s{RESOURCE + 2}, RECORDS", f"s_mov_b32 s{RESOURCE + 3}, FORMAT"]
    return [*lines, f"s_mov_b32 s{KEPT_OFFSET}, {OFFSET}"]


def _lines(wave: int) -> list[str]:
    lane = f"v{KEPT_LANE}"
    lines = [f"v_mbcnt_lo_u32_b32 {lane}, -1, 0"]
    lines += [f"v_mbcnt_hi_u32_b32 {lane}, -1, {lane}"] if wave == 64 else []
    lines += [f"v_lshlrev_b32 {lane}, 2, {lane}", *_to(0)]
    lines += _kept(lane)
    for number in range(1, VECTORS + 1):
        lines += [f"global_load_b32 v{number}, {lane}, s[4:5]", *_next()]
    for part in range(LDS_BYTES // 4 // wave):
        lines += [f"ds_store_b32 {lane}, v{part % VECTORS + 1} offset:{4 * wave * part}"]
    first = FIRST_SCALAR
    for size in (8, 16, 8):
        place = 4 * (first - FIRST_SCALAR)
        lines += [f"s_load_b{32 * size} s[{first}:{first + size - 1}], s[4:5], {place}"]
        first += size
    lines += [f"s_load_b64 vcc, s[4:5], {4 * SCALARS}", "s_cmp_eq_u32 s8, s8"]
    lines += [f"s_nop {word & 0xFFFF}" for word in _BEGIN]
    lines += [f".fill {WORDS}, 4, {_NOP:#x}"]
    lines += ["s_cselect_b32 s50, 1, 0", "s_mov_b64 s[52:53], exec", "s_mov_b64 s[54:55], vcc"]
    lines += ["s_mov_b64 exec, -1", *_to(RESULTS)]
    for number in range(1, VECTORS + 1):
        lines += [f"global_store_b32 {lane}, v{number}, s[4:5]", *_next()]
    kept = [*range(FIRST_SCALAR, FIRST_SCALAR + SCALARS), 50, 52, 53, 54, 55]
    for place, number in enumerate(kept):
        lines += [f"v_mov_b32 v61, s{number}", "v_mov_b32 v62, 0"]
        lines += [f"global_store_b32 v62, v61, s[4:5] offset:{4 * place}"]
    lines += _next()
    for part in range(LDS_BYTES // 4 // wave):
        lines += [f"ds_load_b32 v61, {lane} offset:{4 * wave * part}"]
        lines += [f"global_store_b32 {lane}, v61, s[4:5] offset:{4 * wave * part}"]
    return lines


@cache
def template(target: str, wave: int) -> tuple[bytes, int]:
    """Give the linked kernel `k(state)` and the place of its room in the file."""
    clobbers = [f"v{n}" for n in (*range(1, VECTORS + 1), *range(KEPT_WIDE, 64))]
    clobbers += [f"s{n}" for n in (4, 5, *range(FIRST_SCALAR, RESOURCE + 4))] + ["vcc", "memory"]
    form = RESOURCE_FORMAT.get(target, 0x31027000)
    lines = [line.replace("FORMAT", f"{form:#x}") for line in _lines(wave)]
    lines = [line.replace("RECORDS", f"{RECORDS.get(target, RESULTS)}") for line in lines]
    if target in WAVES_OF_64_ALONE:
        lines = [" ".join(_OLDER.get(word, word) for word in line.split(" ")) for line in lines]
    text = "\\n".join(lines)
    source = f"""
extern "C" __attribute__((global)) void k(int *state) {{
  __attribute__((shared)) static int lds[{LDS_BYTES // 4}];
  volatile int own[{SCRATCH_WORDS}];
  for (int i = 0; i < {SCRATCH_WORDS}; i++) own[i] = i;
  asm volatile("{text}" :: "{{s[2:3]}}"(state), "v"(lds) : {", ".join(f'"{c}"' for c in clobbers)});
}}
"""
    has_both = wave == 64 and target not in WAVES_OF_64_ALONE
    options = ("-mwavefrontsize64",) if has_both else ()
    data = linked(target, "-O3", *options, source=source)
    mark = struct.pack("<3I", *_BEGIN)
    assert data.count(mark) == 1
    return data, data.index(mark) + len(mark)


def filled(target: str, wave: int, code: bytes) -> bytes:
    """Give the kernel with code in its room."""
    data, at = template(target, wave)
    assert len(code) <= 4 * WORDS, len(code)
    return data[:at] + code + data[at + len(code) :]
