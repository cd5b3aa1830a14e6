"""Whether all numbers in registers lie within a range, many of them in one machine word."""

from collections.abc import Sequence

import llvmlite.ir as ir

from wavemma.engines.loops import INDEX, counted_loop
from wavemma.engines.wide_x86 import called
from wavemma.execute.in_place import InPlace
from wavemma.execute.panels import splat
from wavemma.formats.format import Format
from wavemma.layouts.layout import REGISTER_BITS
from wavemma.numerics.path import Extent
from wavemma.numerics.ranges import code_limits

_TESTED_BITS = (8, 16, 32)
_UNROLLED = 8
_BIT = ir.IntType(1)


def can_test(form: Format, bits: int) -> bool:
    """Tell whether numbers of a format can be tested in their registers.

    Args:
        form: The format.
        bits: Of an element.

    """
    return bits in _TESTED_BITS and bits == form.bits


class RegisterTest:
    """Writes the test.

    Args:
        build: Where instructions go.
        codes: The operand; its registers are bound.
        form: Its format, which can be tested.
        bounds: Exponents of numbers other than zero, both ends included.

    """

    def __init__(self, build: ir.IRBuilder, codes: InPlace, form: Format, bounds: Extent) -> None:
        self.build = build
        self.codes = codes
        self.form = form
        self.low, self.high = code_limits(form, bounds)
        element = ir.IntType(form.bits)
        self.kind = ir.VectorType(element, codes.count * REGISTER_BITS // form.bits)

    def passed(self) -> ir.Value:
        """Give the truth value that all numbers lie within the bounds."""
        groups = self.codes.entries // self.codes.slots
        together = min(groups, _UNROLLED)

        def turn(number: ir.Value, carried: Sequence[ir.Value]) -> Sequence[ir.Value]:
            first = self.build.mul(number, INDEX(together * self.codes.slots))
            for group in range(together):
                entry = self.build.add(first, INDEX(group * self.codes.slots))
                carried = self._with(self.codes.vector(entry), carried)
            return carried

        begun = [splat(self.kind, 0), splat(self.kind, -1), splat(self.kind, 0)]
        most, least, wrong = counted_loop(self.build, INDEX(groups // together), begun, turn)
        build = self.build
        fits = build.icmp_unsigned("<=", most, splat(self.kind, self.high))
        if self.low > 1:
            above = build.icmp_unsigned("<=", splat(self.kind, self.low - 1), least)
            fits = build.and_(fits, above)
        if self._has_odd_nan:
            fits = build.and_(fits, build.icmp_unsigned("==", wrong, splat(self.kind, 0)))
        whole = ir.IntType(self.kind.count)
        return build.icmp_signed("==", build.bitcast(fits, whole), whole(-1))

    @property
    def _has_odd_nan(self) -> bool:
        return self.form.nan == "negative_zero"

    def _with(self, words: ir.Value, carried: Sequence[ir.Value]) -> list[ir.Value]:
        """Go on with the largest size, the least one less 1, and whether a NaN is a zero's code."""
        most, least, wrong = carried
        build, code = self.build, self.build.bitcast(words, self.kind)
        size = build.and_(code, splat(self.kind, self.form.codes - 1 - self.form.sign_bit))
        most = self._extreme("umax", most, size)
        if self.low > 1:
            least = self._extreme("umin", least, build.sub(size, splat(self.kind, 1)))
        if self._has_odd_nan:
            same = build.icmp_unsigned("==", code, splat(self.kind, self.form.sign_bit))
            wrong = build.or_(wrong, build.sext(same, self.kind))
        return [most, least, wrong]

    def _extreme(self, name: str, x: ir.Value, y: ir.Value) -> ir.Value:
        suffix = f"v{self.kind.count}i{self.kind.element.width}"
        return called(self.build, f"llvm.{name}.{suffix}", self.kind, x, y)
