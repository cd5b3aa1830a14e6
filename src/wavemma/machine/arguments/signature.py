"""Types of kernel arguments: from a signature, metadata, the mangled name, debug information."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import msgspec
import numpy as np
from numpy.typing import DTypeLike

from wavemma.errors import LaunchMistake
from wavemma.formats.dtypes import dtype_of
from wavemma.formats.format import number_format, number_formats
from wavemma.machine.arguments.mangled import parameters
from wavemma.objects import Argument, KernelMetadata

POINTER = "*"
Signature = str | Sequence[DTypeLike]
_C_WORDS = {
    "bool": "bool",
    "char": "int8",
    "signed char": "int8",
    "unsigned char": "uint8",
    "short": "int16",
    "unsigned short": "uint16",
    "int": "int32",
    "unsigned": "uint32",
    "unsigned int": "uint32",
    "long": "int64",
    "unsigned long": "uint64",
    "long long": "int64",
    "unsigned long long": "uint64",
    "size_t": "uint64",
    "wchar_t": "int32",
    "char8_t": "uint8",
    "char16_t": "uint16",
    "char32_t": "uint32",
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "__half": "float16",
    "_Float16": "float16",
    "__fp16": "float16",
    "__bf16": "bf16",
    "hip_bfloat16": "bf16",
    "__hip_bfloat16": "bf16",
}
"""What C and HIP call a type, and its NumPy name or its format."""
_SHORT = re.compile(r"([iuf])(8|16|32|64)")
_KINDS = {"i": "int", "u": "uint", "f": "float"}
_IGNORED = re.compile(r"\b(const|volatile|__restrict__|restrict)\b")
_STRUCTURES = ("struct", "union", "class", "enum")
_NOT_NUMBERS = "OSUMm"


class Type(msgspec.Struct, frozen=True):
    """What an argument is: a pointer, a number of a NumPy type, or not known.

    Attributes:
        is_pointer: Whether it is a pointer.
        number: Type of a number; None for anything else.
        element: Type of the numbers that a pointer leads to, if known.

    """

    is_pointer: bool = False
    number: np.dtype[Any] | None = None
    element: np.dtype[Any] | None = None


def argument_types(
    found: KernelMetadata, signature: Signature | None, noted: Sequence[str] = ()
) -> tuple[Type, ...]:
    """Give the type of each argument that a caller passes, as far as it is known.

    Args:
        found: The kernel's metadata.
        signature: Types in words, such as "float*, const int*, int n", or a sequence of NumPy
            types and words; None: what metadata, the mangled name or debug information say.
        noted: A word for each argument from debug information, if there is any.

    Raises:
        LaunchMistake: The signature has other arguments than the kernel.

    """
    if signature is not None:
        return _checked(found, [type_of(each) for each in _split(signature)])
    return _told(found, tuple(noted))


@lru_cache(maxsize=256)
def _told(found: KernelMetadata, noted: tuple[str, ...]) -> tuple[Type, ...]:
    """Give the types that metadata, the mangled name or debug information tell."""
    wanted = found.explicit
    nothing = (None,) * len(wanted)
    named, told = (
        words if len(words) == len(wanted) else nothing
        for words in (parameters(found.name) or (), noted)
    )
    types = []
    for argument, *words in zip(wanted, named, told, strict=True):
        known = next(filter(None, map(_known, (argument.type_name, *words))), Type())
        types.append(known if _fits(known, argument) else Type())
    return tuple(types)


def type_of(word: DTypeLike) -> Type:
    """Read one type.

    Args:
        word: A NumPy type, or a word of C, HIP or NumPy, or the name of a format; one with "*"
            is a pointer, "struct Name" is a structure. A name may follow.

    Raises:
        LaunchMistake: It is none.

    """
    found = _known(word) if isinstance(word, str) or word is None else _of_numpy(word)
    if found is None:
        raise LaunchMistake(
            f"A type in a signature must be a NumPy type, a format such as 'bf16', or words of C"
            f" such as 'unsigned int', 'float*' or 'struct Name'; got {word!r}.",
            subject=str(word),
            allowed=[*_C_WORDS, *(each.name for each in number_formats())],
        )
    return found


def _split(signature: Signature) -> list[DTypeLike]:
    if not isinstance(signature, str):
        return list(signature)
    return [each.strip() for each in signature.split(",")] if signature.strip() else []


def _checked(found: KernelMetadata, types: list[Type]) -> tuple[Type, ...]:
    """Refuse a signature that the kernel cannot have."""
    wanted = found.explicit
    if len(types) != len(wanted):
        raise LaunchMistake(
            f"The signature of {found.name} must have {len(wanted)} types, got {len(types)}.",
            subject=len(types),
        )
    for position, (argument, given) in enumerate(zip(wanted, types, strict=True)):
        if not _fits(given, argument):
            raise LaunchMistake(
                f"Argument {position} of {found.name} has {argument.size} bytes and is"
                f" {argument.value_kind!r}; the signature says {_word(given)}.",
                subject=position,
            )
    return tuple(types)


def _fits(given: Type, argument: Argument) -> bool:
    if given.number is not None:
        return given.number.itemsize == argument.size and not _is_buffer(argument)
    return not given.is_pointer or argument.size == np.dtype(np.uint64).itemsize


def _is_buffer(argument: Argument) -> bool:
    return argument.value_kind == "global_buffer"


def _word(given: Type) -> str:
    if given.number is not None:
        return f"{given.number} of {given.number.itemsize} bytes"
    return "a pointer"


def _of_numpy(word: DTypeLike) -> Type | None:
    """Take a NumPy type; one with members is a structure, whose bytes are given as they are."""
    try:
        found = np.dtype(word)
    except TypeError:
        return None
    if found.names:
        return Type()
    return None if found.kind in _NOT_NUMBERS else Type(number=found)


def _known(word: str | None) -> Type | None:
    """Read a word; None if it is none."""
    if not word or word.isspace():
        return None
    if POINTER in word:
        element, _, behind = word.partition(POINTER)
        return Type(is_pointer=True, element=None if POINTER in behind else _element(element))
    if word.split()[0] in _STRUCTURES:
        return Type()
    words = _IGNORED.sub(" ", word).split()
    for count in (len(words), len(words) - 1):
        number = _number(" ".join(words[:count]))
        if number is not None:
            return Type(number=number)
    return None


def _element(word: str) -> np.dtype[Any] | None:
    """Find the type of what a pointer leads to; None if it is no number."""
    return _number(" ".join(_IGNORED.sub(" ", word).split()))


def _number(word: str) -> np.dtype[Any] | None:
    """Find a NumPy type by a name of C, of NumPy or of a format."""
    short = _SHORT.fullmatch(word)
    if short:
        word = _KINDS[short[1]] + short[2]
    name = _C_WORDS.get(word) or word.removesuffix("_t")
    if name in _numpy_names():
        return np.dtype(name)
    if name in {each.name for each in number_formats()}:
        return dtype_of(number_format(name), signed=True)
    return None


@cache
def _numpy_names() -> frozenset[str]:
    return frozenset(np.dtype(letter).name for letter in "?bBhHiIqQefd")
