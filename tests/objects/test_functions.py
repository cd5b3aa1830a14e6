"""Functions and kernels by symbols alone, against what the metadata says of the same kernels."""

import pytest

from tests.objects.compiled import assembled, linked, of_both_waves, relocatable
from wavemma.objects import code_object, functions, read_elf
from wavemma.tables.targets import target


@pytest.mark.parametrize("name", ["gfx1100", "gfx1201", "gfx942", "gfx1250"])
def test_linked_kernels_are_those_of_the_metadata(name: str) -> None:
    data = linked(name, "-O1")
    known = code_object(data)
    found = functions(read_elf(data), target(name))
    kernels = {each.name: each for each in found if each.descriptor}
    assert {key: each.descriptor for key, each in kernels.items()} == {
        key: each.descriptor for key, each in known.kernels.items()
    }
    assert {key: each.address for key, each in kernels.items()} == {
        key: each.entry for key, each in known.kernels.items()
    }
    assert [(each.address, each.name) for each in found] == list(known.functions)
    assert len(found) == 3


def test_relocatable_functions_lie_in_their_sections() -> None:
    file = read_elf(relocatable("gfx1100", "-O1"))
    found = functions(file, target("gfx1100"))
    # The compiler gives each function a section of its own, or all of them one.
    for each in found:
        section = next(s for s in file.sections if s.is_code and each.data in s.data)
        assert section.data[each.address : each.address + len(each.data)] == each.data
    assert sum(len(each.data) for each in found) == sum(s.size for s in file.sections if s.is_code)
    assert [each.name for each in found if each.descriptor] == ["arguments", "scratch"]


def test_each_kernel_has_its_own_wave() -> None:
    found = functions(read_elf(of_both_waves("gfx1100")), target("gfx1100"))
    waves = {each.name: each.descriptor.wave for each in found if each.descriptor}
    assert waves == {"narrow": 32, "wide": 64}


def test_code_in_front_of_the_first_function_has_no_name() -> None:
    lines = "s_nop 0\n.type f,@function\nf:\ns_endpgm\n"
    found = functions(read_elf(assembled("gfx1100", lines)), target("gfx1100"))
    told = [(each.name, each.address, len(each.data), each.is_function) for each in found]
    assert told == [(".text", 0, 4, False), ("f", 4, 4, True)]
