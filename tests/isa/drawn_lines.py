"""Random legal lines of assembly, as a disassembler prints them."""

import random

from wavemma.isa.instruction import Instruction
from wavemma.isa.modifier import Modifier, bits_text
from wavemma.isa.operand import OperandField
from wavemma.tables.instructions import SourceCodeRow, architecture_rows
from wavemma.tables.targets import Wave


def draw_line(instruction: Instruction, wave: Wave, rng: random.Random) -> str:
    """Draw one legal line: every kind of operand and every modifier comes up."""
    values = draw_modifiers(instruction, wave, rng)
    operands = draw_operands(instruction, wave, values, rng)
    words = [
        print_modifier(each, values[each.word])
        for each in instruction.modifiers(wave)
        if each.row.always or values[each.word] != default(each)
    ]
    return " ".join([instruction.name, ", ".join(operands), *words])


def default(each: Modifier) -> int:
    return sum(bit << n for n, bit in enumerate(each.row.default))


def print_modifier(each: Modifier, value: int) -> str:
    if each.row.kind == "flag":
        return each.word
    if each.row.kind == "mask":
        return f"{each.word}:{bits_text(value, len(each.bits))}"
    names = each.row.assembler_names
    return f"{each.word}:{names[value] if value < len(names) else value}"


def draw_modifiers(instruction: Instruction, wave: Wave, rng: random.Random) -> dict[str, int]:
    values: dict[str, int] = {}
    for each in instruction.modifiers(wave):
        if rng.random() < 0.4 and not each.row.word.endswith("_fmt"):
            values[each.word] = default(each)
        elif each.row.kind == "mask":
            # An unused mask stays at its default.
            allowed = sum(bit << n for n, bit in enumerate(each.row.allowed))
            values[each.word] = rng.getrandbits(8) & allowed if allowed else default(each)
        elif each.row.kind == "flag":
            values[each.word] = rng.randrange(2)
        elif each.row.below_broadcast:
            values[each.word] = rng.randrange(1 << values["cbsz"])
        else:
            values[each.word] = rng.choice(each.row.legal)
    _fit_scales(instruction, values, rng)
    return values


def _fit_scales(instruction: Instruction, values: dict[str, int], rng: random.Random) -> None:
    """Keep to the rule of spec/instructions.json, scale.legal_format_pairs, by code numbers."""
    if instruction.is_matrix and instruction.matrix.scale_pairs == "e8m0_unless_fp4":
        fp4 = [values[f"matrix_{side}_fmt"] == 4 for side in "ab"]
        if all(fp4):
            values["matrix_b_scale_fmt"] = values["matrix_a_scale_fmt"]
        for side, free in zip("ab", fp4, strict=True):
            if not free:
                values[f"matrix_{side}_scale_fmt"] = 0


def count_of(
    instruction: Instruction, field: OperandField, wave: Wave, values: dict[str, int]
) -> int:
    role = "c" if field.role == "cd" else field.role
    formats = instruction.formats.get(role, ())
    chosen = None
    if len(formats) > 1 and role in ("a", "b"):
        words = {"a": ("cbsz", "matrix_a_fmt"), "b": ("blgp", "matrix_b_fmt")}[role]
        chosen = formats[next(values[word] for word in words if word in values)]
    return instruction.registers(role, wave, chosen)


def draw_operands(
    instruction: Instruction, wave: Wave, values: dict[str, int], rng: random.Random
) -> list[str]:
    files: dict[str, str] = {}
    texts: dict[str, str] = {}
    firsts: dict[str, int] = {}
    scalars: list[str] = []
    for field in instruction.operands:
        count = count_of(instruction, field, wave, values)
        kind = rng.choice(field.kinds)
        if field.accumulator is not None and kind in ("vgpr", "agpr"):
            kind = files.setdefault(field.accumulator.name, kind)
        if kind in ("vgpr", "agpr"):
            first = _draw_first(instruction, field.role, count, firsts, rng)
            firsts[field.role] = first
            texts[field.role] = _range("v" if kind == "vgpr" else "a", first, count)
            continue
        text = _draw_other(instruction, field, kind, count, wave, rng)
        if kind != "inline_constant":
            limit = getattr(instruction.row, "scalar_sources", 0)
            text = scalars[0] if limit and scalars else text
            scalars.append(text)
        texts[field.role] = text
    return [texts[field.role] for field in instruction.operands]


def _draw_first(
    instruction: Instruction, role: str, count: int, firsts: dict[str, int], rng: random.Random
) -> int:
    table = architecture_rows(instruction.architecture).source_codes
    size = max(row.registers or row.count for row in table if row.kind == "vgpr")
    step = instruction.alignment if count > 1 else 1
    last = min(255, size - count)
    while True:
        near = firsts.get("d", 0) + rng.randrange(-count, count + 1)
        first = near if rng.random() < 0.3 else rng.choice([0, last, rng.randrange(last + 1)])
        first = max(0, min(first, last)) // step * step
        free = not instruction.is_matrix or instruction.matrix.partial_overlap
        if role != "c" or free or first == firsts["d"] or abs(first - firsts["d"]) >= count:
            return first


def _draw_other(
    instruction: Instruction,
    field: OperandField,
    kind: str,
    count: int,
    wave: int,
    rng: random.Random,
) -> str:
    rows = architecture_rows(instruction.architecture).source_codes
    if kind == "inline_constant":
        if rng.random() < 0.5:
            return str(rng.randrange(-16, 65))
        floats = [row for row in rows if row.kind == "inline_float"]
        row = rng.choice([row for row in floats if field.has_inv_2pi or not row.inv_2pi])
        here = field.inv_2pi_wave in (0, wave)
        return (field.inv_2pi_text if row.inv_2pi and here else "") or row.text
    row = rng.choice(
        [row for row in rows if row.kind == kind and (count == 1 or row.pair or row.count)]
    )
    if not row.count:
        return row.text if count == 1 else row.pair
    return _scalar(row, count, rng)


def _scalar(row: SourceCodeRow, count: int, rng: random.Random) -> str:
    first = rng.randrange(row.count - count + 1) // count * count
    return _range(row.text, first, count)


def _range(file: str, first: int, count: int) -> str:
    return f"{file}{first}" if count == 1 else f"{file}[{first}:{first + count - 1}]"
