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
        special: What other codes read, by code: "scc", "vccz", "execz", an aperture, or where
            scratch memory lies.
        scratch: Where generic addresses name lanes of scratch memory: the high half of the first,
            and of how many bytes all have; zeros elsewhere.

    """

    exec: int
    vcc: int
    m0: int
    null: int | None
    special: dict[int, str]
    scratch: tuple[int, int] = (0, 0)


_SPECIAL = ("scc", "vccz", "execz", "shared_base", "private_base", "shared_limit", "private_limit")
_SCRATCH = ("flat_scratch_base_lo", "flat_scratch_base_hi")
_HALF_BITS = 32


@cache
def codes_of(architecture: str) -> Codes:
    """Give the source codes of an architecture.

    Raises:
        UnknownName: It has no such table.

    """
    found = {name.lower(): code for name, code in numbers("source_code", architecture).items()}
    special = {found[name]: name for name in (*_SPECIAL, *_SCRATCH) if name in found}
    scratch = (0, 0)
    if names_lanes(architecture):
        spaces = numbers("aperture", architecture)
        scratch = spaces["PRIVATE_BASE"] >> _HALF_BITS, spaces["PRIVATE_SIZE"] >> _HALF_BITS
    null = found.get("null")
    return Codes(found["exec_lo"], found["vcc_lo"], found["m0"], null, special, scratch)


def names_lanes(architecture: str) -> bool:
    """Tell whether generic addresses of scratch memory say whose it is."""
    return all(name.upper() in numbers("source_code", architecture) for name in _SCRATCH)
