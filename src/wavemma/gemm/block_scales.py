"""The scales of blocks along k of a scaled product: given, or to be chosen."""

from dataclasses import dataclass

import numpy.typing as npt

from wavemma.formats.blocks import ScaleRule


@dataclass(frozen=True, eq=False)
class BlockScales:
    """Scales that go with codes.

    Args:
        a: [..., M, K/block], one for each row of A and block along k: codes as unsigned integers,
            or a type with the codes, such as ml_dtypes.float8_e8m0fnu; ones if None. The last
            block may be short.
        b: [..., K/block, N], the same of B.
        a_format: Format of A's scales where they are integers.
        b_format: Format of B's scales where they are integers.
        allow_nan: Take scales that are NaN, which make NaN of whole rows or columns as hardware
            does; refused otherwise, as most are bytes that nobody has set.

    """

    a: npt.ArrayLike | None = None
    b: npt.ArrayLike | None = None
    a_format: str = "e8m0"
    b_format: str = "e8m0"
    allow_nan: bool = False


@dataclass(frozen=True)
class Quantise:
    """How real numbers become codes with scales before the product.

    Args:
        a: Format of A's elements, such as "fp4" or "fp8".
        b: Format of B's elements.
        scale_a: Format of A's scales; what goes with the elements if None.
        scale_b: Format of B's scales.
        rule: How a scale follows from its block, as for `formats.quantise`.

    """

    a: str
    b: str
    scale_a: str | None = None
    scale_b: str | None = None
    rule: ScaleRule | None = None
