"""One output element's operands and options, as every rule takes them."""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.twin.values import FORMATS, Value, decode, multiply

NARROW = 8
"""Bits of formats whose products are few enough to keep all of them."""


def _product(a_format: str, x: int, b_format: str, y: int) -> Value:
    return multiply(decode(a_format, x), decode(b_format, y))


_kept = functools.lru_cache(maxsize=1 << 20)(_product)


@dataclass(frozen=True)
class Problem:
    """Operands as patterns in ascending k, their formats, and the options of all rules."""

    a: tuple[int, ...]
    b: tuple[int, ...]
    c: int
    a_format: str
    b_format: str
    c_format: str
    d_format: str
    step: int | None = None
    variant: str | None = None
    fp16_ovfl: bool = False
    clamp: bool = False
    signed_a: bool = True
    signed_b: bool = True
    stages: int | Sequence[Sequence[int]] = 1
    scale_a: Sequence[int] | None = None
    scale_b: Sequence[int] | None = None
    scale_a_format: str = "e8m0"
    scale_b_format: str = "e8m0"
    block: int = 32

    @functools.cached_property
    def products(self) -> list[Value]:
        """The exact products in ascending k."""
        narrow = FORMATS[self.a_format].width <= NARROW and FORMATS[self.b_format].width <= NARROW
        found = _kept if narrow else _product
        pairs = zip(self.a, self.b, strict=True)
        return [found(self.a_format, x, self.b_format, y) for x, y in pairs]

    def need_variant(self, *known: str) -> str:
        """The chosen variant, the first one unless said otherwise."""
        chosen = self.variant or known[0]
        if chosen not in known:
            raise ValueError(f"variant {chosen!r} must be one of {known}")
        return chosen


def chunks(products: Sequence[Value], length: int) -> Iterator[Sequence[Value]]:
    """Consecutive runs of ``length`` products, the last one shorter if need be."""
    for start in range(0, len(products), length):
        yield products[start : start + length]
