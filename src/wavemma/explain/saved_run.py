"""Saved runs: a zip file with everything that a launch needs, and how it ended."""

import math
import zipfile
import zlib
from typing import BinaryIO, Literal

import msgspec

from wavemma.errors import FileMistake, WavemmaError
from wavemma.explain.kernel_call import KernelCall
from wavemma.explain.saved_argument import (
    SavedArgument,
    bytes_of,
    given_argument,
    saved_argument,
    type_called,
)
from wavemma.objects import object_files
from wavemma.version import __version__

MAGIC = b"PK"
SCHEMA: Literal["wavemma-run/1"] = "wavemma-run/1"
RUN, CODE = "run.json", "code.hsaco"
_MOST_BYTES = {RUN: 1 << 22, CODE: 1 << 28}
_MOST_ARGUMENTS = 4096
_FEW = 5
# One moment for all files: the same run gives the same bytes.
_MOMENT = (1980, 1, 1, 0, 0, 0)
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_SIGNS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
    msgspec.MsgspecError,
)
"""What the readers of zip files and JSON raise on bytes that are not what they expect."""


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a run ended.

    Attributes:
        error: Name of the error that ended it, or "".
        message: Its sentence.
        digests: SHA-256 of what each array held afterwards, by position.

    """

    error: str = ""
    message: str = ""
    digests: dict[int, str] = {}


class SavedRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The file run.json; members are those of a call."""

    schema: Literal["wavemma-run/1"]
    wavemma: str
    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    dynamic_lds_bytes: int
    whole_grid: bool
    ordered: bool
    seconds: float | None
    interpreted: bool
    models: tuple[str, ...]
    arguments: tuple[SavedArgument, ...]
    outcome: Outcome


class Repeat(msgspec.Struct, frozen=True):
    """How a saved run compares with its repetition.

    Attributes:
        version: The wavemma that saved it.
        is_same: Whether it ended the same way, with the same bits.
        differing: Positions of the arrays that hold other bits.
        saved_error: What ended the saved run: the name of an error, or "".

    """

    version: str
    is_same: bool
    differing: tuple[int, ...]
    saved_error: str


def repeat_of(saved: SavedRun, now: Outcome) -> Repeat:
    """Compare how a run ended with how it ended when it was saved; only kinds of errors count."""
    before = saved.outcome
    differing = tuple(
        number
        for number, digest in before.digests.items()
        if not now.error and now.digests.get(number) != digest
    )
    is_same = before.error == now.error and not differing
    return Repeat(saved.wavemma, is_same, differing, before.error)


def failed(error: WavemmaError) -> Outcome:
    """Give the outcome of a run that an error ended."""
    return Outcome(error=type(error).__name__, message=str(error))


def write_run(stream: BinaryIO, call: KernelCall, outcome: Outcome) -> None:
    """Write a run as a zip file.

    Args:
        stream: Where to.
        call: The launch.
        outcome: How it ended.

    """
    (code, *_) = object_files(call.code, call.target_name)
    run = SavedRun(
        schema=SCHEMA,
        wavemma=__version__,
        kernel=call.kernel,
        grid=call.grid,
        block=call.block,
        dynamic_lds_bytes=call.dynamic_lds_bytes,
        whole_grid=call.whole_grid,
        ordered=call.ordered,
        seconds=call.seconds,
        interpreted=call.interpreted,
        models=call.models,
        arguments=tuple(map(saved_argument, call.given)),
        outcome=outcome,
    )
    text = msgspec.json.format(msgspec.json.encode(run), indent=2)
    with zipfile.ZipFile(stream, "w") as archive:
        _add(archive, RUN, text)
        _add(archive, CODE, code)
        for number, each in enumerate(call.given):
            if each.array is not None:
                _add(archive, _member(number), bytes_of(each.array))


