"""What this package's code and rows are, told by one digest."""

import hashlib
import os
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import llvmlite

from wavemma.engines.object_folder import ObjectFolder

_ROOT = Path(__file__).resolve().parent.parent
_KINDS = (".py", ".toml")
_DIGEST = "digest"
_SETTLED_NANOSECONDS = 2_000_000_000
"""A file that changed later than this before now may change again and keep its times."""


def fingerprint(folder: ObjectFolder) -> str:
    """Digest all sources, so that no object outlives what it was made from.

    To read them all takes longer than to load a kernel: the folder keeps the digest for as long as
    no file is another one or has changed.

    Args:
        folder: Where objects are kept.

    """
    files = sorted(_files(str(_ROOT)))
    newest, listed = 0, [llvmlite.__version__, str(_ROOT)]
    for path, found in files:
        times = found.st_mtime_ns, found.st_ctime_ns
        listed.append(repr((path, found.st_size, found.st_ino, *times)))
        newest = max(newest, *times)
    seen = hashlib.sha256("\n".join(listed).encode())
    name = seen.hexdigest() + ".sources"
    known = folder.read_index(name).get(_DIGEST)
    if known is not None:
        return known
    digest = _content(name, tuple(path for path, _ in files))
    if newest < time.time_ns() - _SETTLED_NANOSECONDS:
        folder.write_index(name, {_DIGEST: digest})
    return digest


def _files(place: str) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(place) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _files(entry.path)
            elif entry.name.endswith(_KINDS):
                yield entry.path, entry.stat()


@cache
def _content(name: str, paths: tuple[str, ...]) -> str:
    digest = hashlib.sha256(llvmlite.__version__.encode())
    for path in paths:
        digest.update(path[len(str(_ROOT)) :].encode())
        with open(path, "rb", buffering=0) as file:
            digest.update(file.read())
    return digest.hexdigest()
