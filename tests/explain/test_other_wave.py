"""Where an element is in waves of the other size."""

from tests.explain.test_element import DENSE, flat
from wavemma.explain.element import where


def test_the_other_wave_size_is_answered_too() -> None:
    asked = where("gfx1100", DENSE, "D", 2, 3)
    assert [(each.wave, flat(each.places)) for each in asked.other_waves] == [(64, [(35, 0, 31)])]
    copies = where("gfx1100", DENSE, "A", 2, 5, wave=64).other_waves
    assert [(each.wave, flat(each.places)) for each in copies] == [
        (32, [(2, 80, 95), (18, 80, 95)])
    ]
    assert where("gfx942", "v_mfma_f32_32x32x8_f16", "D", 8, 0).other_waves == ()
