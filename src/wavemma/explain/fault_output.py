"""What faults make of a sample: each by itself, and one or two of them together."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from wavemma.explain.suspect import NOWHERE, Source, Suspect, base_product, multiplied, needed
from wavemma.explain.tile_sample import Factors, Floats, Sample, Truths

SIDES = ("a", "b")


class Part(NamedTuple):
    """A suspect and what it makes of the sample.

    Attributes:
        suspect: The fault and what it changes.
        value: What that becomes; None if only places change.
        product: The product with it, if it changes that.
        also: Other faults that make the same of this sample.

    """

    suspect: Suspect
    value: Floats | None
    product: Floats | None = None
    also: tuple[Suspect, ...] = ()


def part_of(sample: Sample, suspect: Suspect) -> Part:
    """Say what a suspect makes of a sample."""
    value = None if suspect.change is None else suspect.change(sample)
    return Part(suspect, value, _own_product(sample, suspect, value))


def prediction(sample: Sample, parts: Sequence[Part]) -> tuple[Floats, Truths]:
    """Say what some faults together would give, and which elements nothing is stored to."""
    by_stage: dict[str, Part] = {part.suspect.stage: part for part in parts}
    if "whole" in by_stage:
        value = by_stage["whole"].value
        nothing = np.zeros(sample.want.shape[1], dtype=np.bool_)
        return (sample.want[None] if value is None else value), nothing
    total, missing = _moved(_product(sample, by_stage), by_stage.get("shared"))
    start = by_stage.get("start")
    if start is not None and start.value is not None:
        total = total + start.value
    elif sample.c is not None:
        total = total + sample.c
    for stage in ("store", "unwritten"):
        total, unstored = _moved(total, by_stage.get(stage))
        missing = missing | unstored
    result = by_stage.get("result")
    if result is not None and result.suspect.change is not None:
        total = result.suspect.change(replace(sample, want=total))
    return total[None], missing


def _moved(total: Floats, part: Part | None) -> tuple[Floats, Truths]:
    """Move the elements of tiles, and say which nothing is stored to."""
    source: Source | None = None if part is None else part.suspect.source
    if source is None:
        return total, np.zeros(total.shape[1], dtype=np.bool_)
    return total[:, np.maximum(source, 0)], np.asarray(source == NOWHERE)


def _product(sample: Sample, by_stage: dict[str, Part]) -> Floats:
    """Multiply with what was changed."""
    changed = [by_stage[stage] for stage in ("product", *SIDES) if stage in by_stage]
    if len(changed) == 2 and "product" in by_stage:
        return _stepped(sample, *changed)
    if len(changed) == 2:
        a, b = (part.value for part in changed)
        return base_product(sample) if a is None or b is None else multiplied(a, b)
    found = changed[0].product if changed else None
    return base_product(sample) if found is None else found


def _stepped(sample: Sample, step: Part, load: Part) -> Floats:
    """Multiply in other steps what was loaded otherwise."""
    found = needed(sample)
    change, value = step.suspect.change, load.value
    if change is None or value is None:
        return base_product(sample)
    one = np.ones(())
    factors = (
        Factors(value, found.b, one, found.scale_b)
        if load.suspect.stage == "a"
        else Factors(found.a, value, found.scale_a, one)
    )
    total = multiplied(factors.scaled_a, factors.scaled_b)
    want = total if sample.c is None else total + sample.c
    return change(replace(sample, want=want).with_factors(factors))


def _own_product(sample: Sample, suspect: Suspect, value: Floats | None) -> Floats | None:
    """Multiply with what one suspect changes; None if it changes no factor."""
    if value is None or suspect.stage not in ("product", "a", "b"):
        return None
    if suspect.stage == "product":
        return value
    found = needed(sample)
    if suspect.stage == "a":
        return multiplied(value, found.scaled_b)
    return multiplied(found.scaled_a, value)