def read_run(stream: BinaryIO, name: str, most_bytes: int) -> tuple[KernelCall, SavedRun]:
    """Read a run. Nothing is unpacked into files; names in the zip lead nowhere.

    Args:
        stream: A file that can seek.
        name: What to call it.
        most_bytes: More than so many bytes of arrays are refused.

    Raises:
        FileMistake: It is no saved run, is damaged, or holds more than it must.

    """
    try:
        with zipfile.ZipFile(stream) as archive:
            return _read(archive, name, most_bytes)
    except _SIGNS as why:
        reason = (str(why).split(chr(10))[0] or type(why).__name__).rstrip(".")
        raise FileMistake(
            f"{name} must be a run that wavemma exec --save wrote; it is damaged: {reason}.",
            subject=name,
        ) from None


def _read(archive: zipfile.ZipFile, name: str, most_bytes: int) -> tuple[KernelCall, SavedRun]:
    inside = {each.filename: each for each in archive.infolist()}
    if not {RUN, CODE} <= inside.keys() or len(inside) != len(archive.infolist()):
        raise FileMistake(
            f"{name} must be a run that wavemma exec --save wrote, with {RUN} and {CODE}; it holds"
            f" {', '.join(sorted(inside)[:_FEW]) or 'nothing'}.",
            subject=name,
        )
    for each, most in _MOST_BYTES.items():
        if inside[each].file_size > most:
            raise ValueError(f"{each} claims {inside[each].file_size:,} bytes, at most {most:,}")
    run = msgspec.json.decode(_content(archive, inside[RUN]), type=SavedRun)
    arrays = {number: each for number, each in enumerate(run.arguments) if each.shape is not None}
    _check(name, run, inside, arrays, most_bytes)
    given = tuple(
        given_argument(
            each, _content(archive, inside[_member(number)]) if number in arrays else b""
        )
        for number, each in enumerate(run.arguments)
    )
    call = KernelCall(
        code=_content(archive, inside[CODE]),
        kernel=run.kernel,
        grid=run.grid,
        block=run.block,
        given=given,
        dynamic_lds_bytes=run.dynamic_lds_bytes,
        whole_grid=run.whole_grid,
        ordered=run.ordered,
        seconds=run.seconds,
        interpreted=run.interpreted,
        models=run.models,
    )
    return call, run


def _check(
    name: str,
    run: SavedRun,
    inside: dict[str, zipfile.ZipInfo],
    arrays: dict[int, SavedArgument],
    most_bytes: int,
) -> None:
    """Refuse files that do not belong there, sizes that do not fit, and too much in all."""
    if len(run.arguments) > _MOST_ARGUMENTS:
        raise ValueError(f"it has {len(run.arguments):,} arguments, at most {_MOST_ARGUMENTS:,}")
    strange = inside.keys() - {RUN, CODE, *map(_member, arrays)}
    if strange:
        raise ValueError(f"it holds {sorted(strange)[0]!r}, which belongs to no argument")
    total = 0
    for number, each in arrays.items():
        member = inside.get(_member(number))
        size = math.prod(each.shape or ()) * type_called(each.type).itemsize
        if member is None or member.file_size != size or min(each.shape or (1,)) < 0:
            raise ValueError(
                f"{_member(number)} must have {size:,} bytes, as its type and shape say; it has"
                f" {member.file_size if member else 0:,}"
            )
        total += size
    if total > most_bytes:
        raise FileMistake(
            f"The arrays of {name} must fit into {most_bytes:,} bytes of this computer's memory;"
            f" they have {total:,}.",
            subject=name,
        )


def _content(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Unpack a file, never more of it than it claims to hold."""
    if member.compress_type not in _METHODS:
        raise ValueError(f"{member.filename} is compressed by method {member.compress_type}")
    with archive.open(member) as packed:
        data = packed.read(member.file_size)
        if len(data) != member.file_size or packed.read(1):
            raise ValueError(f"{member.filename} must have {member.file_size:,} bytes")
        return data


def _add(archive: zipfile.ZipFile, name: str, data: bytes | memoryview) -> None:
    member = zipfile.ZipInfo(name, _MOMENT)
    member.compress_type = zipfile.ZIP_DEFLATED
    with archive.open(member, "w", force_zip64=True) as packed:
        packed.write(data)


def _member(number: int) -> str:
    return f"arguments/{number}.bin"
