"""Products of the numbers of one word with those of another, added to a third source.

Floats follow the models of the matrix instructions, which hardware was compared with (see
`numerics`): one dot product is one step of their chains.
"""

from collections.abc import Sequence
from typing import Literal, TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.errors import Unsupported
from wavemma.formats.format import Format, number_format
from wavemma.machine.meaning import action, meaning
from wavemma.machine.operands import Operands
from wavemma.machine.semantics.vector.functions import flushed
from wavemma.machine.value_type import clamped, value_type
from wavemma.machine.wave import WaveState
from wavemma.numerics.model import model
from wavemma.numerics.path import Setting

V = TypeVar("V")
_B32, _WORD_BITS = value_type("b32"), 32
_SIGN = 1 << _WORD_BITS - 1
_SIGNS_UNKNOWN = "What signs of both halves do to a dot product is not known."
Signs = Literal["chosen", "signed", "unsigned"]
_NAMES: dict[Signs, str] = {"chosen": "signed", "signed": "all_signed", "unsigned": "unsigned"}


def _numbers(e: Engine[V], word: V, bits: int) -> list[V]:
    """Take a word apart, low numbers first; I32 lanes."""
    mask = (1 << bits) - 1
    return [e.and_(e.lshr(word, shift), mask) for shift in range(0, _WORD_BITS, bits)]


def dot(
    e: Engine[V], name: str, forms: tuple[Format, Format], words: tuple[V, V], c: V, kind: str
) -> V:
    """Do one step of a model.

    Args:
        e: The engine.
        name: Of the model.
        forms: Of the numbers in both words.
        words: Whose numbers are multiplied.
        c: Bits of the third source.
        kind: Format of the third source and of the result.

    Returns:
        Bits of the result.

    """
    third = number_format(kind)
    setting = Setting(*forms, third, third)
    path = model(name).whole_path(setting)
    first, second = (
        [path.prepare(e, form, e.zero_extend(x, Lane.I64)) for x in _numbers(e, word, form.bits)]
        for form, word in zip(forms, words, strict=True)
    )
    return path.finish(e, path.step(e, first, second, path.begin(e, c)))


def _halves(operands: Operands[V], role: str, kind: str) -> V:
    """Give the halves that the modifiers choose of a source, with the signs that they say.

    The clamp modifier changes nothing here, as with the matrix instructions.
    """
    e, told = operands.engine, operands.modifier
    place, word = "ab".index(role), operands.word(role, value_type(kind))
    low, high = told("op_sel") >> place & 1, told("op_sel_hi") >> place & 1
    if (low, high) != (0, 1):
        first = e.and_(e.lshr(word, 16 * low), 0xFFFF)
        word = e.or_(first, e.shl(e.lshr(word, 16 * high), 16))
    signs = (told("neg_lo") >> place & 1) << 15 | (told("neg_hi") >> place & 1) << 31
    return e.xor(word, signs) if signs else word


def _dot_halves(wave: WaveState[V], operands: Operands[V], name: str, kind: str) -> None:
    form = number_format(kind)
    a, b = (_halves(operands, role, kind) for role in "ab")
    found = dot(operands.engine, name, (form, form), (a, b), _third(operands), "f32")
    _write(operands, found)


def _third(operands: Operands[V]) -> V:
    """Read f32 bits with the modifiers of the third source: first the size, then the sign."""
    e, c = operands.engine, operands.read("c", _B32)
    if operands.modifier("neg_hi") >> 2 & 1:
        c = e.and_(c, _SIGN - 1)
    return e.xor(c, _SIGN) if operands.modifier("neg_lo") >> 2 & 1 else c


def _write(operands: Operands[V], bits: V) -> None:
    operands.write("d", _B32, bits)


def _enter_halves(name: str, kind: str) -> None:
    """Enter the dot product of two halves, and the one that adds to its result."""

    @action(f"dot_{name}_{kind}", is_long=True)
    def into_result(wave: WaveState[V], operands: Operands[V]) -> None:
        _dot_halves(wave, operands, name, kind)

    @meaning(f"dot_{name}_{kind}_accumulate", "a:halves b:halves d:b32", "d:b32", is_long=True)
    def to_result(e: Engine[V], a: V, b: V, d: V) -> V:
        form = number_format(kind)
        return dot(e, name, (form, form), (a, b), d, "f32")


_enter_halves("complement_2", "f16")
_enter_halves("complement_2_flush", "bf16")
_enter_halves("paired_2", "f16")
_enter_halves("paired_2", "bf16")


def _enter_narrow(name: str, kind: str) -> None:
    """Enter the dot product of two halves whose third source and result are halves too.

    Nobody has compared these with hardware: they follow the matrix instructions of halves.
    """

    @action(f"dot_{name}_{kind}_narrow", grade="D", is_long=True)
    def into_result(wave: WaveState[V], operands: Operands[V]) -> None:
        given = operands.decoded.operands
        if any(given[role].is_negated or given[role].is_absolute for role in "ab"):
            raise Unsupported(_SIGNS_UNKNOWN)
        form, code = number_format(kind), value_type("b16")
        a, b = (operands.word(role, value_type(kind)) for role in "ab")
        c = operands.read("c", value_type(kind).as_bits)
        found = dot(operands.engine, name, (form, form), (a, b), c, kind)
        operands.write("d", code, found)


