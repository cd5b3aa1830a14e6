"""The digest of the sources follows what they hold."""

import os
from pathlib import Path
from time import sleep

import pytest

from wavemma.engines import sources
from wavemma.engines.object_folder import ObjectFolder
from wavemma.engines.sources import fingerprint


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a package of two files that changed long ago."""
    place = tmp_path / "package"
    (place / "data").mkdir(parents=True)
    for file in (place / "code.py", place / "data" / "rows.toml"):
        file.write_text("a = 1\n")
    # The clock of a file system may stand still for so long.
    sleep(0.02)
    monkeypatch.setattr(sources, "_ROOT", place)
    monkeypatch.setattr(sources.time, "time_ns", lambda: 1 << 62)
    return place


def test_a_digest_is_kept_and_read_no_more(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = ObjectFolder(tmp_path / "cache")
    first = fingerprint(folder)
    assert fingerprint(ObjectFolder(None)) == first
    monkeypatch.setattr(sources, "_content", lambda name, paths: "read again")
    assert fingerprint(folder) == first
    assert fingerprint(ObjectFolder(None)) == "read again"


@pytest.mark.parametrize("name", ["code.py", "data/rows.toml"])
def test_what_changes_is_noticed_whatever_its_times_say(
    root: Path, tmp_path: Path, name: str
) -> None:
    folder = ObjectFolder(tmp_path / "cache")
    file = root / name
    first, before = fingerprint(folder), file.stat()
    file.write_text("a = 2\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert fingerprint(folder) != first
    file.write_text("a = 1\n")
    assert fingerprint(folder) == first


def test_files_that_come_and_go_are_noticed(root: Path, tmp_path: Path) -> None:
    folder = ObjectFolder(tmp_path / "cache")
    first = fingerprint(folder)
    (root / "more.py").write_text("")
    assert fingerprint(folder) != first
    (root / "more.py").unlink()
    assert fingerprint(folder) == first


def test_files_that_may_still_change_are_not_trusted(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources.time, "time_ns", lambda: 0)
    fingerprint(ObjectFolder(tmp_path / "cache"))
    assert not (tmp_path / "cache").exists()
