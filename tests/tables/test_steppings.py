"""What steppings lack: PR 11040 of rocm-libraries names three instructions of gfx1250."""

from wavemma.isa import catalog
from wavemma.tables.steppings import absences, lacking

FP4 = [f"v_wmma{scaled}_f32_32x16x128_f4" for scaled in ("", "_scale", "_scale16")]


def test_the_three_of_gfx1250_and_no_other() -> None:
    for name in FP4:
        row = lacking("gfx1250", name)
        assert row is not None
        assert row.stepping.startswith("A0")
        assert lacking("gfx1251", name) is None
    assert lacking("gfx1250", "v_wmma_f32_16x16x128_f8f6f4") is None
    assert sorted(name for row in absences() for name in row.instructions) == sorted(FP4)


def test_targets_have_what_their_steppings_lack() -> None:
    for row in absences():
        for name in row.instructions:
            assert row.target in catalog.instruction(name, row.target).targets
