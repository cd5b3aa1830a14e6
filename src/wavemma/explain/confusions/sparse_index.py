"""Faults of a sparse A's index: the kept elements of a group take part at wrong places."""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from wavemma.explain.suspect import Fault, Suspect, needed
from wavemma.explain.tile_sample import Floats, Sample
from wavemma.layouts import GROUP, KEPT

Places = npt.NDArray[np.int64]
# From where the kept elements of each group are, [..., groups, 2], to where they are taken to be;
# GROUP is no place: what is there takes no part.
_Change = Callable[[Places], Places]


def indices(sample: Sample) -> Iterator[Suspect]:
    """Suspect an index whose pairs are exchanged, the same everywhere, or of another step."""
    found = sample.factors
    if found is None or not sample.asked.instruction.is_sparse or found.a.shape[-1] % GROUP:
        return
    if (np.count_nonzero(_groups(found.a), axis=-1) > KEPT).any():
        return
    per_step = sample.depth // GROUP
    for what, change in (
        ("the two numbers of each pair in the index are exchanged", _exchanged),
        ("the index is that of places 0 and 1 in every group", _first),
        ("every step along k uses the index of the first", _stale(per_step)),
        ("the index is that of places 2 and 3 in every group", _last),
        ("the numbers in the index count from the end of the group: 3 - i for i", _from_end),
        ("of each group only the first kept element takes part", _only(0)),
        ("of each group only the second kept element takes part", _only(1)),
    ):
        fix = "Pack A and its index together, for each step (wavemma sparse pack does)."
        yield Suspect(Fault("index", what, fix), "a", _placed(change))


def _groups(a: Floats) -> Floats:
    return a.reshape(*a.shape[:-1], -1, GROUP)


def _placed(change: _Change) -> Callable[[Sample], Floats]:
    """Put the kept elements of A where a wrong index says they are."""

    def strip(sample: Sample) -> Floats:
        a = needed(sample).a
        groups = _groups(a)
        # Groups with fewer than two elements keep zeros beside them, at places that still ascend.
        first = np.argsort(groups == 0, axis=-1, kind="stable")[..., :KEPT]
        places = np.sort(first, axis=-1)
        values = np.take_along_axis(groups, places, axis=-1)
        moved = np.zeros((*groups.shape[:-1], GROUP + 1))
        np.put_along_axis(moved, change(places), values, axis=-1)
        return moved[..., :GROUP].reshape(a.shape) * needed(sample).scale_a

    return strip


def _exchanged(places: Places) -> Places:
    return places[..., ::-1]


def _first(places: Places) -> Places:
    return np.broadcast_to(np.arange(KEPT), places.shape)


def _last(places: Places) -> Places:
    return np.broadcast_to(np.arange(GROUP - KEPT, GROUP), places.shape)


def _from_end(places: Places) -> Places:
    return GROUP - 1 - places


def _only(number: int) -> _Change:
    return lambda places: np.where(np.arange(KEPT) == number, places, GROUP)


def _stale(per_step: int) -> _Change:
    return lambda places: places[..., np.arange(places.shape[-2]) % per_step, :]
