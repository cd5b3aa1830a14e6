"""Rows of data/isa for the words of ordinary instructions: encodings, modifiers, codes."""

from typing import Literal

import msgspec

from wavemma.tables.instructions import Grade


class WordRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An instruction word.

    `escape` is the source field in which a code may say that a further word follows; `second` the
    encoding of the other half of a dual instruction; `unit` whether it computes a number a lane or
    one in all; `space` what addresses of memory instructions count in; `signed_address` whether a
    vector register that is added to a scalar address has a sign.
    """

    name: str
    size_bytes: int
    opcode: str
    escape: str = ""
    second: str = ""
    unit: Literal["vector", "scalar"] = "vector"
    space: Literal["", "global", "flat", "scratch", "lds", "buffer"] = ""
    signed_address: bool = False


class ExtensionRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A further word, the code in the escape field that asks for it, and its modifiers.

    `parts` says that it takes parts of registers, not of other lanes, and `suffix` what the
    assembler puts behind the mnemonic, if not what the row says.
    """

    name: str
    encoding: str
    code: int
    modifiers: tuple[str, ...]
    use: str
    parts: bool = False
    suffix: str = ""


class SettingRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A modifier: fields that hold its bits, low first, and how its value is written.

    `constant` is the value of one without bits; with `unless_null` it is not written where that
    field names the null register.
    """

    name: str
    word: str
    kind: Literal["flag", "int", "mask", "hex", "table", "signed", "signed_hex", "lanes", "choice"]
    fields: tuple[str, ...]
    default: tuple[int, ...] = ()
    always: bool = False
    constant: int = 0
    unless_null: str = ""


class ChoiceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Codes code.. of a modifier: text with the number first.. behind it, or a list of numbers."""

    modifier: str
    code: int
    text: str
    count: int = 1
    first: int | None = None
    list_bits: int = 0


class CodeRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A source code that decoding itself must know: of the null register, and of literals."""

    name: str
    code: int


class BankingRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The instruction that sets the high bits of the numbers of vector registers.

    Attributes:
        name: Its mnemonic.
        roles: The operands that each two bits of its number are for, low first; with a space in
            front, those of memory instructions of that space.
        source: Key of a source.
        grade: How sure the row is.

    """

    name: str
    roles: tuple[tuple[str, ...], ...]
    source: str
    grade: Grade
