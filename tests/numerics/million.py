"""Many outputs of a model, on both engines and by its fast path, against the exact twin.

As a program it prints a line a model: outputs, mismatches, seconds.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path as File
from typing import Any

import numpy as np

from tests.numerics.adversarial import cancelling, limited, problems, scale_codes
from tests.numerics.twins import CASES, SCALED, Case
from tests.twin import dot, same
from wavemma.engines.jit import Jit, shared_jit
from wavemma.formats.decode import decode
from wavemma.formats.dtypes import code_dtype
from wavemma.formats.format import Format, number_format
from wavemma.numerics.dot import Scales, accumulate, spread_scales
from wavemma.numerics.extent import EMPTY
from wavemma.numerics.model import model, models
from wavemma.numerics.path import Extent, Extents, Path, Setting
from wavemma.numerics.product import Preparation, compiled, tile_for

OUTPUTS = 1_000_000
SLICES = 20
# Rows that are drawn at a time.
BATCH = 2000
# In three batches of four k is cut to this many products, or two steps: the bits depend on
# what steps do to each other, and a chain of two has that.
SHORT = 8
# Share of the rows whose exponents lie close together, and how close: fast paths take those.
NEAR, SPREADS = 0.3, (1, 4, 12)
SHOWN = 5
Array = np.ndarray[Any, Any]


@dataclass
class Outcome:
    """What a run found: outputs compared, the ways they were made, and what differed."""

    outputs: int = 0
    ways: dict[str, int] = field(default_factory=dict)
    mismatches: int = 0
    told: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Batch:
    """Problems of one case as codes; `scales` are there for a case that has them."""

    case: Case
    a: Array
    b: Array
    c: Array
    scales: tuple[Array, Array] | None

    @property
    def setting(self) -> Setting:
        """What the instruction would tell the model."""
        forms = [number_format(n) for n in (self.case.a, self.case.b or self.case.a, self.case.d)]
        scales = [number_format(name) if name else None for name in self.case.scales]
        return Setting(
            *forms,
            forms[2],
            depth=self.a.shape[1],
            scale_a=scales[0],
            scale_b=scales[1],
            **self.case.setting,
        )


def cases_of(name: str) -> list[Case]:
    """The cases of one model."""
    return [case for case in (*CASES, *SCALED) if case.model == name]


def drawn(case: Case, rng: np.random.Generator, count: int, *, short: bool) -> Batch:
    """Draw problems of a case, of its own k or of a short one; some within a few exponents."""
    a, b, d = (number_format(name) for name in (case.a, case.b or case.a, case.d))
    k = min(case.k, short_k(case)) if short else case.k
    left, right, start = problems(rng, a, b, d, k, count)
    if a.is_float:
        near, spread = rng.random(count) < NEAR, int(rng.choice(SPREADS))
        left[near] = limited(rng, a, (int(near.sum()), k), spread)
        right[near] = limited(rng, b, (int(near.sum()), k), spread)
        start[near] = limited(rng, d, (int(near.sum()),), spread)
        cancelling(rng, a, left, right)
    block = case.setting.get("scale_block", 0)
    if not block:
        return Batch(case, left, right, start, None)
    left_scales, right_scales = (
        scale_codes(rng, name, (count, k // block)) for name in case.scales
    )
    return Batch(case, left, right, start, (left_scales, right_scales))


def short_k(case: Case) -> int:
    """Two steps or a few products; stages of k are a matter of the whole instruction."""
    form = number_format(case.a)
    if not form.is_float:
        return case.k
    setting = Setting(form, form, number_format(case.d), number_format(case.d), **case.setting)
    return max(SHORT, 2 * model(case.model).whole_path(setting).length)


def expected(batch: Batch) -> list[int]:
    """What the twin gives."""
    case = batch.case
    options = {"a_format": case.a, "b_format": case.b or case.a, "c_format": case.d, **case.options}
    sides = [array.tolist() for array in (batch.a, batch.b, batch.c)]
    if batch.scales is None:
        return [dot(case.rule, *row, **options) for row in zip(*sides, strict=True)]
    scales = [array.tolist() for array in batch.scales]
    block = case.setting["scale_block"]
    return [
        dot(case.rule, *row, scale_a=left, scale_b=right, block=block, **options)
        for *row, left, right in zip(*sides, *scales, strict=True)
    ]


def made(batch: Batch, jit: Jit) -> Iterator[tuple[str, Array, Array]]:
    """What the model gives: the way, the rows that it is for, and their codes."""
    summing, setting = model(batch.case.model), batch.setting
    every = np.arange(len(batch.a))
    scales = None if batch.scales is None else Scales(*batch.scales)
    yield "array", every, accumulate(summing, setting, batch.a, batch.b, batch.c, scales)
    yield "compiled", every, by_kernel(batch, summing.whole_path(setting), jit)
    if scales is not None:
        return
    for number, path in enumerate(summing.paths(setting)[:-1]):
        rows = np.flatnonzero([path.covers(extents) for extents in row_extents(batch)])
        part = Batch(batch.case, batch.a[rows], batch.b[rows], batch.c[rows], None)
        codes = accumulate(summing, setting, part.a, part.b, part.c, path=path)
        yield f"fast {number}", rows, codes
        yield f"fast {number} compiled", rows, by_kernel(part, path, jit)


def row_extents(batch: Batch) -> list[Extents]:
    """The bounds of each row alone, which is as far as a fast path may go."""
    given = batch.setting
    if not given.a.is_float:
        return []
    sides = [
        zip(*exponents(form, codes), strict=True)
        for form, codes in ((given.a, batch.a), (given.b, batch.b), (given.c, batch.c[:, None]))
    ]
    rows = zip(*sides, strict=True)
    return [Extents(*(Extent(*side) for side in row), given.depth) for row in rows]


def exponents(form: Format, codes: Array) -> tuple[list[int], list[int], list[bool]]:
    """The least and the greatest exponent of the numbers of each row; is each one finite."""
    values = decode(form, codes)
    finite = np.isfinite(values)
    used = finite & (values != 0)
    found = np.frexp(np.where(used, values, 1))[1] - 1
    low = np.where(used, found, EMPTY.low).min(axis=1)
    high = np.where(used, found, EMPTY.high).max(axis=1)
    return low.tolist(), high.tolist(), finite.all(axis=1).tolist()


def by_kernel(batch: Batch, path: Path, jit: Jit) -> Array:
    """Run the compiled product on the tiles of the diagonal: row i of A with column i of B."""
    setting, tile = batch.setting, tile_for(path, jit)
    count, k = batch.a.shape
    whole = k + -k % path.length
    panels = []
    for axis, form, signed, codes, size in (
        (0, setting.a, setting.signed_a, batch.a, tile.rows),
        (1, setting.b, setting.signed_b, batch.b, tile.columns),
    ):
        codes = np.pad(codes.astype(code_dtype(form)), [(0, 0), (0, whole - k)])
        spread = None
        if batch.scales is not None:
            spread = spread_scales("ab"[axis], batch.scales[axis], setting, whole)
        turned = [codes, spread] if axis == 0 else [codes.T, None if spread is None else spread.T]
        panels.append(Preparation(path, form, signed, size, axis)(*turned))
    wide = setting.d.bits > 32
    kernel = compiled(path, jit, whole, whole, wide=wide)
    result = np.empty(count, dtype=np.uint64 if wide else np.uint32)
    words = np.zeros((tile.rows, tile.columns), dtype=result.dtype)
    for block in range(0, count, tile.rows):
        rows = np.arange(block, min(block + tile.rows, count))
        for panel in np.unique(rows // tile.columns):
            here = rows[rows // tile.columns == panel]
            words[here - block, here % tile.columns] = batch.c[here]
            left = tuple(p[block // tile.rows : block // tile.rows + 1] for p in panels[0])
            kernel.run(left, tuple(p[panel : panel + 1] for p in panels[1]), words)
            result[here] = words[here - block, here % tile.columns]
    return result.astype(code_dtype(setting.d))


def compare(batch: Batch, jit: Jit, outcome: Outcome) -> None:
    """Compare every way's codes of a batch with the twin's."""
    case, wanted = batch.case, expected(batch)
    outcome.outputs += len(wanted)
    bad: set[int] = set()
    for way, rows, codes in made(batch, jit):
        outcome.ways[way] = outcome.ways.get(way, 0) + len(rows)
        for row, got in zip(rows.tolist(), codes.tolist(), strict=True):
            want = wanted[row]
            if got == want or same(
                case.rule, got, want, d_format=case.d, a_format=case.a, b_format=case.b
            ):
                continue
            bad.add(row)
            told = f"{case.label}, {way}: {batch.a[row].tolist()} {batch.b[row].tolist()} "
            told += f"{int(batch.c[row]):#x}: {got:#x}, not {want:#x}"
            outcome.told = [*outcome.told, told][:SHOWN]
    outcome.mismatches += len(bad)


def run(name: str, first: int, count: int, jit: Jit | None = None) -> Outcome:
    """Compare a slice of a model's outputs.

    Args:
        name: The model.
        first: The number of the slice's first output; it seeds the drawing.
        count: Outputs.
        jit: The compiler to use instead of this process's own.

    """
    outcome, cases = Outcome(), cases_of(name)
    rng = np.random.default_rng([first, *name.encode()])
    number = 0
    while outcome.outputs < count:
        case = cases[number % len(cases)]
        size = min(BATCH, count - outcome.outputs, max(1, count // len(cases)))
        # The turn of the long batches moves on, so that every case has some.
        short = (number + number // len(cases)) % 4 != 0
        compare(drawn(case, rng, size, short=short), jit or shared_jit(), outcome)
        number += 1
    return outcome


def main() -> None:
    """Run the models that are named, or all, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[each.name for each in models()])
    parser.add_argument("--outputs", type=int, default=OUTPUTS)
    parser.add_argument("--log", type=File)
    given = parser.parse_args()
    failed = 0
    for name in given.names:
        started, total = time.perf_counter(), Outcome()
        for part in range(SLICES):
            found = run(name, part * given.outputs // SLICES, given.outputs // SLICES)
            total.outputs += found.outputs
            total.mismatches += found.mismatches
            total.told += found.told
            for way, rows in found.ways.items():
                total.ways[way] = total.ways.get(way, 0) + rows
            print(f"{name}: {total.outputs} outputs", file=sys.stderr, flush=True)
        seconds = time.perf_counter() - started
        line = f"{name}: {total.outputs} outputs, {total.mismatches} mismatches, {seconds:.0f} s"
        lines = [f"{line}, {total.ways}", *total.told[:SHOWN]]
        print(*lines, sep="\n", flush=True)
        if given.log is not None:
            with given.log.open("a", encoding="utf-8") as log:
                log.write("\n".join(lines) + "\n")
        failed += total.mismatches
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
