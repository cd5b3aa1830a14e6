"""What a launch takes on a product, counted by hand, at the clock that `peak` counts with."""

import pytest

from wavemma.hip.device_facts import chosen, clock_hertz, facts
from wavemma.hip.modelled_time import TimeModel
from wavemma.tables.products import products
from wavemma.tables.rates import published_peaks
from wavemma.throughput.roofline import peak

XTX_HERTZ = 2_498_000_000
XTX_SIMDS = 192


@pytest.mark.parametrize(
    ("waves", "each", "cycles"),
    [
        (1, 82, 82),
        (4, 100, 100),
        (XTX_SIMDS, 100, 100),
        (XTX_SIMDS + 1, 100, 200),
        (10 * XTX_SIMDS, 100, 1000),
        (10 * XTX_SIMDS + 1, 100, 1100),
    ],
)
def test_a_launch_takes_as_long_as_its_busiest_simd(waves: int, each: int, cycles: int) -> None:
    model = TimeModel(*chosen("", "RX 7900 XTX"))
    assert model.seconds(waves * each, waves) == pytest.approx(cycles / XTX_HERTZ)


def test_a_launch_without_work_takes_no_time() -> None:
    assert TimeModel(*chosen("gfx1172", "")).seconds(0, 1) == 0.0


def test_time_is_counted_at_the_clock_of_the_peak() -> None:
    compared = 0
    for name in published_peaks():
        found = peak(
            name, published_peaks()[name][0].type, sparse=published_peaks()[name][0].sparse
        )
        if found.clock_mhz is not None:
            assert clock_hertz(products()[name]) == found.clock_mhz * 1e6, name
            compared += 1
    assert compared > 30


@pytest.mark.parametrize(
    ("name", "reported", "counted"), [("RX 7900 XT", 3125, 2394), ("RX 7900 XTX", 2526, 2498)]
)
def test_a_program_is_told_the_clock_that_its_driver_reports(
    name: str, reported: int, counted: int
) -> None:
    row, of = chosen("", name)
    assert facts(row, of)["clockRate"] == reported * 1000
    assert clock_hertz(of) == counted * 1_000_000
