"""Every fault that an output is held against, and how well one or two of them explain it."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from wavemma.explain import (
    line_confusions,
    load_confusions,
    result_confusions,
    scale_confusions,
    sparse_confusions,
    step_confusions,
    store_confusions,
    unwritten_confusions,
    value_confusions,
    whole_confusions,
)
from wavemma.explain.suspect import (
    NOWHERE,
    Fault,
    Source,
    Suspect,
    base_product,
    multiplied,
    needed,
)
from wavemma.explain.tile_sample import Floats, Sample, Truths, middle

# The order breaks ties: what is named first is the commoner mistake.
SUSPICIONS: tuple[Callable[[Sample], Iterator[Suspect]], ...] = (
    store_confusions.halves,
    store_confusions.store_maps,
    store_confusions.shared_maps,
    whole_confusions.whole_orders,
    value_confusions.starts,
    step_confusions.steps,
    value_confusions.signs,
    value_confusions.formats,
    load_confusions.load_maps,
    load_confusions.k_orders,
    load_confusions.scaled_orders,
    whole_confusions.whole_transposes,
    load_confusions.replication,
    scale_confusions.scales,
    sparse_confusions.indices,
    value_confusions.subnormals,
    unwritten_confusions.unwritten,
    store_confusions.short_maps,
    line_confusions.moved_factors,
    line_confusions.moved_results,
    line_confusions.seen_orders,
    line_confusions.exchanged_factors,
    line_confusions.zero_factors,
    whole_confusions.flat_threads,
    scale_confusions.power_rows,
    value_confusions.ratios,
    result_confusions.rounded_results,
    result_confusions.offsets,
)
ENOUGH = 0.98
PAIR_TILES = 4
_CLASHES = {
    "product": ("a", "b"),
    "a": ("product",),
    "b": ("product",),
    "shared": ("start", "store"),
    "start": ("shared",),
    "store": ("shared",),
}
_SAME = 0.002
_FIRST = 4


class Scored(NamedTuple):
    """One or two faults, and how much they explain.

    Attributes:
        parts: The faults and what they make of the sample.
        share: Share of the elements that they explain, 0..1.
        left: Elements that they do not explain.
        first_left: The first of those: tile of the sample, and element.

    """

    parts: tuple["Part", ...]
    share: float
    left: int
    first_left: tuple[tuple[int, int], ...]

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults in words."""
        return tuple(part.suspect.fault for part in self.parts)


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


def suspected(sample: Sample) -> tuple[Part, ...]:
    """Make every suspect of a sample; those that change nothing are left out.

    Faults that make the same of the sample become one part.
    """
    found: dict[tuple[str, bytes], list[Part]] = {}
    whole = np.arange(sample.want.shape[1])
    for suspicion in SUSPICIONS:
        for suspect in suspicion(sample):
            part = part_of(sample, suspect)
            content = suspect.source if part.value is None else part.value
            if content is None or (part.value is None and (content == whole).all()):
                continue
            key = (suspect.stage, np.ascontiguousarray(content).tobytes())
            found.setdefault(key, []).append(part)
    return tuple(same[0]._replace(also=_others(same)) for same in found.values())


def part_of(sample: Sample, suspect: Suspect) -> Part:
    """Say what a suspect makes of a sample."""
    value = None if suspect.change is None else suspect.change(sample)
    return Part(suspect, value, _own_product(sample, suspect, value))


def _others(same: list[Part]) -> tuple[Suspect, ...]:
    """Name the other faults of a part; loops that are one loop by other names are no others."""
    first = same[0].suspect
    return tuple(
        each.suspect
        for each in same[1:]
        if each.suspect.fault.kind != first.fault.kind or first.stage in ("product", "whole")
    )


def scored(sample: Sample, parts: Sequence[Part]) -> tuple[Scored, ...]:
    """Hold a sample against every fault, and against pairs of them if none is enough.

    Returns:
        The explanations, best first; of equal ones single faults first.

    """
    found = _ordered(_scored(sample, [part]) for part in parts)
    if not found or found[0].share < ENOUGH:
        found = _ordered([*found, *_pairs(sample, parts)])
    return tuple(found)


