"""Rows of open points: what they name exists, and everything that rows call open has a point."""

from contextlib import suppress

from wavemma.errors import Unsupported
from wavemma.execute.matrix import operands_of, setting_of
from wavemma.explain.probe_point import points_of
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.layouts.families import FAMILIES
from wavemma.numerics.model import model
from wavemma.tables.probes import points
from wavemma.tables.targets import Wave, targets

Key = tuple[str, str, int]


def test_what_rows_name_exists() -> None:
    assert len(points()) >= 25
    known = {each.name for each in catalog.instructions()}
    known |= {alias for each in catalog.instructions() for alias in each.aliases}
    for row in points().values():
        assert {each.layout for each in row.candidates} - {""} <= set(FAMILIES), row.name
        assert set(row.instructions) <= known, row.name
        assert row.question[0].islower(), row.name
        assert not row.question.endswith("."), row.name


def test_every_row_and_target_has_an_instruction() -> None:
    for row in points().values():
        for name in row.targets:
            assert next(points_of(row, name), None), f"{row.name} on {name}"


def test_named_instructions_are_all_probed_somewhere() -> None:
    for row in points().values():
        probed = {point.instruction.name for name in row.targets for point in points_of(row, name)}
        assert set(row.instructions) <= probed or not row.instructions, row.name


def test_what_models_leave_open_has_a_point_with_all_alternatives() -> None:
    covered: dict[Key, set[str]] = {}
    for row in points().values():
        for point in (point for name in row.targets for point in points_of(row, name)):
            key = (point.target, point.instruction.name, point.wave)
            found = {each.model.name for each in point.candidates}
            # They differ in nothing but the bits of a NaN, and only one takes 16-bit results.
            found |= {"fma_chain"} if "fma_chain_first_nan" in found else set()
            covered.setdefault(key, set()).update(found)
    open_still = {
        (name, each.name, wave): alternatives(each, wave, name)
        for name in targets()
        for each in catalog.instructions(name)
        if each.is_matrix and each.blocks == 1
        for wave in each.waves
    }
    assert sum(map(bool, open_still.values())) > 100
    lacking = [key for key, names in open_still.items() if not names <= covered.get(key, set())]
    assert lacking == []


def alternatives(instruction: Instruction, wave: Wave, target_name: str) -> set[str]:
    """Name the models that may hold instead, if they sum numbers of the instruction's formats."""
    setting = setting_of(instruction, operands_of(instruction, wave), {}, keep_finite=False)
    found = set()
    for name in model(instruction.model(wave)).row.alternatives_on(target_name):
        with suppress(Unsupported):
            model(name).paths(setting)
            found.add(name)
    return found
