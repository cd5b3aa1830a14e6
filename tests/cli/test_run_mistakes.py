"""What wavemma run refuses before it compiles anything, in which words and with which code."""

from pathlib import Path

import pytest

from tests.cli.command import ran

CASES = [
    ((), "SyntaxMistake: A HIP program needs a target or a device."),
    (("--target", "gfx1100", "--device", "MI300X"), "SyntaxMistake: AMD Instinct MI300X is a gfx9"),
    *[
        (("--target", "gfx1100", f"--timeout={each}"), "OutOfRange: The seconds that a kernel may")
        for each in ("0", "-5", "nan")
    ],
]


@pytest.mark.parametrize(("words", "said"), CASES, ids=[" ".join(words) for words, _ in CASES])
def test_mistakes(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "wrong.hip"
    source.write_text("int main() { this is not C++ }")
    told = ran(capsys, "run", str(source), *words, "--cache", "cache")
    assert (told.code, told.out) == (125, "")
    assert told.err.startswith(said), told.err
    assert list(tmp_path.iterdir()) == [source]
