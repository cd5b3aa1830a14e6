"""RDNA4 float WMMA, SWMMAC and DOT: numerics.md section 5."""

from collections.abc import Sequence

from tests.twin.problem import Problem, chunks
from tests.twin.rdna import FACTOR_NAN, INVALID_NAN, narrow_f16, narrow_special, special_step
from tests.twin.values import Value, decode, encode, floor_units

PACKED_F16_FLOOR, FLOOR = -14, -126


def _grid(products: Sequence[Value], c: Value, floor: int) -> int:
    """5.3 step 3."""
    low = max(floor, c.lead) if c.significand else floor
    return max([low - 26, *(v.exponent - 24 for v in products if v.significand)])


def _group(products: Sequence[Value], grid: int) -> int:
    """5.3 step 4: one group on its own grid, then floored to the common one."""
    nonzero = [v for v in products if v.significand]
    if not nonzero:
        return 0
    own = max(v.exponent for v in nonzero) - 24
    total = sum(floor_units(v.signed, v.power, own) for v in nonzero)
    return floor_units(total, own, grid)


def _addend(c: Value, grid: int, floor: int) -> int:
    """5.3 step 5: a negative C below one unit vanishes on a coarse grid."""
    vanishes = grid > floor and c.negative and c.significand and c.lead < grid
    return 0 if vanishes else floor_units(c.signed, c.power, grid)


def _narrow(name: str, number: int, power: int, *, fp16_ovfl: bool) -> int:
    """5.3 step 6 and 5.4."""
    if name == "f16":
        return narrow_f16(number, power, fp16_ovfl=fp16_ovfl)
    bits = encode("f32", number, power)
    if bits == 0x80000000:
        bits = 0
    return bits >> 16 if name == "bf16" else bits


def step(products: Sequence[Value], acc: int, p: Problem, group: int) -> int:
    """One step whose products are aligned in groups of ``group``."""
    found = special_step(products, p.d_format, acc)
    if found is not None:
        if group != 2 and found == INVALID_NAN:
            found = FACTOR_NAN
        return narrow_special(p.d_format, found)
    c = decode(p.d_format, acc)
    floor = PACKED_F16_FLOOR if p.d_format == "f16" else FLOOR
    grid = _grid(products, c, floor)
    units = sum(_group(part, grid) for part in chunks(products, group))
    units += _addend(c, grid, floor)
    return _narrow(p.d_format, units, grid, fp16_ovfl=p.fp16_ovfl)


def rdna4_step(p: Problem) -> int:
    """5.1 to 5.4: steps of four products, pairs aligned; one pair for K=2 (V_DOT2)."""
    acc = p.c
    for products in chunks(p.products, p.step or 4):
        acc = step(products, acc, p, 2)
    return acc


def rdna4_fp8_whole(p: Problem) -> int:
    """As rdna4_fp8, but all eight products of a step are aligned together."""
    acc = p.c
    for products in chunks(p.products, p.step or 8):
        acc = step(products, acc, p, 8)
    return acc


def rdna4_fp8(p: Problem) -> int:
    """5.5: steps of eight, groups of four aligned; one group for K=4 (V_DOT4)."""
    acc = p.c
    for products in chunks(p.products, p.step or 8):
        acc = step(products, acc, p, 4)
    return acc
