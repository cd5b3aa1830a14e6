import re

import pytest

from wavemma.explain.probe import probe
from wavemma.explain.probe_experiment import experiment
from wavemma.explain.probe_point import find_points, points_of
from wavemma.render.probe_program import WIDTH, as_program
from wavemma.tables.probes import points

FIRST = [
    pytest.param(row.targets[-1], next(points_of(row, row.targets[-1])), id=row.name)
    for row in points().values()
]


@pytest.mark.parametrize(("target", "point"), FIRST)
def test_inputs_are_those_of_the_experiment(target: str, point) -> None:
    text = as_program(probe(target, point.row.name))
    made = experiment(point)
    arrays = dict(re.findall(r"uint32_t (\w+)_words\[[^]]+\] = \{([^}]*)\}", text))
    assert set(arrays) <= set(made.registers)
    assert {"a", "b", "c"} <= set(arrays)
    for role, numbers in arrays.items():
        words = [int(word, 0) for word in numbers.replace("\n", " ").split(",")]
        whole = made.registers[role].reshape(-1).tolist()
        assert words == whole[: len(words)]
        assert not any(whole[len(words) :])
    assert f"inputs {made.digest}" in text


@pytest.mark.parametrize(("target", "point"), FIRST)
def test_programs_need_nothing_else_and_fit_the_page(target: str, point) -> None:
    text = as_program(probe(target, point.row.name))
    assert set(re.findall(r"#include <(.*)>", text)) == {
        "hip/hip_runtime.h",
        "cstdint",
        "cstdio",
        "cstdlib",
    }
    assert '#include "' not in text
    long = [line for line in text.splitlines() if len(line) > WIDTH]
    assert all("using" in line or "= __builtin" in line for line in long)
    assert len(text) < 250_000


def test_modifiers_reach_the_call() -> None:
    text = as_program(probe("gfx1100", "wmma_clamp"))
    assert "iu8_w32(true, a, true, b, c, true)" in text
    assert "f8f6f4(a, b, c, 4, 4, 0, " in as_program(probe("gfx950", "mfma_scaled_narrow"))
    assert find_points("gfx1100", "wmma_clamp")[0].effects["saturate"] == 1
