"""All instructions of a code object, where they lie."""

import pytest

from tests.isa.ordinary.kernels import SOURCE
from tests.objects.compiled import linked, of_both_waves, relocatable
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import DecodedOrdinary, text_any
from wavemma.objects import code_object, listing


def test_functions_are_listed_from_their_first_byte() -> None:
    found = code_object(linked("gfx1100", "-O1"))
    listed = listing(found)
    assert [each.address for each in listed] == sorted(each.address for each in listed)
    assert sum(len(each.data) for each in listed) == sum(size for _, size in found.image.code)
    starts = {each.function: each.address for each in listed if not each.offset and each.function}
    assert starts == {name: address for address, name in found.functions}
    assert all(isinstance(each.instruction, DecodedOrdinary) for each in listed)


def test_relocations_are_applied() -> None:
    # The same instructions, whatever the linker did before.
    one, two = (
        [
            text_any(each.instruction)
            for each in listing(code_object(make("gfx1100", "-O1")))
            if each.function == "arguments" and not isinstance(each.instruction, Undecoded)
        ]
        for make in (linked, relocatable)
    )
    assert one == two
    assert "s_endpgm" in one


def test_waves_are_those_of_the_kernels() -> None:
    listed = listing(code_object(linked("gfx1100", "-O1", "-mwavefrontsize64", source=SOURCE)))
    texts = [text_any(e.instruction) for e in listed if not isinstance(e.instruction, Undecoded)]
    assert any("vcc, " in text for text in texts)
    assert not any("vcc_lo, v" in text for text in texts)


def test_each_kernel_has_its_own_waves() -> None:
    found = code_object(of_both_waves("gfx1100"))
    assert {name: each.descriptor.wave for name, each in found.kernels.items()} == {
        "narrow": 32,
        "wide": 64,
    }
    texts = {
        each.function: text_any(each.instruction)
        for each in listing(found)
        if not isinstance(each.instruction, Undecoded) and "wmma" in text_any(each.instruction)
    }
    # 256 sums of f32 in a wave: 8 registers of 32 lanes, 4 of 64.
    assert texts.keys() == {"narrow", "wide"}
    widths = {}
    for name, text in texts.items():
        low, high = text.split("v[")[1].split("]")[0].split(":")
        widths[name] = int(high) - int(low) + 1
    assert widths == {"narrow": 8, "wide": 4}


@pytest.mark.parametrize("target", ["gfx90a", "gfx950", "gfx1250"])
def test_every_instruction_of_other_targets_is_known(target: str) -> None:
    listed = listing(code_object(linked(target, "-O1")))
    assert any("store" in text_any(each.instruction) for each in listed)
    assert not any(isinstance(each.instruction, Undecoded) for each in listed)
