"""Format: one number format and the facts that follow from its row."""

from functools import cache

import msgspec

from wavemma.errors import UnknownFormat
from wavemma.tables.format_names import formats_called
from wavemma.tables.formats import FormatRow, format_row, format_rows


class Format(FormatRow, frozen=True, forbid_unknown_fields=True):
    """A number format.

    Example:
        >>> number_format("f16").max_value
        65504.0

    """

    @property
    def is_float(self) -> bool:
        """True for floats, false for integers."""
        return self.kind == "float"

    @property
    def codes(self) -> int:
        """How many codes there are."""
        return 1 << self.bits

    @property
    def has_sign(self) -> bool:
        """True if a code may stand for a negative number."""
        return self.sign != "unsigned"

    @property
    def sign_bit(self) -> int:
        """The sign's bit as a mask; 0 for unsigned floats."""
        return 1 << (self.bits - 1) if self.has_sign else 0

    @property
    def has_nan(self) -> bool:
        """True if some code is NaN."""
        return self.nan != "none"

    @property
    def has_negative_zero(self) -> bool:
        """True if zero has two codes."""
        subnormal = self.lowest == "subnormal"
        return self.is_float and self.has_sign and subnormal and self.nan != "negative_zero"

    @property
    def min_exponent(self) -> int:
        """Exponent of the smallest normal number; subnormals count as having it too."""
        return (1 if self.lowest == "subnormal" else 0) - self.bias

    @property
    def precision(self) -> int:
        """Bits of a normal significand that count, the leading one included."""
        return self.fraction - self.ignored + 1

    @property
    def min_normal(self) -> float:
        """The smallest positive normal number."""
        return float(2.0**self.min_exponent)

    @property
    def min_subnormal(self) -> float:
        """The smallest positive number; the smallest normal one if there are no subnormals."""
        if self.lowest == "normal":
            return self.min_normal
        return float(2.0 ** (self.min_exponent - self.fraction + self.ignored))

    @property
    def max_code(self) -> int:
        """The code of the largest finite number."""
        top = (1 << (self.bits - (1 if self.has_sign else 0))) - 1
        if not self.is_float:
            return top
        if self.infinity:
            return ((((1 << self.exponent) - 1) << self.fraction) - 1) & ~((1 << self.ignored) - 1)
        return top - 1 if self.nan == "ones" else top

    @property
    def max_value(self) -> float:
        """The largest finite number."""
        if not self.is_float:
            return float(self.max_code)
        field = self.max_code >> self.fraction
        fraction = self.max_code & ((1 << self.fraction) - 1)
        significand = 1.0 + fraction / 2.0**self.fraction
        return float(significand * 2.0 ** (field - self.bias))

    @property
    def infinity_code(self) -> int | None:
        """The code of plus infinity; None if there is none."""
        return ((1 << self.exponent) - 1) << self.fraction if self.infinity else None

    @property
    def nan_code(self) -> int | None:
        """The code of a quiet positive NaN, or the only NaN; None if there is none."""
        ones = (1 << (self.exponent + self.fraction)) - 1
        quiet = (1 << (self.fraction - 1) if self.fraction else 0) | (self.infinity_code or 0)
        return {"ieee": quiet, "ones": ones, "negative_zero": self.sign_bit, "none": None}[self.nan]


@cache
def number_format(name: str) -> Format:
    """Look up a number format.

    Args:
        name: Key of data/formats.toml, such as "bf16" or "fp8_fnuz", or what another tool calls
            one format alone, such as "float8_e4m3fn" or "half".

    Raises:
        UnknownFormat: No format has the name, or several have it.

    """
    if name in format_rows():
        return Format(**msgspec.structs.asdict(format_row(name)))
    found = formats_called(name)
    if len(found) > 1:
        raise UnknownFormat(f"{name!r} may be {' or '.join(found)}: name one.", subject=name)
    return number_format(found[0])


def number_formats() -> tuple[Format, ...]:
    """Give every number format, in file order."""
    return tuple(number_format(name) for name in format_rows())
