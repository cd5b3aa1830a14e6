"""What is asked of zig before anything is compiled."""

import os
from pathlib import Path

import pytest

from wavemma.errors import CompileMistake
from wavemma.hip import compiler

TELLS = """\
#!/bin/sh
{first}
case "$*" in
*-dM*) echo "#define _LIBCPP_VERSION 21" ;;
*) echo 'include <...> search starts here:'; echo ' {place}'; echo 'End of search list.' ;;
esac
"""


def words(folder: Path, first: str = "", place: str = "/a/lib") -> tuple[str, ...]:
    driver = folder / "driver"
    driver.write_text(TELLS.format(first=first, place=place))
    driver.chmod(0o755)
    return compiler._library_words((str(driver),), dict(os.environ), folder / "empty.cpp")


def test_headers_and_definitions_are_taken(tmp_path: Path) -> None:
    assert words(tmp_path) == ("-nostdinc", "-nostdinc++", "-isystem/a/lib", "-D_LIBCPP_VERSION=21")


def test_headers_are_found_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert f"-isystem{tmp_path}/lib/include" in words(tmp_path, place="lib/include")


def test_a_zig_that_never_tells_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CompileMistake, match=r"(?s)where its headers are.*FileNotFound"):
        words(tmp_path, "echo error: FileNotFound; exit 1")
