"""What each field of an instruction says, in words."""

from collections.abc import Callable

import msgspec

from wavemma.errors import OutOfRange, WavemmaError
from wavemma.isa.decoded import NO_EFFECT, Decoded, format_of
from wavemma.isa.encode import encode
from wavemma.isa.encoding import Field
from wavemma.isa.legality import ROLE_WORDS
from wavemma.isa.modifier import Modifier
from wavemma.isa.operand import OperandField
from wavemma.layouts import Role
from wavemma.layouts.movement import SCALE_ROWS, moved

SWITCHES: dict[str, tuple[str, str]] = {
    "signed_a": ("A is unsigned", "A is signed"),
    "signed_b": ("B is unsigned", "B is signed"),
    "negate_a": ("A is not negated", "A is negated"),
    "negate_b": ("B is not negated", "B is negated"),
    "negate_c": ("C is not negated", "C is negated"),
    "negate_a_even": (
        "even elements of A (low halves of registers) are not negated",
        "even elements of A (low halves of registers) are negated",
    ),
    "negate_b_even": (
        "even elements of B (low halves of registers) are not negated",
        "even elements of B (low halves of registers) are negated",
    ),
    "negate_a_odd": (
        "odd elements of A (high halves of registers) are not negated",
        "odd elements of A (high halves of registers) are negated",
    ),
    "negate_b_odd": (
        "odd elements of B (high halves of registers) are not negated",
        "odd elements of B (high halves of registers) are negated",
    ),
    "absolute_c": ("C is taken as it is", "the absolute value of C is taken"),
    "high_half": (
        "C is read from and D written to the low 16 bits of each register, the high ones are kept",
        "C is read from and D written to the high 16 bits of each register, the low ones are kept",
    ),
    "saturate": (
        "a sum that leaves the range of D wraps around",
        "a sum that leaves the range of D becomes its nearest limit",
    ),
    "index_set_off": ("abid selects the set of index bits", "set 0 of the index bits is used"),
}
"""Effects of one bit: what it means at 0 and at 1."""

Teller = Callable[[Decoded, str, int], str]
TELLERS: dict[str, Teller] = {}


class FieldMeaning(msgspec.Struct, frozen=True):
    """One field of an instruction.

    Attributes:
        name: As in the manual; empty for bits that no field covers.
        lo: Lowest bit, bit 0 is the lowest of the first word.
        hi: Highest bit, included.
        value: The number that stands there.
        meaning: What it says.

    """

    name: str
    lo: int
    hi: int
    value: int
    meaning: str


def explain(decoded: Decoded, data: bytes | None = None) -> tuple[FieldMeaning, ...]:
    """Tell every field of an instruction, lowest bit first; together they cover every bit once.

    Args:
        decoded: The instruction.
        data: The bytes that it was decoded from, for the values of unused fields; if None, they
            are shown as assembled.

    """
    whole = encode(decoded) if data is None else data[: decoded.size_bytes]
    bits = int.from_bytes(whole, "little")
    found = []
    place = 0
    for field in (*decoded.instruction.encoding.fields, None):
        lo = field.lo if field else 8 * decoded.size_bytes
        if lo > place:
            gap = Field("", place, lo - 1, "")
            found.append(FieldMeaning("", place, lo - 1, gap.read(bits), "no field, ignored"))
        if field:
            value = field.read(bits)
            told = _meaning(decoded, field, value)
            found.append(FieldMeaning(field.name, field.lo, field.hi, value, told))
            place = field.hi + 1
    return tuple(found)


def _meaning(decoded: Decoded, field: Field, value: int) -> str:
    """Tell one field: the first of these that has something to say."""
    form = decoded.instruction.form
    told = _name(decoded, field) or _owner(decoded, field, value) or _modifiers(decoded, field)
    if told:
        return told
    if field.name in form.set:
        return f"{form.set[field.name]} in this instruction, without a choice"
    return "not used by this instruction"


def _name(decoded: Decoded, field: Field) -> str:
    """Tell a field that names the encoding or the instruction."""
    instruction, encoding = decoded.instruction, decoded.instruction.encoding
    if field.value is not None:
        return f"names the encoding, {encoding.name}"
    if field == encoding.opcode:
        return f"opcode of {instruction.name}"
    if field == encoding.scale_opcode:
        return f"opcode of the scale half of {instruction.name}"
    return ""


def _owner(decoded: Decoded, field: Field, value: int) -> str:
    """Tell a field that names an operand, or the file that it is in."""
    for operand in decoded.instruction.operands:
        if operand.field == field:
            return _operand(decoded, operand)
        if operand.accumulator == field:
            return _accumulator(decoded, field, value)
    return ""


def _modifiers(decoded: Decoded, field: Field) -> str:
    """Tell a field that holds bits of modifiers."""
    every = decoded.instruction.modifiers(decoded.wave)
    return "; ".join(filter(None, (_modifier(decoded, each, field) for each in every)))


def _operand(decoded: Decoded, field: OperandField) -> str:
    """Tell what an operand is: registers and format, or a constant."""
    operand = decoded.operands[field.field.name]
    words = ROLE_WORDS[field.role]
    role = words[0].upper() + words[1:]
    if operand.is_constant:
        return f"{role}: the constant {operand.text} for every element"
    count = "1 register" if operand.count == 1 else f"{operand.count} registers"
    formats = [_format(decoded, role) for role in _roles(field)]
    told = f" of {' and '.join(dict.fromkeys(text for text in formats if text))}"
    return f"{role}: {operand.text}, {count}{told if any(formats) else ''}"


def _roles(field: OperandField) -> tuple[str, ...]:
    return ("c", "d") if field.role == "cd" else (field.role,)


