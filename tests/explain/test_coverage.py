"""The table of what runs, counted again from the files of the rows."""

import tomllib
from pathlib import Path

import wavemma
from wavemma.explain.coverage import explain_coverage
from wavemma.render.terminal import as_text

DATA = Path(wavemma.__file__).parent / "data" / "isa"


def test_counts_are_those_of_the_files() -> None:
    found = {each.title: each for each in explain_coverage().architectures}
    assert len(found) == 9
    assert sum(each.classes[0].run for each in found.values()) == 261
    for folder, title in (("rdna3", "RDNA3"), ("rdna4", "RDNA4")):
        vector = tomllib.loads((DATA / folder / "vector.toml").read_text())["instruction"]
        names = {row["name"] for row in vector}
        running = {row["name"] for row in vector if row.get("meaning")}
        part = next(each for each in found[title].classes if each.what == "vector arithmetic")
        assert (part.decoded, part.run) == (len(names), len(running))
        assert set(part.missing) == names - running
        assert part.run > part.decoded * 9 // 10


def test_what_is_not_run_of_the_graphics_targets_has_a_reason() -> None:
    for each in explain_coverage().architectures:
        if each.title in ("RDNA3", "RDNA3.5", "RDNA4"):
            for part in each.classes:
                named = [name for _, names in part.reasons for name in names]
                assert sorted(named) == sorted(part.missing)
                assert all("written yet" not in why for why, _ in part.reasons), part
            assert len(each.unknown) == 4


def test_it_reads_on_a_terminal() -> None:
    text = as_text(explain_coverage(), width=80, colour=False)
    assert max(map(len, text.splitlines())) <= 80
    assert "RDNA3.5" in text
    assert "ray tracing: no compute kernel uses it" in " ".join(text.split())
