"""The prototype of a builtin as NumPy shapes and types."""

from functools import cache
from typing import NamedTuple

import ml_dtypes
import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake, OutOfRange
from wavemma.formats.dlpack import as_array
from wavemma.fragments import Registers
from wavemma.tables.builtins import BuiltinRow, arguments, builtin_row, ctypes


class CType(NamedTuple):
    """A C type of a prototype.

    Attributes:
        name: As C writes it, without const.
        dtype: NumPy type of an element.
        elements: Elements of the vector; 0 for a scalar.
        constant: Whether the argument must be a constant.

    """

    name: str
    dtype: np.dtype[np.generic]
    elements: int
    constant: bool

    def shape(self, lanes: int) -> str:
        """Write the shape of a fragment of this type."""
        return f"[..., {lanes}, {self.elements}]" if self.elements else f"[..., {lanes}]"

    @property
    def registers(self) -> int:
        """Registers that a value of the type fills in each lane."""
        return -(-self.dtype.itemsize * max(self.elements, 1) // 4)


class Argument(NamedTuple):
    """One argument: what it is for and its type."""

    role: str
    ctype: CType

    @property
    def operand(self) -> str:
        """The operand that it is, or an empty string for a modifier."""
        return arguments()[self.role].operand


class Signature(NamedTuple):
    """A builtin's name, arguments in call order, and result."""

    name: str
    arguments: tuple[Argument, ...]
    returns: CType

    def __str__(self) -> str:
        words = [f"{'const ' * a.ctype.constant}{a.ctype.name} {a.role}" for a in self.arguments]
        return f"{self.returns.name} {self.name}({', '.join(words)})"


def ctype(text: str) -> CType:
    """Read a C type such as "const int", "float" or "_Float16x16"."""
    bare = text.removeprefix("const ")
    name, _, elements = bare.partition("x")
    kind = ctypes()[name].dtype
    found = ml_dtypes.bfloat16 if kind == "bfloat16" else kind
    return CType(bare, np.dtype(found), int(elements or 0), text.startswith("const "))


@cache
def signature(name: str) -> Signature:
    """Give the signature of a builtin.

    Raises:
        UnknownBuiltin: No builtin has the name.

    """
    row: BuiltinRow = builtin_row(name)
    given = tuple(Argument(role, ctype(text)) for text, role in row.args)
    return Signature(row.name, given, ctype(row.returns))


def to_words(value: npt.ArrayLike, kind: CType, lanes: int, name: str) -> Registers:
    """Turn a fragment in the compiler's element order into the registers of each lane.

    Args:
        value: [..., lanes, elements], or [..., lanes] for a scalar type, of the type's dtype;
            same-sized integers are taken as bits; a Python integer is the same in every lane.
        kind: The C type.
        lanes: Lanes of the wave.
        name: The argument, for the message.

    Returns:
        uint32 [..., lane, register].

    Raises:
        ArrayMistake: Type or shape differ.

    """
    array = value if isinstance(value, np.ndarray) else _whole(value, kind, lanes)
    shape = (lanes, kind.elements) if kind.elements else (lanes,)
    if array.dtype != kind.dtype or array.shape[array.ndim - len(shape) :] != shape:
        _check_bits(array, kind, shape, lanes, name)
    if not array.flags.c_contiguous:
        array = np.ascontiguousarray(array)
    words: Registers = array.view(np.uint32) if kind.elements else _scalar_words(array)
    return words


def _whole(value: npt.ArrayLike, kind: CType, lanes: int) -> npt.NDArray[np.generic]:
    if isinstance(value, int) and not kind.elements:
        return np.full(lanes, _number(value, kind), dtype=kind.dtype)
    return as_array(value)


def _number(value: int, kind: CType) -> int:
    """Give a number as its type has it: words are written in hexadecimal as often as signed."""
    if kind.dtype.kind != "i":
        return value
    bits = 8 * kind.dtype.itemsize
    if not -(1 << bits - 1) <= value < 1 << bits:
        raise OutOfRange(
            f"A number of type {kind.name} has {bits} bits; {value} was given.", subject=value
        )
    return value - (1 << bits) if value >> bits - 1 == 1 else value


def _scalar_words(array: npt.NDArray[np.generic]) -> Registers:
    words: Registers = array.reshape(*array.shape, 1).view(np.uint32)
    return words


def _check_bits(
    array: npt.NDArray[np.generic], kind: CType, shape: tuple[int, ...], lanes: int, name: str
) -> None:
    """Take integers of the same size as bits; refuse everything else."""
    as_bits = array.dtype.kind in "iu" and array.dtype.itemsize == kind.dtype.itemsize
    if not as_bits or array.shape[array.ndim - len(shape) :] != shape:
        raise ArrayMistake(
            f"{name} must be {kind.name}: {kind.dtype} {kind.shape(lanes)}; given {array.dtype}"
            f" {list(array.shape)}.",
            subject=array.shape,
        )


def from_words(words: Registers, kind: CType) -> npt.NDArray[np.generic]:
    """Turn registers [..., lane, register] into a fragment in the compiler's element order."""
    array = words.view(kind.dtype)
    return array if kind.elements else array[..., 0]
