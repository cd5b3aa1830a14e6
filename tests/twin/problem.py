"""One output element's operands and options, as every rule takes them."""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.twin.values import Value, decode, multiply


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
        pairs = zip(self.a, self.b, strict=True)
        return [multiply(decode(self.a_format, x), decode(self.b_format, y)) for x, y in pairs]

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
