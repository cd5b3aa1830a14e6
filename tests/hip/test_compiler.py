"""What is asked of zig before anything is compiled."""

import os
from pathlib import Path

import pytest

from wavemma.errors import CompileMistake
from wavemma.hip import compiler

TELLS = """\
#!/bin/sh
echo x >> {folder}/runs
[ $(wc -l < {folder}/runs) -le {failures} ] && echo "error: FileNotFound" && exit 1
case "$*" in
*-dM*) echo "#define _LIBCPP_VERSION 21" ;;
*) echo 'include <...> search starts here:'; echo ' /a/lib'; echo 'End of search list.' ;;
esac
"""


def words(folder: Path, failures: int) -> tuple[str, ...]:
    driver = folder / "driver"
    driver.write_text(TELLS.format(folder=folder, failures=failures))
    driver.chmod(0o755)
    return compiler._library_words((str(driver),), dict(os.environ), folder / "empty.cpp")


@pytest.mark.parametrize("failures", [0, 1, 2])
def test_a_failure_now_and_then_is_tried_again(tmp_path: Path, failures: int) -> None:
    found = words(tmp_path, failures)
    assert found == ("-nostdinc", "-nostdinc++", "-isystem/a/lib", "-D_LIBCPP_VERSION=21")


def test_a_zig_that_never_tells_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CompileMistake, match=r"(?s)where its headers are.*FileNotFound"):
        words(tmp_path, 1000)
