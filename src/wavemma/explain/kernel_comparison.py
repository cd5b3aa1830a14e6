"""One kernel run twice, with other arithmetic the second time: the first store that differs."""

from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from wavemma.errors import LaunchMistake
from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.array_difference import ArrayDifference, array_difference
from wavemma.explain.citation import cited, distinct
from wavemma.explain.kernel_call import KernelCall, KernelPlace
from wavemma.explain.store_place import StorePlace, store_place
from wavemma.formats.dtypes import Array
from wavemma.isa.catalog import instruction
from wavemma.machine.compared_models import compared_models
from wavemma.machine.instrument import StoreTrace, first_difference
from wavemma.machine.other_models import Models
from wavemma.numerics.model import model
from wavemma.tables.targets import Wave, targets

ORDER_NOTE = (
    "Stores are compared in the order of workgroups that run one after the other; all waves see"
    " what those before them stored, in both runs."
)
TARGET_NOTE = (
    "The code and everything else stay those of {own}: only the matrix instructions follow the"
    " models that {other} has for the same mnemonics."
)


class ComparedModel(msgspec.Struct, frozen=True):
    """A matrix instruction, its own model and the one that it is compared with."""

    instruction: str
    own: str
    other: str


class KernelComparison(Answer, frozen=True, kw_only=True, tag=True):
    """What differs between two runs of a kernel.

    Attributes:
        kernel: Its name.
        target: Of the code object.
        compared_with: The model or target, as it was asked for.
        models: The matrix instructions whose models were exchanged.
        stores: How many stores of lanes the first run did before they differ, or in all.
        own: The first store that differs; None if none does, or the run had ended.
        other: What the second run stored there instead.
        arrays: How much differs at the end, one an array of the arguments.

    """

    kernel: str
    target: str
    compared_with: str
    models: tuple[ComparedModel, ...]
    stores: int
    own: StorePlace | None
    other: StorePlace | None
    arrays: tuple[ArrayDifference, ...]

    @property
    def is_same(self) -> bool:
        """Whether nothing differs."""
        return self.own is None and self.other is None


class _Run(msgspec.Struct, frozen=True):
    """The stores of a run, and what its arrays held afterwards."""

    trace: StoreTrace
    arrays: tuple[Array | None, ...]


def compare_kernel(
    call: KernelCall, word: str, *, cache_folder: Path | None = None
) -> KernelComparison:
    """Run a kernel twice on the same memory and compare every store.

    Args:
        call: The launch.
        word: A model, a target or INSTRUCTION=MODEL, as `compared_models` takes it.
        cache_folder: Where compiled code is kept; the user's cache folder if None.

    Raises:
        LaunchMistake: The launch is interpreted, or as `compared_models` and launches raise it.
        KernelFault, Unsupported, WatchdogExpired: One of the runs ended so.

    """
    if call.interpreted:
        raise LaunchMistake("Runs that are compared must not be interpreted.", subject=word)
    place = KernelPlace(call, cache_folder=cache_folder)
    target, wave = place.module.found.target, place.wave
    other = compared_models(place.listing, word, target, wave)
    sides = (place.models, {**place.models, **other})
    runs = [_run(place, models) for models in sides]
    chunk = _differing_chunk(*(run.trace.digests for run in runs))
    kept = [run.trace.kept for run in runs]
    if chunk:
        kept = [_run(place, models, chunk).trace.kept for models in sides]
    number = None if chunk is None else first_difference(*kept)
    first = [_place(place, stores, number, kept) for stores in kept]
    before = runs[0].trace.buffer.size * (chunk or 0)
    return KernelComparison(
        kernel=place.name,
        target=target,
        compared_with=word,
        models=_models(place.models, other, target, wave),
        stores=runs[0].trace.count if number is None else before + number,
        own=first[0],
        other=first[1],
        arrays=_arrays(call, runs),
        evidence=_evidence(place.models, other, target, wave, word),
        notes=(ORDER_NOTE, *_target_notes(word, target)),
    )


def _run(place: KernelPlace, models: Models, keep: int = 0) -> _Run:
    """Run a kernel from the same memory as before."""
    place.restore()
    trace = StoreTrace(keep)
    place.launch(models=models, trace=trace)
    arrays = tuple(None if view is None else view.copy() for view in place.views)
    return _Run(trace, arrays)


def _differing_chunk(one: Sequence[bytes], other: Sequence[bytes]) -> int | None:
    pairs = enumerate(zip_longest(one, other))
    return next((number for number, (left, right) in pairs if left != right), None)


def _place(
    place: KernelPlace,
    stores: NDArray[np.void],
    number: int | None,
    kept: Sequence[NDArray[np.void]],
) -> StorePlace | None:
    """Tell where a store of one run is, and its first number that the other run's has not."""
    if number is None or number >= stores.size:
        return None
    both = [each[number]["words"].tobytes() for each in kept if number < each.size]
    differing = [n for n, pair in enumerate(zip(*both, strict=True)) if len(set(pair)) > 1]
    return store_place(place, stores[number], differing[0] if differing else 0)


def _models(own: Models, other: Models, target: str, wave: Wave) -> tuple[ComparedModel, ...]:
    return tuple(
        ComparedModel(name, own.get(name) or instruction(name, target).model(wave), chosen)
        for name, chosen in other.items()
    )


def _arrays(call: KernelCall, runs: Sequence[_Run]) -> tuple[ArrayDifference, ...]:
    pairs = zip(*(run.arrays for run in runs), strict=True)
    return tuple(
        array_difference(number, call.given[number].output, one, other)
        for number, (one, other) in enumerate(pairs)
        if one is not None and other is not None
    )


def _evidence(
    own: Models, other: Models, target: str, wave: Wave, word: str
) -> tuple[Evidence, ...]:
    found = []
    for each in _models(own, other, target, wave):
        for name, owner in ((each.own, target), (each.other, word if word in targets() else "")):
            row = model(name).row
            what = f"model {name}"
            found.append(cited(what, row.source_on(owner), row.grade_on(owner)))
    return distinct(found)


def _target_notes(word: str, target: str) -> tuple[str, ...]:
    return (TARGET_NOTE.format(own=target, other=word),) if word in targets() else ()
