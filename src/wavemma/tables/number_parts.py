"""Rows of data/isa for numbers that are written by their parts and names."""

import msgspec


class PartRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bits lo..hi of a number that is written by its parts; at `default` one is left out.

    `upper` are the lowest and highest of the bits that stand above them, if they are elsewhere.
    """

    immediate: str
    word: str
    lo: int
    hi: int
    default: int
    upper: tuple[int, int] | None = None


class NamedRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the assembler calls a value of an immediate or of one of its parts."""

    immediate: str
    value: int
    name: str
