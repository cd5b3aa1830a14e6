"""Saved runs as files of the command line."""

import os
from pathlib import Path

from wavemma.cli.written import writing
from wavemma.errors import FileMistake
from wavemma.explain.kernel_call import KernelCall
from wavemma.explain.saved_run import MAGIC, Outcome, SavedRun, read_run, write_run

_SHARE = 2
"""Arrays of a saved run take at most 1/2 of the memory: they are put into device memory, too."""


def is_saved(word: str) -> bool:
    """Whether a file begins as saved runs do."""
    path = Path(word)
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(len(MAGIC)) == MAGIC


def load_run(word: str) -> tuple[KernelCall, SavedRun]:
    """Read a saved run.

    Raises:
        FileMistake: It cannot be read, is none, or is damaged.

    """
    room = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // _SHARE
    try:
        with Path(word).open("rb") as stream:
            return read_run(stream, word, room)
    except OSError as error:
        raise FileMistake(f"{word} cannot be read: {error.strerror}.", subject=word) from None


def save_run(path: Path, call: KernelCall, outcome: Outcome) -> None:
    """Write a run, whole or not at all.

    Raises:
        FileMistake: The system refuses.

    """
    with writing(path) as stream:
        write_run(stream, call, outcome)
