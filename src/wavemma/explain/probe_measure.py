"""What the results of a probe show by themselves, whatever the candidates say."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from wavemma.explain.probe_experiment import Experiment, Results
from wavemma.formats import decode, number_format

Numbers = npt.NDArray[np.float64]
Measure = Callable[[Experiment, Results], Iterator["Measurement"]]
MEASURES: dict[str, Measure] = {}
_SHOWN = 64


class Measurement(msgspec.Struct, frozen=True):
    """A table of what was measured: a title, the names of its columns, and its rows."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def measurements(made: Experiment, results: Results) -> tuple[Measurement, ...]:
    """Say what results show by themselves."""
    found = MEASURES.get(made.point.row.inputs)
    return tuple(found(made, results)) if found else ()


def measure(name: str) -> Callable[[Measure], Measure]:
    """Enter what measures a kind of inputs."""

    def enter(function: Measure) -> Measure:
        MEASURES[name] = function
        return function

    return enter


@measure("sums")
def _sums(made: Experiment, results: Results) -> Iterator[Measurement]:
    """Tell of each k what became of small products beside a large pair that cancels."""
    m, _, _ = made.point.instruction.shape
    depth = made.point.setting.depth
    values = _numbers(made, "d", results)
    scales = made.point.instruction.is_scaled
    rows = []
    for k in range(min(depth, 2 * m)):
        if k in (0, 2):
            continue
        run, row = divmod(k, m)
        small = _small(made, run, row, k)
        found = values[run, row]
        counts = (found == small, found == 0, (found != small) & (found != 0))
        rows.append((str(k), *(str(int(each.sum())) for each in counts)))
    if not scales or rows:
        yield Measurement(
            "A large pair at k 0 and 2 cancels; what became of a small product at another k",
            ("k", "whole", "zero", "changed"),
            tuple(rows),
        )


def _small(made: Experiment, run: int, row: int, k: int) -> Numbers:
    """Give the small products of a row in the runs of large pairs, column by column."""
    place = _kept_place(made, run, row, k)
    a = _numbers(made, "a", made.matrices[run]["a"][row, k])
    b = _numbers(made, "b", made.matrices[run]["b"][place])
    return np.asarray(a * b)


def _kept_place(made: Experiment, run: int, row: int, k: int) -> int:
    """Give the row of B that a kept element meets."""
    index = made.matrices[run].get("index")
    return k if index is None else 4 * (k // 2) + int(index[row, k])


@measure("nan")
def _nan(made: Experiment, results: Results) -> Iterator[Measurement]:
    """Tell the bits of the element that meets all that is special."""
    rows = []
    for run, given in enumerate(made.matrices):
        codes = [given["a"][0, 0], given["a"][0, 1], given["b"][0, 0], given["c"][0, 0]]
        rows.append((*(_hex(code) for code in codes), f"{int(results[run, 0, 0]):08x}"))
    yield Measurement(
        "The bits of D[0][0]; other numbers of A and B are 1, of C 0",
        ("A[0][0]", "A[0][1]", "B[0][0]", "C[0][0]", "D[0][0]"),
        tuple(rows),
    )


def _hex(code: np.unsignedinteger[Any]) -> str:
    return f"{int(code):0{2 * code.dtype.itemsize}x}"


@measure("underflow")
def _underflow(made: Experiment, results: Results) -> Iterator[Measurement]:
    """Tell what products became, from the larger to the smaller."""
    digits = 2 * results.dtype.itemsize
    yield Measurement(
        "Row 0 of D: one product in the last step, halved from column to column",
        ("column", "negative", "positive"),
        tuple(
            (str(column), *(f"{int(results[run, 0, column]):0{digits}x}" for run in (0, 1)))
            for column in range(results.shape[-1])
        ),
    )


@measure("places")
def _places(made: Experiment, results: Results) -> Iterator[Measurement]:
    """Tell which k, rows and columns meet, as the ones in D spell them."""
    m, n, _ = made.point.instruction.shape
    depth = made.point.setting.depth
    ones = (results != 0).astype(np.int64)
    spelt = ones[..., : (made.matrices[0]["b"].shape[0] - 1).bit_length()]
    weights = 1 << np.arange(spelt.shape[-1])
    runs = -(-depth // m)
    met = (spelt[:runs] * weights).sum(axis=-1).reshape(-1)[:depth]
    said = [_kept_place(made, 0, 0, k) for k in range(depth)]
    yield Measurement(
        "Elements of a row of A that meet another row of B than this project says",
        ("of A", "said", "found"),
        tuple(
            (str(k), str(said[k]), str(int(found)))
            for k, found in enumerate(met)
            if said[k] != found
        ),
    )
    rows_runs = (m - 1).bit_length()
    rows = _spelt(ones[runs : runs + rows_runs])
    columns = _spelt(ones[runs + rows_runs :])
    moved = [
        (f"D[{i}][{j}]", f"D[{rows[i, j]}][{columns[i, j]}]")
        for i in range(m)
        for j in range(n)
        if (rows[i, j], columns[i, j]) != (i, j)
    ]
    yield Measurement(
        "Places that hold another element of D than this project says",
        ("said", "found"),
        tuple(moved[:_SHOWN]),
    )


def _spelt(ones: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Read numbers whose bits are spelt run by run."""
    weights = 1 << np.arange(len(ones))
    found: npt.NDArray[np.int64] = np.tensordot(weights, ones, axes=1)
    return found


def _numbers(made: Experiment, role: str, codes: Sequence[int] | Results) -> Numbers:
    form = number_format(made.point.operands.formats[role])
    found: Numbers = np.asarray(decode(form, codes), dtype=np.float64)
    return found
