"""Names of targets are taken in any case, as mnemonics are."""

import numpy as np
import pytest

from tests.cli.command import ran
from wavemma.gemm.matmul import matmul
from wavemma.isa import catalog

OP = "v_wmma_f32_16x16x16_f16"


@pytest.mark.parametrize(
    "words",
    [
        ("where", "GFX1100", OP, "D", "2", "3"),
        ("rate", "Gfx1100", OP.upper()),
        ("list", "--target", "GFX1100"),
        ("asm", "GFX1100", f"{OP} v[0:7], v[8:15], v[16:23], v[0:7]"),
    ],
    ids=lambda words: words[0],
)
def test_commands(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    assert ran(capsys, *words).code == 0


def test_library() -> None:
    assert catalog.instruction(OP, "GFX1100") is catalog.instruction(OP, "gfx1100")
    assert catalog.instructions("GFX1201") == catalog.instructions("gfx1201")
    one = np.ones((16, 16), np.float16)
    assert (matmul(one, one, target="GFX1100") == matmul(one, one, target="gfx1100")).all()


def test_codes_are_written_in_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("1_0", "٣", "2.5"):
        done = ran(capsys, "bits", "f16", word)
        assert done.code == 2
        assert "must be a whole number" in done.err
