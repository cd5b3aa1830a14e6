"""Names found in the text of data are those of the rows."""

from wavemma.isa import catalog
from wavemma.tables import names
from wavemma.tables.builtins import builtins
from wavemma.tables.formats import format_rows
from wavemma.tables.models import model_rows
from wavemma.tables.probes import points
from wavemma.tables.products import products
from wavemma.tables.targets import targets


def test_tables_without_conditions() -> None:
    assert names.target_names() == list(targets())
    assert names.product_names() == list(products())
    assert names.builtin_names() == list(builtins())
    assert names.model_names() == list(model_rows())
    types = {row.type for row in format_rows().values()}
    assert set(names.format_names()) == set(format_rows()) | types


def test_instructions_by_target() -> None:
    for target in targets():
        said = [each.name for each in catalog.instructions(target) if each.is_matrix]
        assert sorted(names.instruction_names(target)) == sorted(said), target
    assert names.instruction_names("gfx9") == []
    every = {each.name for each in catalog.instructions() if each.is_matrix}
    assert set(names.instruction_names()) == every


def test_open_points_by_target() -> None:
    assert names.point_names() == list(points())
    for target in targets():
        said = [row.name for row in points().values() if target in row.targets]
        assert names.point_names(target) == said


def test_operands_of_instructions() -> None:
    for each in catalog.instructions():
        if each.is_matrix:
            said = [role for role in each.roles if role not in "abcd"]
            assert names.operand_roles(each.name) == said, each.name
    assert names.operand_roles("v_nope") == []
