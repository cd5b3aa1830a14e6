"""Numbers where codes are taken: the answer names what takes numbers."""

import pytest

from tests.cli.command import ran


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("f16", "65520"), 0),
        (("f16", "70000"), 2),
        (("f16", "1.5"), 2),
        (("f16", "0x3c00", "1/3"), 2),
        (("f16", "inf"), 2),
    ],
)
def test_the_option_for_numbers_is_named(
    words: tuple[str, ...], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    done = ran(capsys, "bits", *words)
    assert done.code == code
    said = " ".join((done.out + done.err).split())
    assert f"wavemma bits f16 --value={words[-1]}" in said


def test_codes_that_are_no_numbers_get_no_note(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--value" not in ran(capsys, "bits", "f16", "0x3c00", "0b1").out
