"""What conversions of floats give, from the ISA documents, on fractions."""

import math
from fractions import Fraction

from tests.machine.semantics.exact_floats import BF16, F16, F32, FLOATS
from tests.machine.semantics.float_oracle import HALF, limited
from tests.machine.semantics.integer_oracle import Given, Result, expects, signed


@expects(r"v_cvt_f(16|32|64)_f(16|32|64)")
def convert(g: Given, to: str, source: str) -> Result:
    number = FLOATS[int(source)].value(g.a)
    return limited(g, int(to), FLOATS[int(to)].code(number))


@expects(r"v_cvt_f32_bf16")
def from_bf16(g: Given) -> Result:
    return limited(g, 32, F32.code(BF16.value(g.a)))


@expects(r"v_cvt_f(16|32|64)_([ui])(16|32)")
def from_integer(g: Given, to: str, letter: str, width: str) -> Result:
    bits = int(width)
    number = signed(g.a, bits) if letter == "i" else g.a & (1 << bits) - 1
    return limited(g, int(to), FLOATS[int(to)].code(Fraction(number)))


@expects(r"v_cvt_(floor_|nearest_|flr_|rpi_)?([ui])(16|32)_f(16|32|64)")
def to_integer(g: Given, how: str | None, letter: str, width: str, source: str) -> Result:
    number, bits = FLOATS[int(source)].value(g.a), int(width)
    low, high = (-1 << bits - 1, (1 << bits - 1) - 1) if letter == "i" else (0, (1 << bits) - 1)
    if math.isnan(number):
        return 0
    if math.isinf(number):
        return (low if number < 0 else high) & (1 << bits) - 1
    half_up = {"nearest_", "rpi_"}
    down = math.floor if how else math.trunc
    found = math.floor(Fraction(number) + HALF) if how in half_up else down(number)
    return min(max(found, low), high) & (1 << bits) - 1


def nearest(number: float, one: int, least: int) -> int:
    """Give the integer nearest to so many times a number, ties to even, within limits."""
    if math.isnan(number):
        return 0
    if math.isinf(number):
        return one if number > 0 else least
    return min(max(round(Fraction(number) * one), least), one)


@expects(r"v_cvt_(pk_?)?norm_([iu])16_f(16|32)")
def normalised(g: Given, packed: str | None, letter: str, width: str) -> Result:
    one, least = (32767, -32767) if letter == "i" else (65535, 0)
    form = FLOATS[int(width)]
    found = [nearest(form.value(x), one, least) & 0xFFFF for x in (g.a, g.b)]
    return found[1] << 16 | found[0] if packed else found[0]


@expects(r"v_cvt_pk_([iu])16_f32")
def pack_integers(g: Given, letter: str) -> Result:
    high, low = (to_integer(Given(a=x), None, letter, "32", "32") for x in (g.b, g.a))
    least, most = (-32768, 32767) if letter == "i" else (0, 65535)
    halves = [min(max(signed(x, 32) if letter == "i" else x, least), most) for x in (low, high)]
    return (halves[1] & 0xFFFF) << 16 | halves[0] & 0xFFFF


@expects(r"v_cvt_pk_u8_f32")
def put_byte(g: Given) -> Result:
    data = bytearray(g.c.to_bytes(4, "little"))
    number = F32.value(g.a)
    data[g.b % 4] = 255 if number > 255 else 0 if not number > 0 else round(number)
    return int.from_bytes(data, "little")


@expects(r"v_cvt_pkaccum_u8_f32")
def put_byte_into_result(g: Given) -> Result:
    return put_byte(Given(a=g.a, b=g.b, c=g.d))


@expects(r"v_cvt_f32_ubyte([0-3])")
def from_byte(g: Given, place: str) -> Result:
    return limited(g, 32, F32.code(Fraction(g.a >> 8 * int(place) & 255)))


@expects(r"v_cvt_off_f32_i4")
def from_nibble(g: Given) -> Result:
    return limited(g, 32, F32.code(Fraction(signed(g.a, 4), 16)))


@expects(r"v_cvt_pk_?rtz_f16_f32")
def pack_to_zero(g: Given) -> Result:
    return [F16.code(F32.value(x), to_zero=True) for x in (g.a, g.b)]


@expects(r"v_cvt_pk_(f16|bf16)_f32")
def pack_to_nearest(g: Given, name: str) -> Result:
    form = BF16 if name == "bf16" else F16
    return [form.code(F32.value(x)) for x in (g.a, g.b)]


@expects(r"v_ashr_pk_([iu])8_i32")
def pack_shifted(g: Given, letter: str) -> Result:
    """Give the register, of which one half is kept."""
    low, high = (-128, 127) if letter == "i" else (0, 255)
    bytes_ = [min(max(signed(x, 32) >> g.c % 32, low), high) & 0xFF for x in (g.a, g.b)]
    code = bytes_[1] << 8 | bytes_[0]
    return g.d & 0xFFFF | code << 16 if g.modifiers["op_sel"] & 8 else g.d & 0xFFFF0000 | code
