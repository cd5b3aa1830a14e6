"""What dot products give: floats by the exact twin of the matrix instructions, integers exactly."""

from tests import twin
from tests.machine.semantics.exact_floats import (
    BF16,
    F16,
    F32,
    NAN,
    Code,
    Float,
    add,
    fused,
    multiply,
)
from tests.machine.semantics.float_oracle import limited
from tests.machine.semantics.integer_oracle import Given, Result, expects, kept, read

SIGN, SIZE = 0x80000000, 0x7FFFFFFF
HALVES = {"f16": F16, "bf16": BF16}


def fields(word: int, bits: int) -> list[int]:
    return [word >> shift & (1 << bits) - 1 for shift in range(0, 32, bits)]


def third(g: Given) -> int:
    """Take the size of the third source, then change its sign, as the modifiers say."""
    c = g.c & SIZE if g.modifiers.get("neg_hi", 0) >> 2 & 1 else g.c
    return c ^ SIGN if g.modifiers.get("neg_lo", 0) >> 2 & 1 else c


def without_subnormals(form: Float, code: int) -> int:
    return code & form.sign if form.is_subnormal(code) else code


def in_order(form: Float, a: list[int], b: list[int], c: int) -> Code:
    """Add products of halves to f32 one after the other, nearest even; subnormals are zeros."""
    total: Code = without_subnormals(F32, c)
    for pair in zip(a, b, strict=True):
        wide = [F32.code(form.value(without_subnormals(form, x))) for x in pair]
        x, y, z = (0x7FC00000 if code == NAN else int(code) for code in (*wide, total))
        product = multiply(F32, x, y)
        found = NAN if product == NAN else add(F32, z, int(product))
        total = found if found == NAN else without_subnormals(F32, int(found))
    return total


@expects(r"v_dot2c_f32_(f16|bf16)")
def accumulated_in_order(g: Given, name: str) -> Result:
    return limited(g, 32, in_order(HALVES[name], fields(g.a, 16), fields(g.b, 16), g.d))


@expects(r"v_dot2_f32_(f16|bf16)")
def dot_halves(g: Given, name: str) -> Result:
    words = []
    for place, word in enumerate((g.a, g.b)):
        own = fields(word, 16)
        choose = [g.modifiers[each] >> place & 1 for each in ("op_sel", "op_sel_hi")]
        signs = [g.modifiers[each] >> place & 1 for each in ("neg_lo", "neg_hi")]
        words.append([own[c] ^ s << 15 for c, s in zip(choose, signs, strict=True)])
    if not g.rule:
        return limited(g, 32, in_order(HALVES[name], *words, third(g)))
    return twin.dot(g.rule, *words, third(g), a_format=name)


@expects(r"v_(?:dual_)?dot2acc_f32_(f16|bf16)")
def accumulated(g: Given, name: str) -> Result:
    return twin.dot(g.rule, fields(g.a, 16), fields(g.b, 16), g.d, a_format=name)


@expects(r"v_dot2_(f16|bf16)_(?:f16|bf16)")
def narrow(g: Given, name: str) -> Result:
    return twin.dot(g.rule, fields(g.a, 16), fields(g.b, 16), g.c, a_format=name, c_format=name)


@expects(r"v_dot4_f32_([fb]p?f?8)_([fb]p?f?8)")
def dot_bytes(g: Given, first: str, second: str) -> Result:
    formats = {"a_format": f"{first}_ocp", "b_format": f"{second}_ocp"}
    return twin.dot("rdna4_fp8", fields(g.a, 8), fields(g.b, 8), third(g), **formats)


@expects(r"v_dot[48]_([ui])32_i?u([48])")
def dot_integers(g: Given, letter: str, width: str) -> Result:
    kinds = []
    for place in range(2):
        is_signed = letter == "i" and g.modifiers["neg_lo"] >> place & 1
        kinds.append(f"{'i' if is_signed else 'u'}{width}")
    a, b = (
        [read(x, kind) for x in fields(y, int(width))]
        for kind, y in zip(kinds, (g.a, g.b), strict=True)
    )
    total = sum(x * y for x, y in zip(a, b, strict=True))
    return kept(total + read(g.c, f"{letter}32"), f"{letter}32", g.clamp)


@expects(r"v_dot[248](c?)_([ui])32_[ui](16|8|4)")
def dot_of_one_sign(g: Given, to_result: str, letter: str, width: str) -> Result:
    a, b = ([read(x, letter + width) for x in fields(y, int(width))] for y in (g.a, g.b))
    total = sum(x * y for x, y in zip(a, b, strict=True))
    third = g.d if to_result else g.c
    return kept(total + read(third, f"{letter}32"), f"{letter}32", g.clamp)


@expects(r"v_pk_fmac_f16")
def fused_halves(g: Given) -> Result:
    sources = [fields(word, 16) for word in (g.a, g.b, g.d)]
    return [fused(F16, *codes) for codes in zip(*sources, strict=True)]


@expects(r"v_(sad|msad)_(hi_)?u(8|16|32)")
def differences(g: Given, name: str, high: str | None, width: str) -> Result:
    pairs = zip(fields(g.a, int(width)), fields(g.b, int(width)), strict=True)
    total = sum(abs(x - y) for x, y in pairs if name == "sad" or y)
    return kept((total << 16 if high else total) + g.c, "u32", g.clamp)


@expects(r"v_(m?)qsad_pk_u16_u8")
def four_differences(g: Given, masked: str) -> Result:
    data, found = g.a.to_bytes(8, "little"), 0
    for place in range(4):
        pairs = zip(data[place : place + 4], g.b.to_bytes(4, "little"), strict=True)
        total = sum(abs(x - y) for x, y in pairs if y or not masked)
        start = g.c >> 16 * place & 0xFFFF
        found |= kept(start + total, "u16", g.clamp) << 16 * place
    return found


@expects(r"v_mqsad_u32_u8")
def four_wide_differences(g: Given) -> Result:
    data, found = g.a.to_bytes(8, "little"), 0
    for place in range(4):
        pairs = zip(data[place : place + 4], g.b.to_bytes(4, "little"), strict=True)
        total = sum(abs(x - y) for x, y in pairs if y)
        start = g.c >> 32 * place & 0xFFFFFFFF
        found |= kept(start + total, "u32", g.clamp) << 32 * place
    return found


@expects(r"v_lerp_u8")
def averages(g: Given) -> Result:
    bytes_ = zip(*(x.to_bytes(4, "little") for x in (g.a, g.b, g.c)), strict=True)
    return int.from_bytes(bytes(x + y + (up & 1) >> 1 for x, y, up in bytes_), "little")
