"""What do targets compute from these numbers, bit for bit?"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from wavemma.errors import OutOfRange, SyntaxMistake
from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.citation import cited, distinct
from wavemma.explain.codes import Code, described
from wavemma.explain.dot_rows import Question, Runner, TargetResult, rows_of
from wavemma.explain.dot_uses import Use, inputs_meant, uses_by_target
from wavemma.explain.exact_sum import exact_sum, exact_text, float64_sum
from wavemma.explain.number_input import (
    Given,
    InputNumber,
    Side,
    code_of,
    codes_of,
    read_number,
    read_numbers,
    sides,
)
from wavemma.formats import number_format
from wavemma.numerics.model import model
from wavemma.numerics.path import Setting
from wavemma.tables.targets import Wave

MOST_TIMES = 1 << 16
CHAIN = "fma_chain"
ROUNDED = "Rounded before the sum"
PLACE_NOTE = (
    "The numbers stand at k = 0, 1, 2 ... as AMD's matrix calculator numbers k; the rest of the"
    " last instruction's k is filled with +0."
)
FLOAT_CLAMP_NOTE = "Clamp saturates sums of integers; those of floats are the same without it."
CLAMP_NOTE = "These have no clamp, so their sums wrap: {}."
NAN_NOTE = "Which bits a NaN has is known on few targets; compare NaN as a class."
OPEN_NOTE = (
    "Where the grade is not H the rule is not proved on silicon; the models that hardware may"
    " follow instead were run too."
)


class InputReading(msgspec.Struct, frozen=True, kw_only=True):
    """The inputs in the formats of some targets, and their sum without a matrix instruction.

    Attributes:
        a_format: Format of A.
        b_format: Format of B.
        c_format: Format of C and D.
        signed: Whether integers of A and of B are signed.
        a: A in ascending k.
        b: B in ascending k.
        c: Where the sum begins.
        exact: The sum without rounding: a whole number, what float64 reads as it, or n/2^k.
        float64: The sum in float64, one product after the other.
        chain: The sum as a chain of f32 (for f64 inputs: f64) fused multiply-adds; None for
            integers.

    """

    a_format: str
    b_format: str
    c_format: str
    signed: tuple[bool, bool]
    a: tuple[InputNumber, ...]
    b: tuple[InputNumber, ...]
    c: InputNumber
    exact: str
    float64: str
    chain: Code | None


class DotProducts(Answer, frozen=True, kw_only=True, tag=True):
    """One sum of products on targets, side by side.

    Attributes:
        format: The format that was asked for.
        times: How often the instructions are run along k, each time on the same A and B.
        clamp: Whether integer sums saturate.
        readings: The inputs, once for each choice of formats.
        rows: What each target gives.

    """

    format: str
    times: int
    clamp: bool
    readings: tuple[InputReading, ...]
    rows: tuple[TargetResult, ...]


class _Inputs(NamedTuple):
    """What was asked."""

    pair: tuple[Side, Side]
    a: Sequence[Given]
    b: Sequence[Given]
    c: Given
    times: int
    clamp: bool


def dot_products(
    format: str,
    a: Sequence[Given],
    b: Sequence[Given],
    c: Given = 0,
    *,
    target_names: Sequence[str] = (),
    op: str | None = None,
    wave: Wave | None = None,
    times: int = 1,
    clamp: bool = False,
) -> DotProducts:
    """Compute one element of D = A*B + C on targets, bit for bit.

    Args:
        format: Format of A and B, such as "f16", "fp8" (what each target means by it), "i8",
            "u8", or two such as "fp8,bf8".
        a: Numbers, or text with numbers or bits, such as "0x3c00", in ascending k.
        b: As many.
        c: Where the sum begins.
        target_names: Targets; all that have a dense instruction for the format if empty.
        op: Only this instruction; else those with the widest accumulator.
        wave: Lanes of a wave; each target's default if None.
        times: How often the instructions are run along k.
        clamp: Whether integer sums saturate.

    Raises:
        SyntaxMistake: A text is no number, or A and B are not equally many.
        OutOfRange: Bits that a format does not have, or too many products.
        UnknownFormat: No such format.
        ArrayMistake: No target, or a named one not, has an instruction for the format.
        UnknownTarget: No such target.
        UnknownInstruction: No target has the instruction.

    """
    format, op = inputs_meant(format, op)
    pair = sides(format)
    _check(a, b, times)
    found = uses_by_target(pair, target_names, op, wave)
    sums_are_whole = any(not number_format(uses[0].d).is_float for uses in found.values())
    asked = _Inputs(pair, a, b, c, times, clamp and sums_are_whole)
    readings: dict[tuple[str, str, str], tuple[InputReading, Question]] = {}
    rows: list[TargetResult] = []
    for uses in found.values():
        key = (uses[0].a, uses[0].b, uses[0].d)
        if key not in readings:
            readings[key] = _read(uses[0], asked)
        rows += rows_of(uses, readings[key][1])
    return DotProducts(
        format=format.lower(),
        times=times,
        clamp=asked.clamp,
        readings=tuple(reading for reading, _ in readings.values()),
        rows=tuple(rows),
        evidence=_evidence(rows),
        notes=(
            *_notes([reading for reading, _ in readings.values()], rows),
            *([FLOAT_CLAMP_NOTE] if clamp and not sums_are_whole else []),
            *_clamp_notes(found, clamp=asked.clamp),
        ),
    )


def _check(a: Sequence[Given], b: Sequence[Given], times: int) -> None:
    if len(a) != len(b) or not len(a):
        raise SyntaxMistake(
            f"A and B must have as many numbers as each other, one at least; given {len(a)} and"
            f" {len(b)}.",
            subject=len(b),
        )
    if not 1 <= times <= MOST_TIMES:
        raise OutOfRange(
            f"The instructions must be run 1 to {MOST_TIMES} times; {times} was given.",
            subject=times,
        )


def _read(use: Use, asked: _Inputs) -> tuple[InputReading, Question]:
    """Read the inputs in the formats of a target and sum them without its instruction."""
    signs = (asked.pair[0].signed, asked.pair[1].signed)
    forms = {"a": number_format(use.a), "b": number_format(use.b), "c": number_format(use.d)}
    a = read_numbers(asked.a, forms["a"], signed=signs[0])
    b = read_numbers(asked.b, forms["b"], signed=signs[1])
    c = read_number(asked.c, forms["c"])
    numbers = [_value(each) for each in a], [_value(each) for each in b], _value(c)
    exact = exact_sum(*numbers, asked.times)
    reading = InputReading(
        a_format=use.a,
        b_format=use.b,
        c_format=use.d,
        signed=signs,
        a=a,
        b=b,
        c=c,
        exact=exact_text(exact),
        float64=exact_text(float64_sum(*numbers, asked.times)),
        chain=_chain(use, a, b, c, asked.times) if forms["a"].is_float else None,
    )
    runner = Runner(codes_of(a), codes_of(b), code_of(c), asked.times)
    return reading, Question(asked.pair, runner, exact, asked.clamp)


def _value(number: InputNumber) -> float:
    """Give a number; NaN and infinities as such."""
    return float(number.code.text)


def _chain(
    use: Use, a: Sequence[InputNumber], b: Sequence[InputNumber], c: InputNumber, times: int
) -> Code:
    """Sum as a chain in f32, or in D's format where that is wider."""
    wide = number_format("f32")
    if number_format(use.d).bits > wide.bits:
        wide = number_format(use.d)
    left, right, start = (
        codes_of(read_numbers([each.code.text for each in numbers], wide))
        for numbers in (a, b, (c,))
    )
    setting = Setting(wide, wide, wide, wide, depth=len(a))
    made = Runner(left, right, start[0], times).run(model(CHAIN), setting)
    return described(wide, made)


