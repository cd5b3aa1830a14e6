"""Records of data/formats.toml: number formats."""

from functools import cache
from typing import Literal

import msgspec

from wavemma.errors import UnknownFormat
from wavemma.tables.files import rows
from wavemma.tables.keys import Grade, by_name

_FILE = "formats.toml"


class FormatRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the bits of one number format are read.

    A code is sign, exponent field and fraction, from the high bits down; `exponent` and
    `fraction` are 0 for integers.

    Attributes:
        name: Key, such as "f16".
        type: The word that instruction names use for it.
        kind: Float or two's complement integer.
        bits: Width of a code.
        sign: Always signed, never, or chosen by the instruction.
        exponent: Width of the exponent field.
        fraction: Width of the fraction field, ignored bits included.
        ignored: Lowest fraction bits that are read as zero.
        bias: Subtracted from the exponent field.
        lowest: What an exponent field of 0 means: subnormals and zero, or a normal number.
        infinity: The highest exponent field with a fraction of 0 is an infinity.
        nan: Which codes are NaN: IEEE's, all bits below the sign set, only the code of
            minus zero, or none.
        dtype: Name of the NumPy or ml_dtypes type with the same codes, empty if there is none.

    """

    name: str
    type: str
    kind: Literal["float", "integer"]
    bits: int
    sign: Literal["signed", "unsigned", "chosen"]
    exponent: int
    fraction: int
    ignored: int
    bias: int
    lowest: Literal["subnormal", "normal"]
    infinity: bool
    nan: Literal["ieee", "ones", "negative_zero", "none"]
    dtype: str
    source: str
    grade: Grade
    note: str = ""


@cache
def format_rows() -> dict[str, FormatRow]:
    """Give every number format by name, in file order."""
    return by_name(_FILE, "format", rows(_FILE, "format", FormatRow))


def format_row(name: str) -> FormatRow:
    """Look up one number format.

    Raises:
        UnknownFormat: If no row has the name.

    """
    table = format_rows()
    if name not in table:
        raise UnknownFormat(
            f"A number format must be a known name, got '{name}'.", subject=name, allowed=table
        )
    return table[name]
