"""Plain rows are read as tomllib reads them, or not at all."""

import tomllib
from pathlib import Path

import pytest

import wavemma
from wavemma.tables.plain_rows import read_plain

DATA = Path(wavemma.__file__).parent / "data"
FILES = sorted(DATA.rglob("*.toml"))
WHOLE = {file: file.read_text(encoding="utf-8") for file in FILES}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(DATA)))
def test_data_files_are_read_as_tomllib_reads_them(file: Path) -> None:
    found = read_plain(WHOLE[file])
    assert found is None or found == tomllib.loads(WHOLE[file])


def test_nearly_all_data_is_plain() -> None:
    plain = sum(len(text) for text in WHOLE.values() if read_plain(text) is not None)
    assert plain > 0.9 * sum(map(len, WHOLE.values()))


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\nb = true\nc = [1, 2]\n",
        'a = [\n  { b = 0x1F, c = "0x1f, d = 2" },\n  { b = -3, c = [] },\n]\n',
        'a = [\n  { b =   0x0,  c = "{ d = 1" },\n]\n# e = 1\n',
        'a = "x, b = 1"\n',
        'a = "say: 0x10, more"\n',
        'a = "\\": 0x10, "\n',
        "a = 18446744073709551616123\nb = 1e3\nc = inf\nd = 1_000\n",
        "a = [0x10, 0x20]\n",
        "a = 1 # why\n[b]\nc = 2\n[[d]]\ne = 'f'\n",
        'a = """\n# b\nc = 1\n"""\n',
        "a.b = 1\n",
        "a = 2026-11-30\n",
        "a = { b = { c = 1 } }\n",
        "",
    ],
)
def test_other_text_is_read_alike_or_not_at_all(text: str) -> None:
    assert read_plain(text) in (None, tomllib.loads(text))


@pytest.mark.parametrize("text", ["a = \n", "a = [1\n", "a 1\n", "{ a = 1 }\n"])
def test_what_is_no_toml_is_not_read(text: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        tomllib.loads(text)
    assert read_plain(text) is None
