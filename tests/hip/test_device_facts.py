"""What programs are told of a device, against what real boards printed."""

import pytest

from wavemma.errors import SyntaxMistake, UnknownTarget
from wavemma.hip.device_facts import chosen, facts, memory_bytes, simds
from wavemma.tables.products import boards, products
from wavemma.tables.targets import targets


def test_every_target_has_a_device() -> None:
    assert len(targets()) > 15
    for name in targets():
        row, of = chosen(name, "")
        found = facts(row, of)
        assert found["gcnArchName"] == row.gcn_arch_name
        assert int(str(found["multiProcessorCount"])) >= 1, name


def test_every_product_is_a_device() -> None:
    for each in products().values():
        row, of = chosen("", each.name)
        assert of == each
        assert facts(row, of)["clockRate"]
        assert memory_bytes(of) >= 1 << 30
        assert simds(row, of) * each.devices >= each.units


def test_capability_is_what_boards_printed() -> None:
    assert len(boards()) == 2
    for board in boards():
        found = facts(*chosen(board.target, ""))
        assert f"{found['major']}.{found['minor']}" == board.compute_capability
        assert found["warpSize"] == board.warp_size


def test_a_product_of_another_target_is_refused() -> None:
    with pytest.raises(SyntaxMistake, match="is a gfx942, not a gfx1100"):
        chosen("gfx1100", "MI300X")
    with pytest.raises(SyntaxMistake, match="needs a target or a device"):
        chosen("", "")
    with pytest.raises(UnknownTarget):
        chosen("gfx1109", "")


def test_a_product_as_target_is_the_device() -> None:
    row, product = chosen("RX 7900 GRE", "")
    assert (row.name, product and product.name) == ("gfx1100", "AMD Radeon RX 7900 GRE")


def test_memory_and_reported_clock_of_a_known_board() -> None:
    row, of = chosen("", "RX 7900 XTX")
    assert memory_bytes(of) == 24560 << 20
    assert facts(row, of)["clockRate"] == 2_526_000
    # A card of two dies shows as two devices.
    row, of = chosen("", "AMD Instinct MI250X")
    assert memory_bytes(of) == 64 << 30
    assert simds(row, of) == 110 * 4
