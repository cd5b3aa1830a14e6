"""Lines that are wrong in one way each, made from legal ones, by the reason."""

import random
import re
from collections.abc import Callable, Iterator

from tests.isa.drawn_lines import count_of, default, draw_modifiers, draw_operands, print_modifier
from wavemma.isa.instruction import Instruction
from wavemma.isa.modifier import bits_text
from wavemma.tables.instructions import modifier_words
from wavemma.tables.targets import Wave

Texts = list[str]


class Wrong:
    """One legal line taken apart, so that a part can be made wrong."""

    def __init__(self, instruction: Instruction, wave: Wave, rng: random.Random) -> None:
        self.instruction, self.wave, self.rng = instruction, wave, rng
        self.values = draw_modifiers(instruction, wave, rng)
        self.operands = draw_operands(instruction, wave, self.values, rng)
        self.modifiers = instruction.modifiers(wave)

    def line(self, operands: Texts | None = None, words: Texts | None = None) -> str:
        words = self.words() if words is None else words
        parts = [self.instruction.name, ", ".join(operands or self.operands), *words]
        return " ".join(parts)

    def words(self, **changed: int) -> Texts:
        values = self.values | changed
        return [
            print_modifier(each, values[each.word])
            for each in self.modifiers
            if each.word in changed or values[each.word] != default(each)
        ]

    def with_operand(self, place: int, text: str) -> str:
        return self.line([*self.operands[:place], text, *self.operands[place + 1 :]])

    def ranges(self) -> Iterator[tuple[int, str, int, int]]:
        """Give place, file, first and count of each vector register operand."""
        for place, text in enumerate(self.operands):
            match = re.fullmatch(r"([va])(?:(\d+)|\[(\d+):(\d+)\])", text)
            if match:
                first = int(match[2] or match[3])
                yield place, match[1], first, int(match[4] or first) - first + 1


def span(file: str, first: int, count: int) -> str:
    return f"{file}{first}" if count == 1 else f"{file}[{first}:{first + count - 1}]"


Maker = Callable[[Wrong], Iterator[str]]
REASONS: dict[str, Maker] = {}


def reason(maker: Maker) -> Maker:
    REASONS[maker.__name__] = maker
    return maker


