"""Where the same product on another target has other bits."""

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from wavemma.formats import decode, number_format
from wavemma.formats.dtypes import codes_of
from wavemma.gemm.accuracy import ulp
from wavemma.gemm.plan import Product
from wavemma.isa import catalog
from wavemma.tables.keys import Grade


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A product against the same on another target; two NaN count as equal.

    Attributes:
        target: The other target.
        instruction: Its instruction.
        d: Its format of D.
        model: Its arithmetic model.
        grade: Evidence for that model there.
        elements: Elements of the product.
        differing: Elements whose numbers differ, or zeros whose signs do.
        first: Index of the first of them in row-major order; empty if none differ.
        here: The number at that index.
        there: The number there on the other target.
        max_absolute: Greatest difference of finite numbers.
        max_ulp: The same in units in the last place of the first product's format.
        not_finite: Differing elements of which one is infinite or NaN.

    """

    target: str
    instruction: str
    d: str
    model: str
    grade: Grade
    elements: int
    differing: int
    first: tuple[int, ...]
    here: str
    there: str
    max_absolute: float
    max_ulp: float
    not_finite: int


def difference(one: Product, other: Product) -> Difference:
    """Compare two products of the same matrices.

    Args:
        one: A product.
        other: The same of another target.

    """
    here, there = _numbers(one), _numbers(other)
    with np.errstate(all="ignore"):
        flags = (here != there) & ~(np.isnan(here) & np.isnan(there))
        flags |= (here == 0) & (there == 0) & (np.signbit(here) != np.signbit(there))
        finite = np.isfinite(here) & np.isfinite(there)
        apart = np.where(finite, np.abs(here - there), 0.0)
        form = number_format(one.plan.d)
        units = apart / ulp(here, form) if form.is_float else apart
    places = np.flatnonzero(flags)
    first = np.unravel_index(int(places[0]), flags.shape) if places.size else ()
    index = tuple(int(each) for each in first)
    return Difference(
        target=other.plan.target,
        instruction=other.plan.instruction,
        d=other.plan.d,
        model=other.plan.model,
        grade=other.plan.model_grade,
        elements=flags.size,
        differing=places.size,
        first=index,
        here=_text(here, index),
        there=_text(there, index),
        max_absolute=float(apart.max()) if apart.size else 0.0,
        max_ulp=float(units[finite].max()) if finite.any() else 0.0,
        not_finite=int((flags & ~finite).sum()),
    )


def has_instruction(target: str, op: str) -> bool:
    """Whether a target has an instruction of a name.

    Raises:
        UnknownTarget: No such target.

    """
    return any(op in (each.name, *each.aliases) for each in catalog.instructions(target))


def _numbers(made: Product) -> npt.NDArray[np.float64]:
    form = number_format(made.plan.d)
    return np.asarray(decode(form, codes_of(made.d, form)), dtype=np.float64)


def _text(numbers: npt.NDArray[Any], index: tuple[int, ...]) -> str:
    return repr(float(numbers[index])).removesuffix(".0") if index else ""
