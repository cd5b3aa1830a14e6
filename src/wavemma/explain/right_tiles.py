"""What tiles that are right say of faults that no tile would be without."""

from collections.abc import Iterable, Iterator

import numpy as np

from wavemma.explain.fault_output import part_of, prediction
from wavemma.explain.scoring import Scored
from wavemma.explain.suspect import Suspect
from wavemma.explain.tile_cutting import sample
from wavemma.explain.tile_sample import Sample

# Share of the elements of right tiles that a fault must leave as they are.
_BORNE_OUT = 0.95


def borne_out(looked: Sample, found: Iterable[Scored]) -> Iterator[Scored]:
    """Leave out the faults of whole matrices that would make wrong what is right.

    A fault that makes the same of the sample, and is none of a whole matrix, takes the place of one
    that is left out.
    """
    if looked.differing == int(np.prod(looked.grid)):
        yield from found
        return
    spoils: dict[int, bool] = {}
    for each in found:
        parts = []
        for part in each.parts:
            held = [one for one in (part.suspect, *part.also) if not _spoils(looked, one, spoils)]
            if held:
                parts.append(part._replace(suspect=held[0], also=tuple(held[1:])))
        if len(parts) == len(each.parts):
            yield each._replace(parts=tuple(parts))


def _spoils(looked: Sample, suspect: Suspect, known: dict[int, bool]) -> bool:
    """Whether a fault would spoil tiles that are right; what is known of it is kept."""
    if not suspect.is_everywhere:
        return False
    if id(suspect) not in known:
        if "right tiles" not in looked.kept:
            looked.kept["right tiles"] = sample(looked.asked, looked.given, right=True)
        others: Sample = looked.kept["right tiles"]
        predicted, _ = prediction(others, [part_of(others, suspect)])
        same = np.any([others.close(each, others.got) for each in predicted], axis=0)
        known[id(suspect)] = bool(same.mean() < _BORNE_OUT)
    return known[id(suspect)]
