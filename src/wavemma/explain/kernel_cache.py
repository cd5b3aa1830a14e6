"""The cache of compiled kernels: where it is and how much it holds."""

import os
from pathlib import Path

from wavemma.engines.jit import default_cache
from wavemma.errors import FileMistake
from wavemma.explain.answer import Answer, Evidence

SUFFIX = ".o"


class KernelCache(Answer, frozen=True, kw_only=True, tag=True):
    """What the cache holds.

    Attributes:
        folder: Where it is.
        kernels: Compiled objects in it.
        size_bytes: Their size together.
        removed: Objects that were just deleted.

    """

    folder: str
    kernels: int
    size_bytes: int
    removed: int = 0


def kernel_cache(folder: Path | None = None, *, clear: bool = False) -> KernelCache:
    """Look at the cache, or empty it.

    Args:
        folder: Where it is; the default place if None.
        clear: Delete every compiled kernel; other files in the folder are left alone.

    Raises:
        FileMistake: The folder is a file, cannot be read, or is missing and to be cleared, or a
            kernel cannot be deleted.

    """
    place = folder or default_cache()
    if os.path.lexists(place) and not place.is_dir():
        raise FileMistake(f"The cache must be a folder; {place} is none.", subject=place)
    if clear and folder is not None and not place.is_dir():
        raise FileMistake(f"There is no folder {place}, so nothing to clear.", subject=place)
    try:
        found = sorted(place.glob(f"*{SUFFIX}")) if place.is_dir() else []
        if clear:
            for path in found:
                path.unlink(missing_ok=True)
        left = [] if clear else found
        size = sum(path.stat().st_size for path in left)
    except OSError as error:
        raise FileMistake(
            f"The cache {place} must be readable and its files deletable: {error.strerror}.",
            subject=place,
        ) from None
    return KernelCache(
        folder=str(place),
        kernels=len(left),
        size_bytes=size,
        removed=len(found) if clear else 0,
        evidence=(Evidence("files", "", "this computer's disk", "V"),),
    )
