"""What an instruction must not be: every rule that assembling refuses and decoding reports."""

from collections.abc import Callable, Iterator

from wavemma.errors import EncodingMistake
from wavemma.isa.decoded import Decoded, format_of
from wavemma.isa.modifier import Modifier, bits_text
from wavemma.isa.operand import KIND_OF, Operand, OperandField
from wavemma.isa.source import KIND_WORDS, sources, text_of
from wavemma.tables.instructions import InstructionRow, OperandKind, ScaleLoadRow

ROLE_WORDS = {
    "a": "A",
    "b": "B",
    "c": "C",
    "d": "D",
    "cd": "C and D",
    "index": "the index",
    "scale_a": "the scale of A",
    "scale_b": "the scale of B",
}
SCALAR_KINDS = ("sgpr", "special_sgpr")
Rule = Callable[[Decoded], Iterator[str]]
RULES: list[Rule] = []


def rule(function: Rule) -> Rule:
    """Enter a rule; they are told in the order in which they stand in this file."""
    RULES.append(function)
    return function


def faults(decoded: Decoded) -> tuple[str, ...]:
    """Tell every reason why an instruction is not legal; nothing if it is."""
    return tuple(fault for each in RULES for fault in each(decoded))


def needed(decoded: Decoded, field: OperandField) -> int:
    """Count the registers that an operand must have."""
    instruction, wave = decoded.instruction, decoded.wave
    if field.role == "cd":
        return max(instruction.registers("c", wave), instruction.registers("d", wave))
    formats = instruction.formats.get(field.role, ())
    chosen = None
    if len(formats) > 1 and field.role in ("a", "b"):
        code = decoded.effects.get(f"format_{field.role}", 0)
        chosen = formats[code] if code < len(formats) else None
    return instruction.registers(field.role, wave, chosen)


@rule
def modifiers_have_legal_values(decoded: Decoded) -> Iterator[str]:
    """Each modifier has one of the values that mean something."""
    for each in decoded.instruction.modifiers(decoded.wave):
        fault = _VALUE_RULES[each.row.kind](each, decoded)
        if fault:
            yield f"{each.word} {fault}."


def _mask_fault(each: Modifier, decoded: Decoded) -> str:
    value = decoded.modifiers[each.word]
    wrong = value & ~each.allowed
    if not wrong or (each.row.default and value == each.default):
        return ""
    if not each.allowed:
        return (
            f"must stay {bits_text(each.default, each.width_bits)};"
            f" it is {bits_text(value, each.width_bits)}"
        )
    allowed = bits_text(each.allowed, each.width_bits)
    return f"may only have bits of {allowed}; it is {bits_text(value, each.width_bits)}"


def _int_fault(each: Modifier, decoded: Decoded) -> str:
    value = decoded.modifiers[each.word]
    if not each.row.below_broadcast:
        if value in each.row.legal:
            return ""
        return f"must be {_span(each.row.legal)}; it is {value}"
    groups = 1 << decoded.effects["broadcast_size"]
    if value < groups:
        return ""
    return f"must be below 2^cbsz, {_span(range(groups))} here; it is {value}"


def _flag_fault(each: Modifier, decoded: Decoded) -> str:
    return ""


_VALUE_RULES: dict[str, Callable[[Modifier, Decoded], str]] = {
    "mask": _mask_fault,
    "int": _int_fault,
    "flag": _flag_fault,
}


@rule
def operands_are_of_a_kind(decoded: Decoded) -> Iterator[str]:
    """Each operand is of a kind that its field may name."""
    for field, operand in _pairs(decoded):
        kind = KIND_OF[operand.kind]
        if kind not in field.kinds:
            yield (
                f"{_role(field)} must be {_kinds(field.kinds)}; {operand.text} is"
                f" {KIND_WORDS[kind]}."
            )
        elif operand.kind == "inline_float" and not field.has_inv_2pi:
            table = sources(decoded.instruction.architecture)
            if any(row.inv_2pi and row.code == operand.code for row in table.floats):
                yield f"{_role(field)} must not be 1/(2*pi) here; {operand.text} was given."


@rule
def ranges_have_a_length(decoded: Decoded) -> Iterator[str]:
    """Each range is as long as the operand's registers."""
    table = sources(decoded.instruction.architecture)
    for field, operand in _pairs(decoded):
        if operand.is_constant:
            continue
        count = needed(decoded, field)
        row = table.by_code[operand.code][0]
        if not row.count and operand.text != text_of(row, operand.code, count):
            yield f"{_role(field)} must have {32 * count} bits; {operand.text} has not."
        elif row.count and operand.count != count:
            yield (
                f"{_role(field)} must be {_registers(count)}; {operand.text} is"
                f" {_registers(operand.count)}."
            )


