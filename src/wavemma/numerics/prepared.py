"""Elements of A or B prepared on the array engine."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavemma.engines.array_engine import ArrayEngine
from wavemma.engines.engine import Lane
from wavemma.formats.format import Format
from wavemma.numerics.path import Lanes, Path

Codes = NDArray[Any]
_ENGINE = ArrayEngine()


def prepared(
    path: Path,
    form: Format,
    codes: Codes,
    *,
    left: bool,
    signed: bool = True,
    scale: NDArray[np.float64] | None = None,
) -> Lanes[Codes]:
    """Prepare elements for a way to evaluate a model.

    Args:
        path: The way.
        form: Format of the codes.
        codes: int64.
        left: They are A's.
        signed: How to read integers whose format leaves the sign open.
        scale: The scale of each element, if there are scales.

    Returns:
        The components; what lies in memory as f64 is f64.

    """
    prepare, widen, lanes = (
        (path.prepare_left, path.widen_left, path.left)
        if left
        else (path.prepare, path.widen, path.operand)
    )
    made = prepare(_ENGINE, form, codes, signed=signed, scale=scale)
    return tuple(
        widen(_ENGINE, part) if lane is Lane.F64 and part.dtype == np.float32 else part
        for part, lane in zip(made, lanes, strict=True)
    )
