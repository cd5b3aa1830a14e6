"""Source codes that the machine must know."""

from functools import cache

import msgspec

from wavemma.tables.abi import numbers


class Codes(msgspec.Struct, frozen=True):
    """Source codes of registers that instructions name without an operand, or that are no file.

    Attributes:
        exec: Of the low half of the mask of active lanes.
        vcc: Of the low half of the carry mask.
        m0: Of the register of that name.
        null: Of the register that reads 0 and keeps nothing; None if there is none.
        special: What other codes read, by code: "scc", "vccz", "execz", or an aperture.

    """

    exec: int
    vcc: int
    m0: int
    null: int | None
    special: dict[int, str]


_SPECIAL = ("scc", "vccz", "execz", "shared_base", "private_base", "shared_limit", "private_limit")


@cache
def codes_of(architecture: str) -> Codes:
    """Give the source codes of an architecture.

    Raises:
        UnknownName: It has no such table.

    """
    found = {name.lower(): code for name, code in numbers("source_code", architecture).items()}
    special = {found[name]: name for name in _SPECIAL if name in found}
    return Codes(found["exec_lo"], found["vcc_lo"], found["m0"], found.get("null"), special)