@rule
def ranges_end_in_their_file(decoded: Decoded) -> Iterator[str]:
    """No range runs past the last register."""
    table = sources(decoded.instruction.architecture)
    for field, operand in _pairs(decoded):
        row = next(row for row in table.by_code[operand.code] if row.kind == operand.kind)
        size = row.registers or row.count
        if row.count and not operand.is_constant and operand.first + operand.count > size:
            yield (
                f"{_role(field)} must end at {row.text}{size - 1} at most; {operand.text} was"
                f" given."
            )


@rule
def ranges_are_aligned(decoded: Decoded) -> Iterator[str]:
    """Ranges of several registers start at a multiple of the alignment."""
    step = decoded.instruction.alignment
    for field, operand in _pairs(decoded):
        if operand.count > 1 and not operand.is_constant and operand.first % step:
            yield (f"{_role(field)} must start at a multiple of {step}; {operand.text} was given.")


@rule
def accumulators_share_a_file(decoded: Decoded) -> Iterator[str]:
    """Operands with one accumulator bit are all VGPRs or all AGPRs."""
    seen: dict[str, tuple[OperandField, Operand]] = {}
    for field, operand in _pairs(decoded):
        if field.accumulator is None or not operand.is_register:
            continue
        other_field, other = seen.setdefault(field.accumulator.name, (field, operand))
        if other.kind != operand.kind:
            yield (
                f"{_role(other_field)} and {_role(field)} must both be VGPRs or both AGPRs;"
                f" {other.text} and {operand.text} were given."
            )


@rule
def results_do_not_overlap(decoded: Decoded) -> Iterator[str]:
    """C is D, or has no register of D, where the hardware writes D before C is read."""
    row = decoded.instruction.row
    if not isinstance(row, InstructionRow) or row.partial_overlap:
        return
    c, d = decoded.operand("c"), decoded.operand("d")
    if c.kind == d.kind and c.first != d.first and abs(c.first - d.first) < d.count:
        yield f"C must be D or have none of its registers; {c.text} and {d.text} were given."


@rule
def scalars_are_few(decoded: Decoded) -> Iterator[str]:
    """No more different scalar registers are read than the hardware can fetch."""
    row = decoded.instruction.row
    limit = row.scalar_sources if isinstance(row, ScaleLoadRow) else 0
    scalars = {each.text for each in decoded.operands.values() if each.kind in SCALAR_KINDS}
    if limit and len(scalars) > limit:
        yield (
            f"At most {limit} different scalar register may be read;"
            f" {' and '.join(sorted(scalars))} were given."
        )


@rule
def scale_formats_fit(decoded: Decoded) -> Iterator[str]:
    """The formats of the two scales go with those of A and B."""
    row = decoded.instruction.row
    if not isinstance(row, InstructionRow) or not row.scale_free:
        return
    try:
        formats = {role: format_of(decoded.instruction, role, decoded.effects) for role in PAIRED}
    except EncodingMistake:
        return
    bound = row.scale_formats[0]
    free = [name for name in ("a", "b") if formats[name] == row.scale_free]
    for name in ("a", "b"):
        if name not in free and formats[f"scale_{name}"] != bound:
            yield (
                f"The scale format of {name.upper()} must be {bound} unless {name.upper()} is"
                f" {row.scale_free}; it is {formats[f'scale_{name}']}."
            )
    if len(free) == 2 and formats["scale_a"] != formats["scale_b"]:
        yield (
            f"The scale formats must be the same where A and B are {row.scale_free}; they are"
            f" {formats['scale_a']} and {formats['scale_b']}."
        )


PAIRED = ("a", "b", "scale_a", "scale_b")


def _pairs(decoded: Decoded) -> Iterator[tuple[OperandField, Operand]]:
    for field in decoded.instruction.operands:
        yield field, decoded.operands[field.field.name]


def _role(field: OperandField) -> str:
    words = ROLE_WORDS[field.role]
    return words[0].upper() + words[1:]


def _kinds(kinds: tuple[OperandKind, ...]) -> str:
    return " or ".join(KIND_WORDS[kind] for kind in kinds)


def _registers(count: int) -> str:
    return "one register" if count == 1 else f"{count} registers"


def _span(values: range | tuple[int, ...]) -> str:
    low, high = values[0], values[-1]
    return str(low) if low == high else f"{low}..{high}"
