"""Rows of models: what they name exists, and what is refused."""

from itertools import product

import msgspec
import pytest

from tests.numerics.twins import CASES, Case
from wavemma.errors import DataMistake, OutOfRange, UnknownModel, Unsupported
from wavemma.formats.format import number_format
from wavemma.numerics.dot import accumulate
from wavemma.numerics.model import RULES, Model, model, models
from wavemma.numerics.path import Setting
from wavemma.tables.models import model_row
from wavemma.tables.sources import sources
from wavemma.tables.targets import targets

F16, F32, I8, I32 = (number_format(name) for name in ("f16", "f32", "iu8", "i32"))


def test_rows() -> None:
    names = {each.name for each in models()}
    assert len(names) == 30
    assert {each.row.rule for each in models()} == set(RULES)
    for each in models():
        assert set(each.alternatives) <= names - {each.name}
        assert set(each.row.grades) <= set(targets())
        assert each.row.source in sources()
        assert each.row.title


@pytest.mark.parametrize(
    ("name", "target", "grade"),
    [
        ("complement_2", "gfx1100", "H"),
        ("complement_2", "gfx1101", "D"),
        ("truncated_8", "gfx942", "H"),
        ("truncated_8", "gfx950", "D"),
        ("paired_4", "gfx1201", "H"),
        ("paired_4", "gfx1170", "D"),
        ("grouped_8", "gfx1201", "D"),
        ("fma_chain_first_nan", "gfx1250", "V"),
        ("block_fma_32", "gfx950", "V"),
        ("integer_halves", "gfx1201", "H"),
    ],
)
def test_grades(name: str, target: str, grade: str) -> None:
    assert model(name).grade_on(target) == grade


def test_unknown_names() -> None:
    with pytest.raises(UnknownModel, match="complement_2"):
        model("complement_3")


def test_wrong_parameters_name_model_and_field() -> None:
    row = msgspec.structs.replace(model_row("complement_2"), parameters={"flush": True})
    with pytest.raises(DataMistake, match="complement_2"):
        Model(row).paths(Setting(F16, F16, F32, F32))
    row = msgspec.structs.replace(model_row("complement_2"), name="x", rule="guess")
    with pytest.raises(DataMistake, match="'guess'"):
        Model(row).paths(Setting(F16, F16, F32, F32))


def test_staged_sums_need_the_depth() -> None:
    given = Setting(I8, I8, I32, I32, clamp=True)
    with pytest.raises(OutOfRange, match="multiple of 2"):
        model("integer_halves").paths(given)
    assert model("integer_halves").paths(Setting(I8, I8, I32, I32))


def test_the_last_path_covers_everything_and_comes_once() -> None:
    for name in ("complement_2", "paired_4", "truncated_8", "exact_4"):
        paths = model(name).paths(Setting(F16, F16, F32, F32))
        assert len(set(paths)) == len(paths) > 1
        assert model(name).whole_path(Setting(F16, F16, F32, F32)) == paths[-1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_alternatives_take_the_same_operands(case: Case) -> None:
    formats = [number_format(name) for name in (case.a, case.b or case.a, case.d, case.d)]
    given = Setting(*formats, depth=case.k, **case.setting)
    for name in model(case.model).alternatives:
        if case.a in ("f32", "f64"):
            with pytest.raises(Unsupported, match="paired_4"):
                model(name).paths(given)
            continue
        got = accumulate(model(name), given, [0] * case.k, [0] * case.k, 0)
        assert int(got) == 0


@pytest.mark.parametrize("row", models(), ids=lambda each: each.name)
def test_formats_that_a_rule_does_not_define_are_refused(row: Model) -> None:
    """No traceback of ours, whatever is put together."""
    floats = row.row.rule != "integer"
    refused = []
    for a, d in product(("f64", "f32", "f16", "iu8", "fp4"), ("f64", "f32", "bf16", "i32", "fp4")):
        left, right = number_format(a), number_format(d)
        try:
            assert row.paths(Setting(left, left, right, right, depth=16))
        except Unsupported as error:
            refused.append(str(error))
        else:
            assert left.is_float == floats
    assert len(refused) >= 10
    assert all(row.name in message for message in refused)
