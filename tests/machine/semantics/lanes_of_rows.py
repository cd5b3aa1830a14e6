"""What one lane of an instruction reads and writes, taken from registers by plain Python."""

from fractions import Fraction

from tests.machine.semantics.exact_floats import BF16, FLOATS, NAN
from tests.machine.semantics.integer_oracle import Given, Result, expected
from tests.machine.semantics.other_lanes_oracle import has_source, source_lane
from tests.machine.semantics.wave_state import State
from wavemma.isa.ordinary import DecodedOrdinary, OrdinaryOperand, Slot
from wavemma.machine.codes import codes_of

WORD = 0xFFFFFFFF
NUMBERS = {240: 0.5, 241: -0.5, 242: 1.0, 243: -1.0, 244: 2.0, 245: -2.0, 246: 4.0, 247: -4.0}
RULES = {"rdna3": "rdna3_step", "rdna3.5": "rdna3_step", "rdna4": "rdna4_step"}
MEASURED = ("rdna4", "cdna5")
"""Where hardware was seen to scale results although subnormals are kept, and to know no subnormals
in some products (of CDNA5: that of its relative); of the others documents say that it does not, and
nothing."""

SMALL_FLOATS = {"cdna3": "fnuz"}
BY_HALF = ("cdna1", "cdna2", "cdna3", "cdna4")
"""Where the text of a register does not say which half of it is written."""
PARTS = [(0, 8), (8, 8), (16, 8), (24, 8), (0, 16), (16, 16), (0, 32)]
"""First bit and width of what selections of SDWA name, by their number."""
APART = ("v_dot2", "v_dual_dot2", "v_pk_fmac", "v_fma_mix", "v_sat_pk", "v_sad")
"""Instructions that take words apart themselves."""


def source_type(decoded: DecodedOrdinary) -> str:
    result, _, source = decoded.instruction.row.type.partition("_")
    return source or result


def result_type(decoded: DecodedOrdinary) -> str:
    return decoded.instruction.row.type.partition("_")[0]


def width_of(decoded: DecodedOrdinary, slot: Slot) -> int:
    """Give the bits of an operand; scalar 16-bit floats stand in the low half."""
    instruction = decoded.instruction
    if instruction.row.name.startswith("v_cvt_scalef32_"):
        return 32 * slot.row.registers
    is_half = slot.row.role in "abck" and source_type(decoded)[-2:] == "16"
    is_half &= not any(each.row.half for each in instruction.slots)
    packs = "_pk" in instruction.row.name and instruction.slots[1].row.half
    if slot.row.role == "d" and packs and slot.row.registers == 1:
        # Results that are two halves; the modifier that would choose one says nothing.
        return 32
    if slot.row.half or (is_half and not instruction.row.name.startswith(APART)):
        return 16
    return 32 * slot.row.registers


def constant(operand: OrdinaryOperand, width: int, kind: str) -> int:
    if operand.kind == "literal":
        return operand.value
    if operand.kind == "inline_integer":
        return operand.first & (1 << width) - 1
    form = FLOATS[width if kind[:1] == "f" else 64 if width == 64 else 32]
    code = form.code(Fraction(NUMBERS[operand.code]))
    assert isinstance(code, int)
    return code >> 16 if kind == "bf16" and width == 16 else code