def _format(decoded: Decoded, role: str) -> str:
    """Name the format of a role, with its signedness if a modifier chooses it."""
    if role not in decoded.instruction.formats:
        return ""
    try:
        name = format_of(decoded.instruction, role, decoded.effects)
    except WavemmaError:
        return "no known format"
    sign = decoded.effects.get(f"signed_{role}")
    return name if sign is None else f"{name} ({'signed' if sign else 'unsigned'})"


def _accumulator(decoded: Decoded, field: Field, value: int) -> str:
    owners = [each for each in decoded.instruction.operands if each.accumulator == field]
    registers = [each for each in owners if decoded.operands[each.field.name].is_register]
    words = " and ".join(ROLE_WORDS[each.role] for each in registers or owners)
    words = words[0].upper() + words[1:]
    verb = "are" if len(registers) > 1 or " and " in words else "is"
    return f"{words} {verb} in {'AGPRs' if value else 'VGPRs'}"


def _modifier(decoded: Decoded, each: Modifier, field: Field) -> str:
    """Tell what the bits of a modifier in one field say; "" if none are there."""
    inside = [bit is not None and field.lo <= bit <= field.hi for bit in each.bits]
    if not any(inside):
        return ""
    value = decoded.modifiers[each.word]
    if each.row.kind != "mask":
        return f"{_part(each, inside)}: {_effect(decoded, each, 0, value)}"
    told = [
        _effect(decoded, each, place, value >> place & 1)
        for place, here in enumerate(inside)
        if here and each.row.effect[place] not in NO_EFFECT
    ]
    return f"{each.word}: {', '.join(told) or 'no effect'}"


def _part(each: Modifier, inside: list[bool]) -> str:
    """Name a modifier, with the numbers of its bits if the others are elsewhere."""
    if all(inside):
        return each.word
    places = [place for place, here in enumerate(inside) if here]
    if len(places) == 1:
        return f"bit {places[0]} of {each.word}"
    return f"bits {places[0]}..{places[-1]} of {each.word}"


def _effect(decoded: Decoded, each: Modifier, place: int, value: int) -> str:
    effect = each.row.effect[place]
    if effect in SWITCHES:
        return SWITCHES[effect][min(value, 1)]
    if effect in TELLERS:
        return TELLERS[effect](decoded, effect, value)
    meaning = each.row.meaning[place] if place < len(each.row.meaning) else ""
    if effect in NO_EFFECT or not meaning:
        return "no effect"
    return f"{value}, {meaning}"


def teller(*effects: str) -> Callable[[Teller], Teller]:
    """Enter a function that tells what effects of several bits mean."""

    def enter(function: Teller) -> Teller:
        TELLERS.update(dict.fromkeys(effects, function))
        return function

    return enter


@teller("format_a", "format_b", "scale_format_a", "scale_format_b")
def _tell_format(decoded: Decoded, effect: str, value: int) -> str:
    role = effect.replace("format_", "")
    words = ROLE_WORDS[role]
    return f"{words} is {_format(decoded, role)}"


@teller("scale_byte_a", "scale_byte_b")
def _tell_scale_byte(decoded: Decoded, effect: str, value: int) -> str:
    """Tell the whole byte number, which two fields hold a bit of each."""
    byte = decoded.effects[effect]
    return f"byte {byte} (bits {8 * byte}..{8 * byte + 7}) of each scale of {effect[-1].upper()}"


@teller("scale_row_a", "scale_row_b")
def _tell_scale_row(decoded: Decoded, effect: str, value: int) -> str:
    scales = f"the scales of {effect[-1].upper()}"
    lanes = decoded.wave // SCALE_ROWS
    if decoded.instruction.is_matrix:
        role: Role = "scale_a" if effect[-1] == "a" else "scale_b"
        lanes = 1 << len(decoded.instruction.layout(role, decoded.wave).lane_bits)
    if lanes == decoded.wave:
        return f"{scales} fill all lanes, 0..{lanes - 1}: no half is chosen"
    return f"{scales} are in lanes {value * lanes}..{value * lanes + lanes - 1}"


@teller("broadcast_size")
def _tell_broadcast_size(decoded: Decoded, effect: str, value: int) -> str:
    if not value:
        return "each block of A is used for itself"
    return f"each {1 << value} blocks of A use one of them"


@teller("broadcast_block")
def _tell_broadcast_block(decoded: Decoded, effect: str, value: int) -> str:
    if not decoded.effects["broadcast_size"]:
        return "no broadcast" if not value else "no such block"
    return f"block {value} of each group of A"


@teller("swizzle_b")
def _tell_swizzle(decoded: Decoded, effect: str, value: int) -> str:
    layout = moved(decoded.instruction.layout("b", decoded.wave), "b", {effect: value})
    if not layout.lane_sources:
        return "each lane reads its own B"
    runs: list[list[int]] = []
    for lane, source in enumerate(layout.lane_sources):
        if runs and source == runs[-1][2] + lane - runs[-1][0]:
            runs[-1][1] = lane
        else:
            runs.append([lane, lane, source])
    told = [f"{lo}..{hi} read {first}..{first + hi - lo}" for lo, hi, first in runs]
    return f"the B of other lanes is read: {', '.join(told)}"


@teller("index_part")
def _tell_index_part(decoded: Decoded, effect: str, value: int) -> str:
    plain = decoded.instruction.layout("index", decoded.wave)
    try:
        layout = moved(plain, "index", {effect: value})
    except OutOfRange:
        return f"set {value} of the index bits, which has no known meaning"
    last = layout.offset_bits + layout.slots * layout.stride_bits - 1
    return f"bits {layout.offset_bits}..{last} of the index are used"
