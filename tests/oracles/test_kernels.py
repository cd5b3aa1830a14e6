"""Clang compiles the kernels of both sides of every port, each to its instruction."""

import re

import pytest

from tests.explain.sides import every_side
from tests.oracles.compiled_kernels import device_text, functions_of, in_namespaces
from wavemma.explain.port_side import PortSide
from wavemma.isa import catalog
from wavemma.render.kernel_source import as_kernel
from wavemma.tables.builtins import builtin_row
from wavemma.tables.targets import target

OLDER = 22


def compilable() -> dict[tuple[str, int], list[PortSide]]:
    """Group the sides that LLVM 22 knows by target and wave."""
    groups: dict[tuple[str, int], list[PortSide]] = {}
    for _, side in every_side():
        known = side.builtin and not builtin_row(side.builtin).since
        if known and target(side.target).oldest_llvm <= OLDER:
            groups.setdefault((side.target, side.wave), []).append(side)
    return groups


GROUPS = compilable()


def test_most_sides_are_compiled() -> None:
    assert sum(map(len, GROUPS.values())) > 280
    assert {target(name).architecture for name, _ in GROUPS} == {
        target(side.target).architecture
        for _, side in every_side()
        if target(side.target).oldest_llvm <= OLDER
    }


@pytest.mark.oracle
@pytest.mark.slow
@pytest.mark.parametrize(("name", "wave"), sorted(GROUPS))
def test_kernels_become_their_instruction(name: str, wave: int) -> None:
    sides = GROUPS[name, wave]
    flag = "-mwavefrontsize64" if "-mwavefrontsize64" in sides[0].compile else ""
    assert all((flag in side.compile) for side in sides)
    assembly, complaints = device_text(in_namespaces([as_kernel(s) for s in sides]), name, flag)
    assert assembly, complaints[:2000]
    assert "error" not in complaints
    found = functions_of(assembly)
    assert sorted(found) == list(range(len(sides)))
    for number, side in enumerate(sides):
        instruction = catalog.instruction(side.instruction, name)
        names = {instruction.name, *instruction.aliases}
        called = re.findall(
            r"^\s+(v_\w*(?:mma|mfma|fmac_\w*x|smfmac|swmmac)\w*)", found[number], re.M
        )
        matrix = [word for word in called if word in names]
        assert matrix, (side.instruction, called)
