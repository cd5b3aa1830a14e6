"""The code objects in a file that people hand over, each with its target and functions."""

from typing import NamedTuple

from wavemma.errors import FileMistake, UnknownTarget
from wavemma.isa.target import TargetRow, target
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


def read_objects(data: bytes, asked: TargetRow | None) -> tuple[ObjectFile, ...]:
    """Read the code objects of an ELF file, a bundle, or a host file that holds bundles.

    Args:
        data: The whole file.
        asked: The target that it must be for; any if None.

    Raises:
        FileMistake: It is damaged, holds no code, or is for another target.
        UnknownTarget: Nothing in it is for a target in the tables.

    """
    files = [read_elf(each) for each in object_files(data, asked.name if asked else None)]
    readable = [each for each in files if asked or _is_known(each)]
    if files and not readable:
        _refuse(files[0])
    others = dict.fromkeys(processor(each.flags) for each in files if each not in readable)
    skipped = tuple(f"Left out: code for {name}, which has no tables here." for name in others)
    found = [_object(each, asked, skipped) for each in readable]
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


def _refuse(file: ElfFile) -> None:
    if is_generic(file.flags):
        raise FileMistake(
            f"The code object is for {processor(file.flags)}, which stands for several targets; it"
            " must be read as one of them.",
            subject=processor(file.flags),
            hint="Use: wavemma dis TARGET FILE",
        )
    target_of(file.flags)


def _object(file: ElfFile, asked: TargetRow | None, skipped: tuple[str, ...]) -> ObjectFile:
    row = asked if asked and is_generic(file.flags) else None
    if row is None:
        row = target(target_of(file.flags)) if asked is None else _same(file, asked)
    return ObjectFile(row, functions(file, row), skipped)


def _same(file: ElfFile, asked: TargetRow) -> TargetRow:
    """Refuse a file that is for another target than was asked for."""
    name = processor(file.flags)
    if name != asked.name:
        raise FileMistake(
            f"The code object is for {name or 'a processor in no list'}; {asked.name} was asked"
            " for.",
            subject=asked.name,
            hint=f"Use: wavemma dis {name} FILE" if _is_known(file) else "",
        )
    return asked
