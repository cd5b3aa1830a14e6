"""The command `wavemma peak`."""

from typing import Annotated

from cyclopts import Parameter

from wavemma.cli.output import present
from wavemma.explain.peaks import explain_peak


def peak(
    name: str,
    *,
    type: str | None = None,
    sparse: Annotated[bool | None, Parameter(negative="--no-sparse")] = None,
    clock: float | None = None,
    units: int | None = None,
    stepping: str = "",
    json: bool = False,
) -> int:
    """Tell the peak matrix rate of a product.

    For example:

    | wavemma peak "RX 7900 XTX" --type f16
    | wavemma peak MI300X --type fp8 --sparse

    Args:
        name: Product, such as "RX 7900 XTX", or target, such as gfx942.
        type: Type of A and B, such as f16 or fp8; every type if left out.
        sparse: With 2:4 sparsity, or without.
        clock: MHz instead of the product's own clock.
        units: How many compute units of a target; a product has its own number.
        stepping: Silicon stepping, such as A0; the final one if left out.
        json: Print JSON.

    """
    present(
        explain_peak(
            name,
            type=type,
            sparse=sparse,
            clock_mhz=clock,
            units_count=units,
            stepping=stepping,
        ),
        json=json,
    )
    return 0
