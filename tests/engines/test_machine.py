"""What the host tells of its processor."""

from pathlib import Path

import pytest

from wavemma.engines import machine
from wavemma.engines.machine import host_machine


@pytest.mark.parametrize(
    ("told", "is_slowed"),
    [("Mitigation: Microcode\n", True), ("Not affected\n", False), ("Vulnerable\n", False)],
)
def test_gathers_that_microcode_guards_are_left_out(
    told: str, is_slowed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "gather_data_sampling"
    file.write_text(told)
    monkeypatch.setattr(machine, "_GATHERS", file)
    found = host_machine()
    assert found.has_gather == (found.is_wide_x86 and not is_slowed)
    file.unlink()
    assert host_machine().has_gather == found.is_wide_x86