def _evidence(rows: Sequence[TargetResult]) -> tuple[Evidence, ...]:
    return distinct(cited(f"{row.model} ({row.target})", row.source, row.grade) for row in rows)


def _notes(readings: Sequence[InputReading], rows: Sequence[TargetResult]) -> tuple[str, ...]:
    notes = [*_rounded_notes(readings), PLACE_NOTE]
    if any(row.others for row in rows):
        notes.append(OPEN_NOTE)
    if any(row.result.kind == "NaN" for row in rows):
        notes.append(NAN_NOTE)
    return tuple(notes)


def _rounded_notes(readings: Sequence[InputReading]) -> Iterator[str]:
    """Say which numbers their formats do not hold, those first that are lost."""
    heads = {"infinity": "Too large, so taken as infinite", "zero": "Too small, so taken as zero"}
    lines: dict[str, set[str]] = {head: set() for head in (*heads.values(), ROUNDED)}
    for reading in readings:
        for name, numbers in _by_format(reading):
            for each in numbers:
                if not each.is_exact and each.asked != each.code.text:
                    line = f"{each.asked} is {each.code.text} in {name}"
                    lines[heads.get(each.code.kind, ROUNDED)].add(line)
    for head, found in lines.items():
        if found:
            yield f"{head}: {'; '.join(sorted(found))}."


def _clamp_notes(found: dict[str, tuple[Use, ...]], *, clamp: bool) -> tuple[str, ...]:
    """Say where a clamp was asked for that the instruction does not have."""
    names = [name for name, uses in found.items() if not uses[0].saturates]
    return (CLAMP_NOTE.format(", ".join(names)),) if clamp and names else ()


def _by_format(reading: InputReading) -> tuple[tuple[str, tuple[InputNumber, ...]], ...]:
    return (
        (reading.a_format, reading.a),
        (reading.b_format, reading.b),
        (reading.c_format, (reading.c,)),
    )