def held(state: State, operand: OrdinaryOperand, lane: int, width: int) -> int:
    """Read registers, and the half that is meant."""
    if operand.kind in ("vgpr", "agpr"):
        words = state.vectors[operand.first : operand.first + max(width // 32, 1), lane].tolist()
        found = sum(word << 32 * place for place, word in enumerate(words))
    else:
        found = state.pair(operand.code) if width == 64 else int(state.scalars[operand.code])
    half = operand.half if width == 16 and operand.half else 0
    return found >> 16 * half & (1 << width) - 1


def moved(decoded: DecodedOrdinary, slot: Slot, state: State, lane: int, width: int) -> int:
    """Read registers of a source, of another lane if a further word says so; 0 of none."""
    operand = decoded.operands[slot.row.role]
    if slot.row.role != "a":
        return held(state, operand, lane, width)
    if not has_source(decoded, state, lane):
        return 0
    other = source_lane(decoded, lane)
    assert other is not None
    return held(state, operand, other, width)


def source(decoded: DecodedOrdinary, slot: Slot, state: State, lane: int) -> int:
    """Read a source with its sign modifiers."""
    operand, width = decoded.operands[slot.row.role], width_of(decoded, slot)
    if operand.kind in ("inline_integer", "inline_float", "literal"):
        bits = constant(operand, width, source_type(decoded))
    else:
        bits = moved(decoded, slot, state, lane, width)
        if "src0_sel" in decoded.modifiers:
            bits = selected(decoded, slot, state, lane) & (1 << width) - 1
    sign = 1 << width - 1
    bits = bits & ~sign if operand.is_absolute else bits
    return bits ^ sign if operand.is_negated else bits


def selected(decoded: DecodedOrdinary, slot: Slot, state: State, lane: int) -> int:
    """Take the part of a register that SDWA names, with zeros or its sign above."""
    operand = decoded.operands[slot.row.role]
    word = held(state, operand, lane, 32)
    if slot.row.role not in "ab":
        return word
    first, width = PARTS[decoded.modifiers["src0_sel" if slot.row.role == "a" else "src1_sel"]]
    number = word >> first & (1 << width) - 1
    if operand.is_sign_extended:
        number -= number >> width - 1 << width
    return number & WORD


def placed(decoded: DecodedOrdinary, state: State, lane: int, code: Result) -> Result:
    """Put a result where SDWA wants it; what became of a NaN is not told."""
    if isinstance(code, tuple):
        value = placed(decoded, state, lane, code[0])
        assert isinstance(value, int | str)
        return value, code[1]
    old = held(state, decoded.operands["d"], lane, 32)
    if isinstance(code, list):
        code = code[0] | code[1] << 16 if NAN not in code else NAN
    if isinstance(code, str):
        return code
    first, width = PARTS[decoded.modifiers["dst_sel"]]
    number = code & (1 << width) - 1
    rest = ("pad", "sext", "preserve")[decoded.modifiers["dst_unused"]]
    if rest == "preserve":
        return old & ~((1 << width) - 1 << first) & WORD | number << first
    if rest == "sext":
        number -= number >> width - 1 << width
    return number << first & WORD


def given_of(decoded: DecodedOrdinary, state: State, lane: int) -> Given:
    """Give what one lane reads."""
    codes = codes_of(decoded.instruction.architecture)
    found = Given(
        vcc=state.mask(codes.vcc) >> lane & 1,
        clamp=bool(decoded.modifiers.get("clamp")),
        modifiers=decoded.modifiers,
        scales=decoded.instruction.architecture in MEASURED,
        flushes=decoded.instruction.architecture in MEASURED,
        rule=RULES.get(decoded.instruction.architecture, ""),
        small=SMALL_FLOATS.get(decoded.instruction.architecture, "ocp"),
        by_half=decoded.instruction.architecture in BY_HALF,
    )
    apart = decoded.instruction.row.name.startswith(APART)
    for slot in decoded.instruction.slots:
        role = slot.row.role
        if role not in ("a", "b", "c", "d", "k"):
            continue
        if slot.row.lanes:
            found.mask = state.mask(decoded.operands[role].code) >> lane & 1
        elif apart and role != "d" and (role in "ab" or "mix" in decoded.instruction.row.name):
            operand = decoded.operands[role]
            found.signs.append((operand.is_absolute, operand.is_negated))
            setattr(found, role, word(decoded, slot, state, lane))
        else:
            setattr(found, role, source(decoded, slot, state, lane))
    return found


def word(decoded: DecodedOrdinary, slot: Slot, state: State, lane: int) -> int:
    """Read a source of packed halves: constants of floats stand low, others are whole words."""
    operand = decoded.operands[slot.row.role]
    if "src0_sel" in decoded.modifiers and "inline" not in operand.kind:
        return selected(decoded, slot, state, lane)
    if operand.kind in ("inline_integer", "inline_float"):
        kind = source_type(decoded)
        is_half = kind == "f16" and operand.kind == "inline_float"
        if "fma_mix" in decoded.instruction.row.name:
            half = decoded.modifiers["op_sel_hi"] >> "abc".find(slot.row.role) & 1
            is_half, kind = bool(half) and operand.kind == "inline_float", "f16"
        if kind == "bf16" and operand.kind == "inline_float":
            return constant(operand, 32, "f32") >> 16
        return constant(operand, 16 if is_half else 32, kind if is_half else "u32")
    return moved(decoded, slot, state, lane, 32 * max(slot.row.registers, 1))


def packed(decoded: DecodedOrdinary, state: State, lane: int) -> list[int | str]:
    """Give what both halves should be."""
    found = []
    width = int(source_type(decoded)[1:])
    for choose, negate in (("op_sel", "neg_lo"), ("op_sel_hi", "neg_hi")):
        given = Given(clamp=bool(decoded.modifiers.get("clamp")))
        for slot in decoded.instruction.slots:
            place = "abc".find(slot.row.role)
            if place < 0:
                continue
            half = decoded.modifiers[choose] >> place & 1
            bits = word(decoded, slot, state, lane) >> width * half & (1 << width) - 1
            if source_type(decoded)[0] == "f" and decoded.modifiers[negate] >> place & 1:
                bits ^= 1 << width - 1
            setattr(given, slot.row.role, bits)
        one = expected(decoded.instruction.row.name, given)
        assert isinstance(one, int | str)
        found.append(one)
    return found


def wanted(decoded: DecodedOrdinary, state: State, lane: int) -> Result:
    """Give what one lane should get."""
    if decoded.instruction.row.packed:
        return packed(decoded, state, lane)
    found = expected(decoded.instruction.row.name, given_of(decoded, state, lane))
    return placed(decoded, state, lane, found) if "dst_sel" in decoded.modifiers else found


def results(decoded: DecodedOrdinary, state: State, lane: int, shape: Result) -> Result:
    """Read what one lane has got, in the shape of what it should get."""
    if isinstance(shape, tuple):
        mask = decoded.operands["d_mask"].code
        return _value(decoded, state, lane, shape[0]), state.mask(mask) >> lane & 1
    slot = next((each for each in decoded.instruction.slots if each.row.role == "d"), None)
    if slot is None or slot.row.lanes:
        code = codes_of(decoded.instruction.architecture).exec
        code = decoded.operands["d"].code if slot else code
        return state.mask(code) >> lane & 1
    if isinstance(shape, list):
        width = 16 * decoded.operands["d"].count
        whole = held(state, decoded.operands["d"], lane, 2 * width)
        parts = (whole & (1 << width) - 1, whole >> width)
        halves = [_named(x, result_type(decoded)) for x in parts]
        return ["kept" if w == "kept" else x for x, w in zip(halves, shape, strict=True)]
    return _value(decoded, state, lane, shape)


def _value(decoded: DecodedOrdinary, state: State, lane: int, shape: int | str) -> int | str:
    slot = next(each for each in decoded.instruction.slots if each.row.role == "d")
    if "dst_sel" in decoded.modifiers:
        # Where a NaN is expected, its parts are not compared.
        return shape if isinstance(shape, str) else held(state, decoded.operands["d"], lane, 32)
    width = width_of(decoded, slot)
    name, code = decoded.instruction.row.name, held(state, decoded.operands["d"], lane, width)
    if ("p8" in name or "bf8" in name) and name.startswith("v_cvt_"):
        return _small(name, code)
    # Where a dot product follows a rule of the matrix instructions, that tells its NaN too.
    has_rule = "dot" in name and decoded.instruction.architecture in RULES
    return _named(code, "" if has_rule else result_type(decoded))


def _small(name: str, code: int) -> int | str:
    """Call every NaN the same in what conversions of 8-bit floats give: one, or a pair."""
    if name.startswith("v_cvt_f32"):
        return _named(code, "f32")
    if name.startswith("v_cvt_pk_f32"):
        words = [_named(x, "f32") for x in (code & WORD, code >> 32)]
        low, high = (x if isinstance(x, int) else 0x7FC00000 for x in words)
        return high << 32 | low
    return code


def _named(code: int, kind: str) -> int | str:
    """Call every NaN of a float the same."""
    if kind[:1] != "f" and kind != "bf16":
        return code
    form = BF16 if kind == "bf16" else FLOATS[int(kind[1:])]
    return NAN if code & form.sign - 1 > form.infinity else code
