"""The code objects in a file that people hand over, each with its target and functions."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from wavemma.errors import FileMistake, UnknownTarget
from wavemma.isa.target import TargetRow, Wave, target, wave_of
from wavemma.objects import (
    ElfFile,
    Function,
    functions,
    is_generic,
    object_files,
    processor,
    read_elf,
    target_of,
)

WaveSource = Literal["its descriptor", "the kernels beside it", "--wave", "the default"]
WORD_BYTES = 4
_USAGE = "wavemma dis TARGET FILE"


class ObjectFile(NamedTuple):
    """A code object.

    Attributes:
        target: What it is read as.
        functions: Its code, lowest first.
        skipped: What was left out of the file that it came from, one sentence each.

    """

    target: TargetRow
    functions: tuple[Function, ...]
    skipped: tuple[str, ...]


class FunctionCode(NamedTuple):
    """A function with all that decoding it needs."""

    function: Function
    target: TargetRow
    wave: Wave
    wave_source: WaveSource
    starts: tuple[tuple[int, str], ...]


def read_objects(
    data: bytes, asked: TargetRow | None, usage: str = _USAGE
) -> tuple[ObjectFile, ...]:
    """Read the code objects of an ELF file, a bundle, or a host file that holds bundles.

    Args:
        data: The whole file.
        asked: The target that it must be for; any if None.
        usage: How to ask again with another target, for messages; TARGET stands for its name.

    Raises:
        FileMistake: It is damaged, holds no code, or is for another target.
        UnknownTarget: Nothing in it is for a target in the tables.

    """
    files = [read_elf(each) for each in object_files(data, asked.name if asked else None)]
    readable = [each for each in files if asked or _is_known(each)]
    if files and not readable:
        _refuse(files[0], usage)
    others = dict.fromkeys(processor(each.flags) for each in files if each not in readable)
    skipped = tuple(f"Left out: code for {name}, which has no tables here." for name in others)
    found = [_object(each, asked, skipped, usage) for each in readable]
    coded = tuple(each for each in found if each.functions)
    if not coded:
        raise FileMistake("The file must hold device code; it holds none.", subject="code")
    return coded


def _is_known(file: ElfFile) -> bool:
    try:
        target_of(file.flags)
    except UnknownTarget:
        return False
    return True


def _refuse(file: ElfFile, usage: str) -> None:
    if is_generic(file.flags):
        raise FileMistake(
            f"The code object is for {processor(file.flags)}, which stands for several targets; it"
            " must be read as one of them.",
            subject=processor(file.flags),
            hint=f"Use: {usage}",
        )
    target_of(file.flags)


def _object(
    file: ElfFile, asked: TargetRow | None, skipped: tuple[str, ...], usage: str
) -> ObjectFile:
    row = asked if asked and is_generic(file.flags) else None
    if row is None:
        row = target(target_of(file.flags)) if asked is None else _same(file, asked, usage)
    return ObjectFile(row, functions(file, row), skipped)


def _same(file: ElfFile, asked: TargetRow, usage: str) -> TargetRow:
    """Refuse a file that is for another target than was asked for."""
    name = processor(file.flags)
    if name != asked.name:
        raise FileMistake(
            f"The code object is for {name or 'a processor in no list'}; {asked.name} was asked"
            " for.",
            subject=asked.name,
            hint=f"Use: {usage.replace('TARGET', name)}" if _is_known(file) else "",
        )
    return asked


def function_codes(file: ObjectFile, asked: int | None) -> Iterator[FunctionCode]:
    """Give each function of a code object its wave size.

    Raises:
        FileMistake: A descriptor says another wave size than was asked for.

    """
    lanes = None if asked is None else wave_of(file.target, asked)
    kernels = {each.name: each.descriptor.wave for each in file.functions if each.descriptor}
    others = {name: wave for name, wave in kernels.items() if lanes and wave != lanes}
    for name, wave in others.items():
        raise FileMistake(
            f"--wave must be what the kernel descriptors say; {lanes} was given, and {name} has"
            f" waves of {wave} lanes.",
            subject=lanes,
            hint="Leave --wave out.",
        )
    starts = tuple((each.address, each.name) for each in file.functions)
    for each in file.functions:
        wave, said = _wave(each, file.target, lanes, set(kernels.values()))
        yield FunctionCode(each, file.target, wave, said, starts)


def bare_code(
    asked: TargetRow | None, data: bytes, wave: int | None, usage: str = _USAGE
) -> FunctionCode:
    """Take a file without a header as code from its first byte on.

    Args:
        asked: The target that it is for.
        data: The whole file.
        wave: Lanes of the wave; the target's default if None.
        usage: How to ask again with a target, for messages.

    Raises:
        FileMistake: No target is given, or the file is no whole words.

    """
    if asked is None:
        raise FileMistake(
            "Code without an ELF header doesn't say for which target it is.", hint=f"Use: {usage}"
        )
    if len(data) % WORD_BYTES or not data:
        raise FileMistake(
            "A file of code must be a code object or whole 32-bit words;"
            f" it has {len(data)} bytes.",
            subject=len(data),
        )
    said: WaveSource = "the default" if wave is None else "--wave"
    function = Function("", 0, data, False, None, {})
    return FunctionCode(function, asked, wave_of(asked, wave), said, ())


def is_text(data: bytes) -> bool:
    """Whether a file is written text: UTF-8 without control characters but for white space."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return all(letter.isprintable() or letter.isspace() for letter in text)


def _wave(
    function: Function, row: TargetRow, asked: Wave | None, kernels: set[Wave]
) -> tuple[Wave, WaveSource]:
    if function.descriptor:
        return function.descriptor.wave, "its descriptor"
    if len(kernels) == 1:
        return next(iter(kernels)), "the kernels beside it"
    return (asked, "--wave") if asked else (row.default_wave, "the default")
