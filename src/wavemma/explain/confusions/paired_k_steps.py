"""Which step of A meets which step of B along k: usual mistakes, and what the data show.

Each product of a step of A with a step of B is one unknown number of times in the output. There
are far more elements than such products, so that an output made of whole steps gives whole numbers,
and no other output does.
"""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from wavemma.explain.suspect import Fault, Suspect, base_product, multiplied, needed
from wavemma.explain.tile_sample import Floats, Sample

# How often each step of A [rows] meets each step of B [columns].
Meetings = npt.NDArray[np.int64]
_MOST_PAIRED = 16
_MOST_STEPS = 256
_ROWS = 4
_WHOLE = 0.05
_SHOWN = 8
# Of the usual ones, those first ones that are looked for beside other faults.
_PAIRED = 2


def paired_steps(sample: Sample) -> Iterator[Suspect]:
    """Suspect that A and B are at different steps, and what the data show of their steps."""
    found = sample.factors
    if found is None:
        return
    count = -(-found.a.shape[-1] // sample.depth)
    if not 2 <= count <= _MOST_STEPS:
        return
    known = {each.tobytes() for each in _known(count)}
    usual = list(_usual(count))
    for number, meetings in enumerate((*usual, *_seen(sample, count))):
        if meetings.tobytes() not in known:
            known.add(meetings.tobytes())
            fix = f"Move A and B on together, by {sample.depth} along k with each step."
            fault = Fault("k step", _words(meetings), fix)
            # A loop is the same for all tiles; in some of them only it is a race.
            yield Suspect(
                fault, "product", _made(meetings), alone=number >= _PAIRED, everywhere=True
            )


def _usual(count: int) -> Iterator[Meetings]:
    """Yield usual mistakes: B a step behind or ahead, in the other order, neighbours exchanged."""
    own, steps = np.eye(count, dtype=np.int64), np.arange(count)
    for order in (
        np.maximum(steps - 1, 0),
        np.minimum(steps + 1, count - 1),
        (steps + 1) % count,
        (steps - 1) % count,
        steps[::-1],
        np.minimum(steps ^ 1, count - 1),
    ):
        yield own[order]
        yield own[order].T.copy()


def _known(count: int) -> Iterator[Meetings]:
    """Yield what other suspicions name: the right order, one step missing or doubled, stale tiles.

    So do they the first or last half of steps, and the first or last step alone.
    """
    own = np.eye(count, dtype=np.int64)
    yield own
    for step in range(count):
        yield own - np.diag(own[step])
        yield own + np.diag(own[step])
    steps = np.arange(count)
    halves = (steps < count // 2, steps >= count // 2) if count % 2 == 0 else ()
    for used in (*halves, steps < 1, steps >= count - 1):
        yield np.diag(used.astype(np.int64))
    first = np.zeros((count, count), np.int64)
    first[0] = 1
    yield first
    yield first.T.copy()
    both = np.zeros((count, count), np.int64)
    both[0, 0] = count
    yield both


def _seen(sample: Sample, count: int) -> Iterator[Meetings]:
    """Find how often steps meet in what came, if that is a whole number of times."""
    if not sample.differing:
        return
    with np.errstate(invalid="ignore"):
        came = (sample.got - sample.want + base_product(sample)).ravel()
    pairs = [(i, i) for i in range(count)]
    if count <= _MOST_PAIRED:
        pairs = [(i, j) for i in range(count) for j in range(count)]
    if came.size < _ROWS * len(pairs):
        return
    rows = np.linspace(0, came.size - 1, min(came.size, max(_ROWS * len(pairs), 512))).astype(int)
    parts = _partial(sample, count)
    columns = np.stack([multiplied(parts[0][i], parts[1][j]).ravel()[rows] for i, j in pairs], 1)
    finite = np.isfinite(came[rows]) & np.isfinite(columns).all(axis=1)
    times, _, rank, _ = np.linalg.lstsq(columns[finite], came[rows][finite], rcond=None)
    if rank < len(pairs) or np.abs(times - np.rint(times)).max() > _WHOLE:
        return
    found = np.zeros((count, count), np.int64)
    for (i, j), number in zip(pairs, np.rint(times).astype(np.int64), strict=True):
        found[i, j] = number
    # One factor of the whole says nothing of steps.
    if (found >= 0).all() and (found != found[0, 0] * np.eye(count)).any():
        yield found


def _partial(sample: Sample, count: int) -> tuple[list[Floats], list[Floats]]:
    """Cut A and B into steps."""
    found, depth = needed(sample), sample.depth
    a, b = found.scaled_a, found.scaled_b
    short = count * depth - a.shape[-1]
    a = np.pad(a, [(0, 0)] * (a.ndim - 1) + [(0, short)])
    b = np.pad(b, [(0, 0)] * (b.ndim - 2) + [(0, short), (0, 0)])
    return np.split(a, count, axis=-1), np.split(b, count, axis=-2)


def _made(meetings: Meetings) -> Callable[[Sample], Floats]:
    """Add the products of the steps that meet."""

    def product(sample: Sample) -> Floats:
        a, b = _partial(sample, len(meetings))
        met = [(i, np.flatnonzero(row)) for i, row in enumerate(meetings) if row.any()]
        if not met:
            return np.zeros_like(sample.want)
        left = np.concatenate([a[i] for i, _ in met], axis=-1)
        right = [sum((meetings[i, j] * b[j] for j in js), np.zeros_like(b[0])) for i, js in met]
        return multiplied(left, np.concatenate(right, axis=-2))

    return product


def _words(meetings: Meetings) -> str:
    """Say which steps meet, the first being step 1."""
    count = len(meetings)
    if not (meetings - np.diag(np.diag(meetings))).any():
        return f"of {count} steps along k, {_counted(np.diag(meetings))}"
    for rows, one, two in ((meetings, "A", "B"), (meetings.T, "B", "A")):
        if (rows.sum(axis=1) == 1).all():
            steps = _steps(range(count))
            others = _steps(rows.argmax(axis=1))
            return (
                f"A and B are at different steps along k: steps {steps} of {one} meet steps"
                f" {others} of {two}"
            )
    met = [
        f"{'step ' if i == 0 else ''}{i + 1} of A meets {_met(row)}{' of B' if i == 0 else ''}"
        for i, row in enumerate(meetings[:_SHOWN])
    ]
    more = "; ..." if count > _SHOWN else ""
    return f"steps of A and B are mixed up: {'; '.join(met)}{more}"


def _counted(times: Meetings) -> str:
    """Say which steps are added more than once, and which are missing."""
    texts = [
        f"step {step + 1} is added {number} times"
        for step, number in enumerate(times)
        if number > 1
    ]
    missing = np.flatnonzero(times == 0)
    if missing.size:
        texts.append(f"{_steps(missing)} {'are' if missing.size > 1 else 'is'} missing")
    return ", and ".join(texts)


def _met(row: Meetings) -> str:
    found = [
        f"{step + 1}{f' ({number} times)' if number > 1 else ''}"
        for step, number in enumerate(row)
        if number
    ]
    return ", ".join(found) or "none"


def _steps(numbers: "npt.ArrayLike") -> str:
    found = [int(number) + 1 for number in np.asarray(numbers)]
    shown = ", ".join(map(str, found[:_SHOWN]))
    return f"{shown}, ..." if len(found) > _SHOWN else shown