def unseen(sample: Sample, parts: Sequence[Part]) -> tuple[Fault, ...]:
    """List the faults that these inputs cannot show."""
    every = [(part.suspect.fault, *prediction(sample, [part])) for part in parts]
    return tuple(
        fault
        for fault, predicted, missing in every
        if len(predicted) == 1
        and sample.close(predicted[0], sample.want).all()
        and not missing.any()
    )


def _pairs(sample: Sample, parts: Sequence[Part]) -> Iterator[Scored]:
    """Score pairs on few tiles, and again on all where they do well."""
    few = sample.reduced(PAIR_TILES)
    cut = [_first(part) for part in parts]
    for one, two in itertools.combinations(range(len(parts)), 2):
        stages = parts[one].suspect.stage, parts[two].suspect.stage
        if stages[0] == stages[1] or "whole" in stages or stages[1] in _CLASHES.get(stages[0], ()):
            continue
        if _scored(few, [cut[one], cut[two]]).share >= ENOUGH - 0.1:
            yield _scored(sample, [parts[one], parts[two]])


def _first(part: Part) -> Part:
    """Keep the first tiles of what a suspect makes."""
    value, product = part.value, part.product
    if value is not None:
        value = value[:, :PAIR_TILES] if part.suspect.stage == "whole" else value[:PAIR_TILES]
    return part._replace(value=value, product=None if product is None else product[:PAIR_TILES])


def _scored(sample: Sample, parts: Sequence[Part]) -> Scored:
    predicted, missing = prediction(sample, parts)
    right = np.any([sample.close(each, sample.got) for each in predicted], axis=0)
    nothing = missing | np.isnan(predicted).all(axis=0) & np.isfinite(sample.want)
    if nothing.any():
        right[nothing] = _filled(sample, nothing)
    left = np.argwhere(~right)
    first = tuple((int(tile), int(element)) for tile, element in left[:_FIRST])
    return Scored(tuple(parts), float(right.mean()), len(left), first)


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
    total, unstored = _moved(total, by_stage.get("store"))
    return total[None], missing | unstored


def _moved(total: Floats, part: Part | None) -> tuple[Floats, Truths]:
    """Move the elements of tiles, and say which nothing is stored to."""
    source: Source | None = None if part is None else part.suspect.source
    if source is None:
        return total, np.zeros(total.shape[1], dtype=np.bool_)
    return total[:, np.maximum(source, 0)], np.asarray(source == NOWHERE)


def _product(sample: Sample, by_stage: dict[str, Part]) -> Floats:
    """Multiply with what was changed."""
    changed = [by_stage[stage] for stage in ("product", "a", "b") if stage in by_stage]
    if len(changed) == 2:
        a, b = (part.value for part in changed)
        return base_product(sample) if a is None or b is None else multiplied(a, b)
    found = changed[0].product if changed else None
    return base_product(sample) if found is None else found


def _own_product(sample: Sample, suspect: Suspect, value: Floats | None) -> Floats | None:
    """Multiply with what one suspect changes; None if it changes no factor."""
    if value is None or suspect.stage not in ("product", "a", "b"):
        return None
    if suspect.stage == "product":
        return value
    found = needed(sample)
    if suspect.stage == "a":
        return multiplied(value, found.b * found.scale_b)
    return multiplied(found.a * found.scale_a, value)


def _filled(sample: Sample, nothing: Truths) -> Truths:
    """Say where elements that nothing is stored to hold one and the same filling."""
    came = sample.got[nothing]
    fills = [came == 0, np.isnan(came)]
    if sample.c is not None:
        fills.append(came == sample.c[nothing])
    finite = came[np.isfinite(came)]
    if finite.size:
        fills.append(came == middle(finite))
    return np.asarray(max(fills, key=lambda each: each.mean()))


def _ordered(found: Iterable[Scored]) -> list[Scored]:
    """Order explanations, best first; shares that hardly differ count as equal."""
    return sorted(found, key=lambda each: (-round(each.share / _SAME), len(each.faults)))
