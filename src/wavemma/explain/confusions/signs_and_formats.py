"""Faults of numbers: their signs, their formats, and subnormals."""

from collections.abc import Callable, Iterator
from itertools import product as pairs
from typing import Any

import ml_dtypes
import numpy as np

from wavemma.explain.suspect import (
    Fault,
    Suspect,
    base_product,
    multiplied,
    needed,
)
from wavemma.explain.tile_sample import Floats, Sample
from wavemma.formats import Format, number_format, number_formats
from wavemma.formats.decode import decode
from wavemma.formats.dtypes import code_dtype

Change = Callable[[Sample], Floats]
_SIDES = ("a", "b")
_INTEGERS = {"int8": "uint8", "uint8": "int8", "int4": "uint4", "uint4": "int4"}


def signs(sample: Sample) -> Iterator[Suspect]:
    """Suspect a wrong sign: of the product, or of integers that the instruction reads."""
    negated = Fault(
        "sign",
        "factor -1: the products are subtracted, as A or B is negated",
        "Clear the modifiers that negate A or B, or the minus in the loop.",
    )
    strips = sample.strips
    if strips is None:
        yield Suspect(negated, "product", lambda each: -base_product(each))
        return
    # As a fault of one factor it goes together with those of the other and of steps.
    yield Suspect(negated, "b", lambda each: -needed(each).b * needed(each).scale_b)
    yield from _without_signs()
    for wrong in (("a",), ("b",), ("a", "b")):
        kinds = {side: str(getattr(strips, side).dtype) for side in wrong}
        if not all(kind in _INTEGERS for kind in kinds.values()):
            continue
        fault = _sign_fault(sample, kinds)
        dtypes = {side: _dtype(_INTEGERS[kind]) for side, kind in kinds.items()}
        yield Suspect(fault, "product", _reread(dtypes))


def _sign_fault(sample: Sample, kinds: dict[str, str]) -> Fault:
    """Say which integers are read with, or without, their sign, and how that is set."""
    read = ", ".join(f"{side.upper()} as {_INTEGERS[kind]}" for side, kind in kinds.items())
    wanted = " and ".join(f"{side.upper()} as {kind}" for side, kind in kinds.items())
    formats = sample.asked.instruction.formats
    what = f"the instruction reads {read}"
    if any(number_format(formats[side][0]).sign == "chosen" for side in kinds):
        fix = f"Set the instruction's sign bits (the builtin's flags) so that it reads {wanted}."
    elif any(kind.startswith("u") for kind in kinds.values()):
        fix = f"The instruction has no choice of signs: give it numbers that {read} can hold."
    else:
        what = f"the products count {read}, though the instruction reads {wanted}"
        fix = "Look for where numbers are widened or converted before: with zeros for their sign."
    return Fault("sign", what, fix)


def _without_signs() -> Iterator[Suspect]:
    """Suspect that A or B, or both of them, are taken for their absolute values."""
    for side in _SIDES:
        fault = Fault(
            "sign",
            f"{side.upper()} is taken without its sign",
            f"Clear the modifier (abs) that makes {side.upper()} positive, or the absolute value"
            " where it is loaded.",
        )
        yield Suspect(fault, "a" if side == "a" else "b", _positive(side))


def _positive(side: str) -> Change:
    def strip(sample: Sample) -> Floats:
        found = needed(sample)
        return np.abs(found.a) * found.scale_a if side == "a" else np.abs(found.b) * found.scale_b

    return strip


def formats(sample: Sample) -> Iterator[Suspect]:
    """Suspect that bits of A or B are read as another float format of the same width."""
    strips = sample.strips
    if strips is None:
        return
    own = {side: _format_of(sample, side) for side in _SIDES}
    for side in _SIDES:
        form = own[side]
        if form is None:
            continue
        for other in _alike(form):
            yield _misread(sample, {side: other}, {side: form})
    left, right = own["a"], own["b"]
    if left is not None and right is not None:
        for one, two in pairs(_alike(left), _alike(right)):
            family = (one.type, two.type) == (left.type, right.type)
            if family or (one.name == two.name and left.name == right.name):
                yield _misread(sample, {"a": one, "b": two}, {"a": left, "b": right})


def subnormals(sample: Sample) -> Iterator[Suspect]:
    """Suspect that subnormal inputs count as zero."""
    found = sample.factors
    if found is None:
        return
    limits = {side: _smallest_normal(sample, side) for side in _SIDES}
    if not any(limits.values()):
        return

    def product(each: Sample) -> Floats:
        values = needed(each)
        a = np.where(np.abs(values.a) < limits["a"], 0.0, values.a) * values.scale_a
        b = np.where(np.abs(values.b) < limits["b"], 0.0, values.b) * values.scale_b
        return multiplied(a, b)

    fault = Fault(
        "subnormals",
        "subnormal numbers of A and B count as zero",
        "Scale the inputs up, or use an instruction that keeps subnormals (wavemma show names the"
        " arithmetic model).",
    )
    yield Suspect(fault, "product", product)


def _dtype(name: str) -> "np.dtype[Any]":
    return np.dtype(getattr(ml_dtypes, name, name))


def _reread(dtypes: "dict[str, np.dtype[Any]]") -> Change:
    """Multiply with some strips' bits taken for other types."""

    def product(sample: Sample) -> Floats:
        found = needed(sample)
        changed = {"a": found.a, "b": found.b}
        for side, dtype in dtypes.items():
            raw = np.ascontiguousarray(getattr(sample.strips, side))
            if raw.dtype.itemsize == dtype.itemsize:
                changed[side] = raw.view(dtype).astype(np.float64)
        return multiplied(changed["a"] * found.scale_a, changed["b"] * found.scale_b)

    return product


def _format_of(sample: Sample, side: str) -> Format | None:
    """Find the float format of A or B as given."""
    allowed = sample.asked.instruction.formats[side]
    array = getattr(sample.strips, side)
    forms = [number_format(name) for name in allowed]
    same = [form for form in forms if form.dtype == str(array.dtype)]
    chosen = (same or forms)[0]
    return chosen if chosen.is_float and code_dtype(chosen).itemsize == array.itemsize else None


def _alike(form: Format) -> tuple[Format, ...]:
    """List the other float formats of a width that numbers can be in."""
    return tuple(
        other
        for other in number_formats()
        if other.is_float
        and other.bits == form.bits
        and other.has_sign
        and (other.dtype, other.ignored) != (form.dtype, form.ignored)
    )


def _misread(sample: Sample, read: dict[str, Format], own: dict[str, Format]) -> Suspect:
    texts = ", ".join(
        f"{s.upper()} is read as {f.name}, but it is {own[s].name}" for s, f in read.items()
    )
    family = all(form.type == own[side].type for side, form in read.items())

    def product(each: Sample) -> Floats:
        found = needed(each)
        changed = {"a": found.a, "b": found.b}
        for side, form in read.items():
            raw = np.ascontiguousarray(getattr(each.strips, side))
            changed[side] = np.asarray(decode(form, raw.view(code_dtype(form))), dtype=np.float64)
        return multiplied(changed["a"] * found.scale_a, changed["b"] * found.scale_b)

    fix = (
        "Convert to the family that the target computes in, FNUZ or OCP."
        if family
        else "Use the instruction of the inputs' own format, or convert them."
    )
    return Suspect(
        Fault("number family" if family else "number format", texts, fix), "product", product
    )


def _smallest_normal(sample: Sample, side: str) -> float:
    form = _format_of(sample, side)
    return form.min_normal if form is not None else 0.0