@reason
def past_the_end(wrong: Wrong) -> Iterator[str]:
    wide = wrong.instruction.architecture == "cdna5"
    for place, file, _, count in wrong.ranges():
        # By one register, or by as few as the alignment leaves.
        step = wrong.instruction.alignment if count > 1 else 1
        first = 256 if wide else -(-(257 - count) // step) * step
        yield wrong.with_operand(place, span(file, first, count))


@reason
def wrong_length(wrong: Wrong) -> Iterator[str]:
    for place, file, first, count in wrong.ranges():
        for other in {count - 1, count + 1, 2 * count} - {0}:
            start = min(first, 256 - other) // 2 * 2
            yield wrong.with_operand(place, span(file, start, other))


@reason
def misaligned(wrong: Wrong) -> Iterator[str]:
    for place, file, first, count in wrong.ranges():
        if count > 1 and wrong.instruction.alignment > 1 and first + count < 256:
            yield wrong.with_operand(place, span(file, first + 1, count))


@reason
def wrong_file(wrong: Wrong) -> Iterator[str]:
    for place, file, first, count in wrong.ranges():
        other = {"v": "a", "a": "v"}[file]
        kinds = wrong.instruction.operands[place].kinds
        if {"a": "agpr", "v": "vgpr"}[other] not in kinds:
            yield wrong.with_operand(place, span(other, first, count))


@reason
def mixed_files(wrong: Wrong) -> Iterator[str]:
    fields = wrong.instruction.operands
    shared = [place for place, field in enumerate(fields) if _shares(field, fields)]
    for place, file, first, count in wrong.ranges():
        texts = [wrong.operands[other][0] for other in shared]
        if place in shared and len(shared) == 2 and set(texts) <= {"v", "a"}:
            yield wrong.with_operand(place, span({"v": "a", "a": "v"}[file], first, count))


def _shares(field, fields) -> bool:
    same = [other for other in fields if other.accumulator == field.accumulator]
    return field.accumulator is not None and len(same) == 2


@reason
def partial_overlap(wrong: Wrong) -> Iterator[str]:
    instruction = wrong.instruction
    if instruction.is_matrix and not instruction.matrix.partial_overlap:
        _, file, first, count = next(wrong.ranges())
        step = instruction.alignment
        start = first + step if first + step + count <= 256 else first - step
        yield wrong.with_operand(3, span(file, start, count))


@reason
def literal(wrong: Wrong) -> Iterator[str]:
    for place, field in enumerate(wrong.instruction.operands):
        if "inline_constant" in field.kinds:
            for text in ("65", "-17", "0x12345", "3.5"):
                yield wrong.with_operand(place, text)


@reason
def constant_not_allowed(wrong: Wrong) -> Iterator[str]:
    for place, field in enumerate(wrong.instruction.operands):
        if "inline_constant" not in field.kinds:
            yield wrong.with_operand(place, "1.0")
            yield wrong.with_operand(place, "0")


@reason
def inv_2pi_not_allowed(wrong: Wrong) -> Iterator[str]:
    for place, field in enumerate(wrong.instruction.operands):
        if "inline_constant" in field.kinds and not field.has_inv_2pi:
            yield wrong.with_operand(place, "0.15915494")


@reason
def scalar_not_allowed(wrong: Wrong) -> Iterator[str]:
    for place, field in enumerate(wrong.instruction.operands):
        count = count_of(wrong.instruction, field, wrong.wave, wrong.values)
        if "sgpr" not in field.kinds and count < 8 and count != 6:
            yield wrong.with_operand(place, span("s", 4, count))


@reason
def source_condition(wrong: Wrong) -> Iterator[str]:
    for place, field in enumerate(wrong.instruction.operands):
        if field.role == "c":
            yield wrong.with_operand(place, "src_scc")


@reason
def too_many_scalars(wrong: Wrong) -> Iterator[str]:
    if getattr(wrong.instruction.row, "scalar_sources", 0) == 1:
        yield wrong.line(["s1", "s2"])
        yield wrong.line(["vcc_lo", "s2"])


@reason
def count_of_operands(wrong: Wrong) -> Iterator[str]:
    yield wrong.line(wrong.operands[:-1])
    yield wrong.line([*wrong.operands, "v0"])


@reason
def modifier_not_taken(wrong: Wrong) -> Iterator[str]:
    taken = {each.word for each in wrong.modifiers}
    texts = {
        "clamp": "clamp",
        "matrix_a_reuse": "matrix_a_reuse",
        "matrix_b_reuse": "matrix_b_reuse",
    }
    masks = ("op_sel", "op_sel_hi", "neg_lo", "neg_hi", "neg")
    for word in (*modifier_words(), "mul"):
        if word not in taken:
            value = "[1,0,0]" if word in masks else "1"
            yield wrong.line(words=[texts.get(word, f"{word}:{value}")])


@reason
def value_too_wide(wrong: Wrong) -> Iterator[str]:
    for each in wrong.modifiers:
        if each.row.kind == "int":
            yield wrong.line(words=[f"{each.word}:{1 << each.width_bits}"])
            yield wrong.line(words=[f"{each.word}:-1"])
        if each.row.kind == "mask":
            yield wrong.line(words=[f"{each.word}:[2,0,0]"])
            yield wrong.line(words=[f"{each.word}:1"])


@reason
def value_not_legal(wrong: Wrong) -> Iterator[str]:
    for each in wrong.modifiers:
        if each.row.kind == "int" and each.row.legal:
            for value in set(range(1 << each.width_bits)) - set(each.row.legal):
                yield wrong.line(words=wrong.words(**{each.word: value}))
        if each.row.below_broadcast and 1 << wrong.values["cbsz"] < 16:
            yield wrong.line(words=wrong.words(abid=1 << wrong.values["cbsz"]))


@reason
def bits_not_allowed(wrong: Wrong) -> Iterator[str]:
    for each in wrong.modifiers:
        allowed = each.row.allowed
        for place, may in enumerate(allowed):
            value = default(each) ^ 1 << place
            if each.row.kind == "mask" and not may:
                words = [f"{each.word}:{bits_text(value, len(allowed))}"]
                yield wrong.line(words=words)


@reason
def wrong_order(wrong: Wrong) -> Iterator[str]:
    words = wrong.words()
    if len(words) > 1:
        yield wrong.line(words=words[::-1])
    if words:
        yield wrong.line(words=[words[0], words[0]])


@reason
def scale_formats_not_paired(wrong: Wrong) -> Iterator[str]:
    instruction = wrong.instruction
    if instruction.is_matrix and instruction.matrix.scale_pairs == "e8m0_unless_fp4":
        both = wrong.values["matrix_a_fmt"] == 4 == wrong.values["matrix_b_fmt"]
        for side in "ab":
            if both:
                other = (wrong.values["matrix_a_scale_fmt"] + 1) % 3
                yield wrong.line(words=wrong.words(matrix_b_scale_fmt=other))
            elif wrong.values[f"matrix_{side}_fmt"] != 4:
                yield wrong.line(words=wrong.words(**{f"matrix_{side}_scale_fmt": 1}))
