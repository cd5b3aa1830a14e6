"""Records of the rows of data/abi; a row is for all architectures unless it lists some."""

from typing import Literal

import msgspec

from wavemma.tables.keys import Grade


class CitedRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row with a source, for some or all architectures."""

    source: str
    grade: Grade
    architectures: tuple[str, ...] = ()

    def holds_for(self, architecture: str) -> bool:
        """Tell whether the row is for an architecture."""
        return not self.architectures or architecture in self.architectures


class BitsRow(CitedRow, frozen=True, kw_only=True):
    """Bits lo..hi of a word, both inside; `sgprs`: registers that the flag gives to a wave."""

    word: str
    name: str
    lo: int
    hi: int
    sgprs: int = 0
    meaning: str = ""


class NumberRow(CitedRow, frozen=True, kw_only=True):
    """A named number of a set, such as a machine number or a message."""

    set: str
    name: str
    value: int
    meaning: str = ""


class WordRow(CitedRow, frozen=True, kw_only=True):
    """A word of a set, such as a metadata key; `seen`: in how many kernels or arguments."""

    set: str
    name: str
    seen: int | None = None
    meaning: str = ""


class LimitRow(CitedRow, frozen=True, kw_only=True):
    """A limit or granule, for some or all wave sizes."""

    name: str
    value: int
    unit: str = ""
    waves: tuple[Literal[32, 64], ...] = ()


class StructRow(CitedRow, frozen=True, kw_only=True):
    """A structure in memory; no size: it ends with something of any length."""

    name: str
    size: int | None = None
    align: int | None = None


class MemberRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A member of a structure, in bytes, little endian."""

    struct: str
    name: str
    offset: int
    size: int
    meaning: str = ""


class RelocationRow(CitedRow, frozen=True, kw_only=True):
    """A relocation: S symbol, A addend, P place, G place in the GOT, B base; width in bits."""

    name: str
    value: int
    width: int
    formula: str
    meaning: str = ""


class HiddenRow(CitedRow, frozen=True, kw_only=True):
    """A hidden kernel argument, by code object version; offset from the first hidden byte."""

    version: Literal["v4", "v5"]
    name: str
    offset: int
    size: int
    meaning: str = ""


class SgprRow(CitedRow, frozen=True, kw_only=True):
    """A group of SGPRs that a wave starts with, in order; `enable`: the flag that asks for it."""

    kind: Literal["user", "system"]
    position: int
    name: str
    enable: str = ""


class PaddingRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Targets on which user SGPRs and workgroup ids are filled up to a number."""

    targets: tuple[str, ...]
    wave: Literal[32, 64]
    fill_to: int
    source: str
    grade: Grade
    note: str


class HighBitsRow(CitedRow, frozen=True, kw_only=True):
    """Which operand of an encoding each pair of high register bits belongs to."""

    encoding: str
    src0: str = ""
    src1: str = ""
    src2: str = ""
    dst: str = ""
    note: str = ""


class RemarkRow(CitedRow, frozen=True, kw_only=True):
    """A rule that is told in words."""

    name: str
    fact: str


class QuestionRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What no source tells."""

    unknown: str


class AbiConflict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sources that disagree."""

    name: str
    about: str
    claims: tuple[str, ...]
