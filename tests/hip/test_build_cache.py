"""Results are kept exactly as long as nothing that they were made from changes."""

from pathlib import Path

import pytest

from wavemma.errors import FileMistake
from wavemma.hip.build_cache import BuildCache


class Copier:
    """Makes a result from a source file, counting how often."""

    def __init__(self, source: Path) -> None:
        self.source, self.runs = source, 0

    def __call__(self, output: Path, read: Path) -> bool:
        self.runs += 1
        output.write_bytes(self.source.read_bytes())
        read.write_text(f"result: \\\n  {str(self.source).replace(' ', chr(92) + ' ')}\n")
        return True


def test_made_once_until_a_file_changes(tmp_path: Path) -> None:
    source = tmp_path / "a file"
    source.write_text("one")
    cache, make = BuildCache(tmp_path / "cache"), Copier(source)
    first = cache.made(["copy"], make, ".txt")
    assert first is not None
    assert (first.read_text(), first.suffix) == ("one", ".txt")
    assert cache.made(["copy"], make, ".txt") == first
    assert make.runs == 1
    source.write_text("two")
    second = cache.made(["copy"], make, ".txt")
    assert second is not None
    assert (second.read_text(), make.runs) == ("two", 2)
    assert cache.made(["other"], make) is not None
    assert make.runs == 3


def test_a_lost_result_and_a_broken_record_are_made_again(tmp_path: Path) -> None:
    source = tmp_path / "s"
    source.write_text("one")
    cache, make = BuildCache(tmp_path / "cache"), Copier(source)
    first = cache.made(["copy"], make)
    assert first is not None
    first.unlink()
    assert cache.made(["copy"], make) == first
    next(cache.folder.glob("*.json")).write_text("{")
    assert cache.made(["copy"], make) == first
    assert make.runs == 3


def test_failure_leaves_nothing(tmp_path: Path) -> None:
    cache = BuildCache(tmp_path / "cache")
    assert cache.made(["fails"], lambda output, read: False) is None
    assert list(cache.folder.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(FileMistake, match=r"(?s)must be writable.*--cache FOLDER"):
        BuildCache(blocked / "cache").made(["x"], lambda output, read: True)
