"""What scalar instructions give, in Python's integers, NumPy's floats and fractions."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from tests.machine.semantics.float_reference import (
    WORD,
    bits_of,
    float_of,
    fused,
    half_toward_zero,
    integer,
    is_signaling,
    smaller,
)


class Case(msgspec.Struct, frozen=True):
    """Unsigned bits that an instruction reads: sources, result, constant, condition, EXEC."""

    a: int
    b: int
    d: int
    k: int
    n: int
    scc: int
    exec: int
    bits: int


class Given(msgspec.Struct, frozen=True):
    """Bits that an instruction writes; None for what it leaves. Floats may be any NaN."""

    d: int | None = None
    scc: int | None = None
    exec: int | None = None


Reference = Callable[[Case], Given]


def signed(x: int, bits: int) -> int:
    return (x & (1 << bits) - 1) - ((x >> bits - 1 & 1) << bits)


def told(x: int, bits: int) -> Given:
    x &= (1 << bits) - 1
    return Given(x, int(x != 0))


def only(x: int) -> Given:
    return Given(x & 0xFFFFFFFFFFFFFFFF)


def overflow(total: int) -> Given:
    return Given(total & WORD, int(not -(1 << 31) <= total < 1 << 31))


def carried(total: int) -> Given:
    return Given(total & WORD, int(not 0 <= total <= WORD))


def first_of(x: int, bits: int, order: range, bit: int) -> int:
    found = [place for place, at in enumerate(order) if x >> at & 1 == bit]
    return found[0] & WORD if found else WORD


def signs(x: int, bits: int) -> int:
    top = x >> bits - 1
    return first_of(x, bits, range(bits - 1, -1, -1), 1 - top)


def field(c: Case, *, negative: bool) -> Given:
    start, width = c.b & c.bits - 1, min(c.b >> 16 & 127, c.bits)
    whole = signed(c.a, c.bits) if negative else c.a
    cut = whole >> start & (1 << width) - 1
    return told(signed(cut, width) if negative and width else cut, c.bits)


def fours(x: int, bits: int) -> list[bool]:
    return [bool(x >> at & 15) for at in range(0, bits, 4)]


LOGIC: dict[str, Callable[[int, int], int]] = {
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
    "nand": lambda x, y: ~(x & y),
    "nor": lambda x, y: ~(x | y),
    "xnor": lambda x, y: ~(x ^ y),
    "and_not1": lambda x, y: x & ~y,
    "or_not1": lambda x, y: x | ~y,
    "and_not0": lambda x, y: ~x & y,
    "or_not0": lambda x, y: ~x | y,
}
ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda x, y: x == y,
    "lg": lambda x, y: x < y or x > y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "o": lambda x, y: x == x and y == y,
    "u": lambda x, y: x != x or y != y,
    "neq": lambda x, y: x != y,
    "nlt": lambda x, y: not x < y,
    "nle": lambda x, y: not x <= y,
    "ngt": lambda x, y: not x > y,
    "nge": lambda x, y: not x >= y,
    "nlg": lambda x, y: not (x < y or x > y),
}


def logic(name: str) -> Reference:
    return lambda c: told(LOGIC[name](c.a, c.b), c.bits)


def mask(name: str, *, copies: bool) -> Reference:
    def compute(c: Case) -> Given:
        new = LOGIC[name](c.a, c.exec) & (1 << c.bits) - 1
        return Given(new if copies else c.exec & (1 << c.bits) - 1, int(new != 0), new)

    return compute


def compare(name: str, kind: str) -> Reference:
    def compute(c: Case) -> Given:
        if kind[0] == "f":
            x, y = (float_of(bits, int(kind[1:])) for bits in (c.a, c.b))
        elif kind[0] == "i":
            x, y = signed(c.a, c.bits), signed(c.b, c.bits)
        else:
            x, y = c.a, c.b
        return Given(scc=int(ORDER[name](x, y)))

    return compute


def compare_constant(name: str, kind: str) -> Reference:
    def compute(c: Case) -> Given:
        x, y = (signed(c.d, 32), signed(c.n, 16)) if kind == "i" else (c.d, c.n)
        return Given(scc=int(ORDER[name](x, y)))

    return compute


def shift_and_add(count: int) -> Reference:
    return lambda c: carried((c.a << count) + c.b)


def chosen(c: Case, first: bool) -> Given:
    return Given(c.a if first else c.b, int(first))


def floats(width: int, compute: Callable[..., Any]) -> Reference:
    def computed(c: Case) -> Given:
        with np.errstate(all="ignore"):
            return Given(bits_of(compute(*(float_of(x, width) for x in (c.a, c.b, c.d, c.k)))))

    return computed


ROUND = {"ceil": np.ceil, "floor": np.floor, "trunc": np.trunc, "rndne": np.rint}
WHOLE: dict[str, Reference] = {
    "s_mov_b(32|64)": lambda c: only(c.a),
    "s_movk_i32": lambda c: Given(signed(c.n, 16) & WORD),
    "s_cmov_b(32|64)": lambda c: only(c.a if c.scc else c.d),
    "s_cmovk_i32": lambda c: Given(signed(c.n, 16) & WORD if c.scc else c.d),
    "s_cselect_b(32|64)": lambda c: only(c.a if c.scc else c.b),
    "s_add(_co)?_u32": lambda c: carried(c.a + c.b),
    "s_sub(_co)?_u32": lambda c: carried(c.a - c.b),
    "s_add(_co)?_i32": lambda c: overflow(signed(c.a, 32) + signed(c.b, 32)),
    "s_sub(_co)?_i32": lambda c: overflow(signed(c.a, 32) - signed(c.b, 32)),
    "s_addc_u32|s_add_co_ci_u32": lambda c: carried(c.a + c.b + c.scc),
    "s_subb_u32|s_sub_co_ci_u32": lambda c: carried(c.a - c.b - c.scc),
    "s_addk(_co)?_i32": lambda c: overflow(signed(c.d, 32) + signed(c.n, 16)),
    "s_mulk_i32": lambda c: Given(c.d * signed(c.n, 16) & WORD),
    "s_add_nc_u64": lambda c: only(c.a + c.b),
    "s_sub_nc_u64": lambda c: only(c.a - c.b),
    "s_mul_i32": lambda c: Given(c.a * c.b & WORD),
    "s_mul_u64": lambda c: only(c.a * c.b),
    "s_mul_hi_u32": lambda c: Given(c.a * c.b >> 32),
    "s_mul_hi_i32": lambda c: Given(signed(c.a, 32) * signed(c.b, 32) >> 32 & WORD),
    "s_absdiff_i32": lambda c: told(abs(signed(c.a - c.b, 32)), 32),
    "s_abs_i32": lambda c: told(abs(signed(c.a, 32)), 32),
    "s_min_i32": lambda c: chosen(c, signed(c.a, 32) < signed(c.b, 32)),
    "s_min_u32": lambda c: chosen(c, c.a < c.b),
    "s_max_i32": lambda c: chosen(c, signed(c.a, 32) > signed(c.b, 32)),
    "s_max_u32": lambda c: chosen(c, c.a > c.b),
    "s_lshl_b(32|64)": lambda c: told(c.a << (c.b & c.bits - 1), c.bits),
    "s_lshr_b(32|64)": lambda c: told(c.a >> (c.b & c.bits - 1), c.bits),
    "s_ashr_i(32|64)": lambda c: told(signed(c.a, c.bits) >> (c.b & c.bits - 1), c.bits),
    "s_bfe_u(32|64)": lambda c: field(c, negative=False),
    "s_bfe_i(32|64)": lambda c: field(c, negative=True),
    "s_bfm_b(32|64)": lambda c: Given(
        ((1 << (c.a & c.bits - 1)) - 1 << (c.b & c.bits - 1)) & (1 << c.bits) - 1
    ),
    "s_not_b(32|64)": lambda c: told(~c.a, c.bits),
    "s_brev_b(32|64)": lambda c: only(int(f"{c.a:0{c.bits}b}"[::-1], 2)),
    "s_ctz_i32_b(32|64)": lambda c: Given(first_of(c.a, c.bits, range(c.bits), 1)),
    "s_ff0_i32_b(32|64)": lambda c: Given(first_of(c.a, c.bits, range(c.bits), 0)),
    "s_clz_i32_u(32|64)": lambda c: Given(first_of(c.a, c.bits, range(c.bits - 1, -1, -1), 1)),
    "s_cls_i32|s_cls_i32_i64": lambda c: Given(signs(c.a, c.bits)),
    "s_sext_i32_i8": lambda c: Given(signed(c.a, 8) & WORD),
    "s_sext_i32_i16": lambda c: Given(signed(c.a, 16) & WORD),
    "s_bitset0_b(32|64)": lambda c: only(c.d & ~(1 << (c.a & c.bits - 1))),
    "s_bitset1_b(32|64)": lambda c: only(c.d | 1 << (c.a & c.bits - 1)),
    "s_bitcmp0_b(32|64)": lambda c: Given(scc=1 - (c.a >> (c.b & c.bits - 1) & 1)),
    "s_bitcmp1_b(32|64)": lambda c: Given(scc=c.a >> (c.b & c.bits - 1) & 1),
    "s_bcnt0_i32_b(32|64)": lambda c: told(c.bits - c.a.bit_count(), 32),
    "s_bcnt1_i32_b(32|64)": lambda c: told(c.a.bit_count(), 32),
    "s_bitreplicate_b64_b32": lambda c: Given(int("".join(d * 2 for d in f"{c.a:032b}"), 2)),
    "s_quadmask_b(32|64)": lambda c: told(
        sum(1 << place for place, any_ in enumerate(fours(c.a, c.bits)) if any_), c.bits
    ),
    "s_wqm_b(32|64)": lambda c: told(
        sum(15 << 4 * place for place, any_ in enumerate(fours(c.a, c.bits)) if any_), c.bits
    ),
    "s_pack_ll_b32_b16": lambda c: Given((c.b & 0xFFFF) << 16 | c.a & 0xFFFF),
    "s_pack_lh_b32_b16": lambda c: Given((c.b >> 16) << 16 | c.a & 0xFFFF),
    "s_pack_hh_b32_b16": lambda c: Given((c.b >> 16) << 16 | c.a >> 16),
    "s_pack_hl_b32_b16": lambda c: Given((c.b & 0xFFFF) << 16 | c.a >> 16),
    "s_cvt_f32_i32": lambda c: Given(bits_of(np.float32(signed(c.a, 32)))),
    "s_cvt_f32_u32": lambda c: Given(bits_of(np.float32(c.a))),
    "s_cvt_i32_f32": lambda c: Given(integer(float_of(c.a, 32), -(1 << 31), (1 << 31) - 1)),
    "s_cvt_u32_f32": lambda c: Given(integer(float_of(c.a, 32), 0, WORD)),
    "s_cvt_f16_f32": floats(32, lambda a, *_: np.float16(a)),
    "s_cvt_f32_f16": floats(16, lambda a, *_: np.float32(a)),
    "s_cvt_hi_f32_f16": lambda c: Given(bits_of(np.float32(float_of(c.a >> 16, 16)))),
    "s_cvt_pk_rtz_f16_f32": lambda c: Given(
        half_toward_zero(float_of(c.a, 32)) | half_toward_zero(float_of(c.b, 32)) << 16
    ),
    "s_fmaak_f32": floats(32, lambda a, b, d, k: fused(a, b, k)),
    "s_fmamk_f32": floats(32, lambda a, b, d, k: fused(a, k, b)),
}


def _float_references() -> dict[str, Reference]:
    found: dict[str, Reference] = {}
    for width in (16, 32):
        kinds: dict[str, Callable[..., Any]] = {
            "add": lambda a, b, d, k: a + b,
            "sub": lambda a, b, d, k: a - b,
            "mul": lambda a, b, d, k: a * b,
            "fmac": lambda a, b, d, k: fused(a, b, d),
            "min_num": lambda a, b, d, k: smaller(a, b),
            "max_num": lambda a, b, d, k: smaller(a, b, larger=True),
            "min": lambda a, b, d, k: smaller(a, b, takes_nan=is_signaling(a, b)),
            "max": lambda a, b, d, k: smaller(a, b, larger=True, takes_nan=is_signaling(a, b)),
            "minimum": lambda a, b, d, k: smaller(a, b, takes_nan=True),
            "maximum": lambda a, b, d, k: smaller(a, b, larger=True, takes_nan=True),
        }
        for name, compute in kinds.items():
            found[f"s_{name}_f{width}"] = floats(width, compute)
        for name, function in ROUND.items():
            found[f"s_{name}_f{width}"] = floats(width, lambda a, *_, f=function: f(a))
        for name in ORDER:
            found[f"s_cmp_{name}_f{width}"] = compare(name, f"f{width}")
    return found


def references() -> list[tuple[re.Pattern[str], Reference]]:
    """Pattern of the mnemonic, and what it gives."""
    found = WHOLE | _float_references()
    for name in LOGIC:
        if not name.endswith("0"):
            found[f"s_{name}_b(32|64)"] = logic(name)
        found[f"s_{name}_saveexec_b(32|64)"] = mask(name, copies=False)
        found[f"s_{name}_wrexec_b(32|64)"] = mask(name, copies=True)
    for count in range(1, 5):
        found[f"s_lshl{count}_add_u32"] = shift_and_add(count)
    for name in ("eq", "lg", "gt", "ge", "lt", "le"):
        for kind in "iu":
            found[f"s_cmp_{name}_{kind}(32|64)"] = compare(name, kind)
            found[f"s_cmpk_{name}_{kind}32"] = compare_constant(name, kind)
    return [(re.compile(pattern), reference) for pattern, reference in found.items()]