_enter_narrow("complement_2", "f16")
_enter_narrow("complement_2_flush", "bf16")
_enter_narrow("paired_2", "f16")
_enter_narrow("paired_2", "bf16")


def _in_order(e: Engine[V], kind: str, a: V, b: V, c: V) -> V:
    """Add the products of two halves to f32, the low one first, each sum rounded to nearest.

    Subnormals are zeros wherever they come up, whatever the mode says: AMD's manuals of CDNA3 and
    CDNA4 say so (section 6.4) and write the sums in this order; nobody has compared hardware.
    """
    half = value_type(kind)
    total = flushed(e, e.bitcast(c, Lane.F32))
    for place in (0, 1):
        x, y = (
            _without_subnormals(e, kind, half.value(e, e.lshr(word, 16 * place) if place else word))
            for word in (a, b)
        )
        product = e.mul(e.convert(x, Lane.F32), e.convert(y, Lane.F32))
        total = flushed(e, e.add(total, product))
    return total


def _without_subnormals(e: Engine[V], kind: str, x: V) -> V:
    """Replace f64 numbers that a format holds as subnormals by zeros of their sign."""
    sign = e.bitcast(e.and_(e.bitcast(x, Lane.I64), 1 << 63), Lane.F64)
    return e.select(e.lt(e.abs(x), number_format(kind).min_normal), sign, x)


def _enter_ordered(kind: str) -> None:
    """Enter the dot product of two halves in order, and the one that adds to its result."""

    @action(f"dot_ordered_{kind}", grade="D", is_long=True)
    def into_result(wave: WaveState[V], operands: Operands[V]) -> None:
        e = operands.engine
        a, b = (_halves(operands, role, kind) for role in "ab")
        found = _in_order(e, kind, a, b, _third(operands))
        found = clamped(e, found) if operands.modifier("clamp") else found
        operands.write("d", value_type("f32"), found)

    @action(f"dot_ordered_{kind}_accumulate", grade="D", is_long=True)
    def to_result(wave: WaveState[V], operands: Operands[V]) -> None:
        given = operands.decoded.operands
        if any(given[role].is_negated or given[role].is_absolute for role in "ab"):
            raise Unsupported(_SIGNS_UNKNOWN)
        e = operands.engine
        a, b = (operands.word(role, value_type(kind)) for role in "ab")
        found = _in_order(e, kind, a, b, operands.read("d", _B32))
        found = clamped(e, found) if operands.modifier("clamp") else found
        operands.write("d", value_type("f32"), found)


_enter_ordered("f16")
_enter_ordered("bf16")


def _enter_bytes(first: str, second: str) -> None:
    """Enter the dot product of four 8-bit floats."""
    forms = number_format(f"{first}_ocp"), number_format(f"{second}_ocp")

    @action(f"dot_{first}_{second}", is_long=True)
    def into_result(wave: WaveState[V], operands: Operands[V]) -> None:
        e = operands.engine
        a, b = operands.read("a", _B32), operands.read("b", _B32)
        _write(operands, dot(e, "grouped_4", forms, (a, b), _third(operands), "f32"))


for _first in ("fp8", "bf8"):
    for _second in ("fp8", "bf8"):
        _enter_bytes(_first, _second)


def _sum(e: Engine[V], a: Sequence[V], b: Sequence[V], c: V) -> V:
    for x, y in zip(a, b, strict=True):
        c = e.add(c, e.mul(x, y))
    return c


def _dot_integers(operands: Operands[V], bits: int, signs: Signs) -> V:
    """Add products of integers, exactly; wrap around, or keep the limit if clamped.

    Args:
        operands: Of the instruction.
        bits: Of each number.
        signs: Whether numbers and result are signed; "chosen": the numbers as modifiers say.

    """
    e, given = operands.engine, operands.decoded.operands
    if operands.modifier("op_sel") or operands.decoded.modifiers.get("op_sel_hi", 3) & 3 != 3:
        raise Unsupported("What op_sel does to a dot product is not known.")
    parts = []
    for place, role in enumerate("ab"):
        numbers = _numbers(e, operands.read(role, _B32), bits)
        chosen = signs == "chosen" and operands.modifier("neg_lo") >> place & 1
        if signs == "signed" or chosen:
            shift = _WORD_BITS - bits
            numbers = [e.ashr(e.shl(x, shift), shift) for x in numbers]
        parts.append(numbers)
    c = operands.read("c" if "c" in given else "d", _B32)
    if not operands.modifier("clamp"):
        return _sum(e, parts[0], parts[1], c)
    first, second = ([_wide(e, x, signs) for x in part] for part in parts)
    total = _sum(e, first, second, _wide(e, c, signs))
    low = 0 if signs == "unsigned" else -_SIGN
    return e.convert(e.min(e.max(total, low), low + 2 * _SIGN - 1), Lane.I32)


def _wide(e: Engine[V], x: V, signs: Signs) -> V:
    return e.zero_extend(x, Lane.I64) if signs == "unsigned" else e.convert(x, Lane.I64)


def _enter_integers(bits: int, signs: Signs) -> None:
    @action(f"dot_{_NAMES[signs]}_{bits}", is_long=True)
    def into_result(wave: WaveState[V], operands: Operands[V]) -> None:
        _write(operands, _dot_integers(operands, bits, signs))


for _bits in (16, 8, 4):
    _enter_integers(_bits, "signed")
    _enter_integers(_bits, "unsigned")
for _bits in (8, 4):
    _enter_integers(_bits, "chosen")
