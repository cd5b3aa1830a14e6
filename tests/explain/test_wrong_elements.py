"""Single wrong elements are listed, not explained; parts that were never written are named."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from wavemma.explain.difference import Diagnosis, diagnose
from wavemma.explain.element import where
from wavemma.explain.telling_inputs import telling_inputs
from wavemma.render.terminal import as_text

TARGET, OP = "gfx1100", "v_wmma_f32_16x16x16_f16"
WHOLE = np.random.default_rng(3).integers(-3, 4, (32, 32)).astype(float)
SMOOTH = np.random.default_rng(4).standard_normal((32, 32))


def _causes(found: Diagnosis) -> list[str]:
    every = [*found.explanations, *found.alternatives]
    return [fault.what for each in every for fault in each.faults]


@pytest.mark.parametrize("want", [WHOLE, SMOOTH], ids=("whole", "smooth"))
@pytest.mark.parametrize("value", [64.0, np.nan, 0.0])
def test_one_wrong_element_is_no_known_fault(want: Any, value: float) -> None:
    for size in (16, 32):
        part = np.where(want == value, 1.0, want)[:size, :size]
        got = part.copy()
        got[2, 3] = value
        found = diagnose(TARGET, OP, got, part)
        assert (found.verdict, _causes(found)) == ("none", [])
        assert found.wrong is not None
        (wrong,) = found.wrong.first
        assert (found.wrong.count, wrong.at.row, wrong.at.column) == (1, 2, 3)
        text = as_text(found, width=80, colour=False)
        # On RDNA3 row 2*v + lane/16 and column lane%16 lie in register v.
        assert f"D[2][3]: got {value:.7g}, want {part[2, 3]:.7g}, v1 lane 3\n" in text


@pytest.mark.parametrize("fill", [0.0, np.nan, -9.0])
@pytest.mark.parametrize(
    ("cut", "words"),
    [
        (np.s_[8:], "never stored: rows 8..15 of each tile"),
        (np.s_[8:, 4:8], "never stored: rows 8..15 in columns 4..7 of each tile"),
        (np.s_[:, 5:6], "never stored: column 5 of each tile"),
        (np.s_[1::2, :4], "never stored: rows 1, 3, 5, 7, 9, 11, 13, 15 in columns 0..3"),
    ],
    ids=("rows", "corner", "column", "lanes"),
)
def test_parts_are_named_though_zero_is_wanted_in_some(cut: Any, words: str, fill: float) -> None:
    """Small whole numbers are often 0, so that some elements that were not written are right."""
    want = WHOLE[:16, :16]
    got = want.copy()
    got[cut] = fill
    assert _causes(diagnose(TARGET, OP, got, want))[0].startswith(words)


def test_zero_everywhere_is_nothing_written() -> None:
    found = diagnose(TARGET, OP, 0 * WHOLE, WHOLE)
    assert _causes(found)[0] == "nothing was written: every tile is unwritten"


def test_scattered_zeros_are_no_known_fault() -> None:
    got = np.where(np.random.default_rng(5).random(SMOOTH.shape) < 0.5, 0.0, SMOOTH)
    found = diagnose(TARGET, OP, got, SMOOTH)
    assert (found.verdict, _causes(found)) == ("none", [])


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (SMOOTH.astype(np.float16).astype(float), "results are rounded to f16"),
        (SMOOTH.astype(ml_dtypes.bfloat16).astype(float), "results are rounded to bf16"),
        (
            (SMOOTH.astype(np.float32).view(np.uint32) >> 16 << 16).view(np.float32),
            "results are cut off, not rounded, to bf16",
        ),
        (SMOOTH + 3, "3 is added to every result"),
    ],
    ids=("f16", "bf16", "cut", "offset"),
)
def test_rounded_and_shifted_results(got: Any, words: str) -> None:
    assert _causes(diagnose(TARGET, OP, got, SMOOTH))[0].startswith(words)


def test_how_far_off_all_are_is_told() -> None:
    got = SMOOTH * (1 + 0.01 * np.random.default_rng(6).random(SMOOTH.shape))
    found = diagnose(TARGET, OP, got, SMOOTH)
    assert found.verdict == "none"
    assert found.wrong is not None
    assert found.wrong.relative == pytest.approx(np.abs(got / SMOOTH - 1).max())
    assert "a relative error of up to 0.0" in as_text(found, width=200, colour=False)


def test_faults_that_would_not_show_are_named() -> None:
    a, b = (np.random.default_rng(n).standard_normal((16, 16)).astype(np.float16) for n in (1, 2))
    found = diagnose(TARGET, OP, a.astype(float) @ b.astype(float), a=a, b=b)
    assert found.unseen == len(found.unseen_faults) > 0
    text = " ".join(as_text(found, width=80, colour=False).split())
    assert f"faults would not show with these inputs: {found.unseen_faults[0].what}" in text


def test_the_fix_of_a_scale_is_a_command_that_runs() -> None:
    op = "v_mfma_scale_f32_16x16x128_f8f6f4"
    made = telling_inputs("gfx950", op)
    made["got"] = _without_scales(made)
    fix = diagnose("gfx950", op, **made).explanations[0].faults[0].fix
    assert f"wavemma where gfx950 {op} scale_a 0 0" in fix
    assert where("gfx950", op, "scale_a", 0, 0).places


def _without_scales(made: Any) -> Any:
    a, b, c = (made[name].astype(float) for name in "abc")
    return a @ b + c


def test_a_format_that_nobody_named_is_assumed() -> None:
    op = "v_mfma_scale_f32_16x16x128_f8f6f4"
    assumed = as_text(where("gfx950", op, "A", 3, 70), width=80, colour=False)
    assert "format  fp8_ocp (assumed; --format FORMAT names another)\n" in assumed
    for found in (where("gfx950", op, "A", 3, 70, format="fp8"), where(TARGET, OP, "A", 3, 5)):
        assert "(assumed" not in as_text(found, width=80, colour=False)


def _noise(shape: tuple[int, ...]) -> Any:
    return np.random.default_rng(77).standard_normal(shape)


@pytest.mark.parametrize(
    ("places", "words"),
    [
        (np.s_[3], "all that is wrong is in row 3 of each tile"),
        (np.s_[:, 8:], "all that is wrong is in columns 8..15 of each tile"),
        # On RDNA3 registers hold rows 2*v + lane // 16.
        (np.s_[6:8], "all that is wrong is in register v3 of each tile"),
        (np.s_[1::2], "all that is wrong is in lanes 16..31 of each tile"),
    ],
)
def test_the_part_of_a_tile_that_is_wrong_is_named(places: Any, words: str) -> None:
    got = SMOOTH.copy()
    for row, column in ((0, 0), (0, 16), (16, 0), (16, 16)):
        tile = got[row : row + 16, column : column + 16]
        tile[places] = _noise(tile.shape)[places]
    found = diagnose(TARGET, OP, got, SMOOTH)
    assert found.verdict == "none"
    assert found.wrong is not None
    assert words in found.wrong.striking


def test_a_constant_output_is_called_constant_and_near_nothing() -> None:
    found = diagnose(TARGET, OP, np.full_like(SMOOTH, 7), SMOOTH)
    assert (found.verdict, found.explanations) == ("none", ())
    assert found.wrong is not None
    assert found.wrong.constant == 7
    text = as_text(found, width=80, colour=False)
    assert "striking  got is constant: 7 in every element looked at\n" in text
    assert "Give --a --b --c too, and more can be tried" in " ".join(text.split())


def test_scattered_elements_are_no_part() -> None:
    got = np.where(_noise(SMOOTH.shape) > 1, _noise(SMOOTH.shape), SMOOTH)
    found = diagnose(TARGET, OP, got, SMOOTH)
    assert found.wrong is not None
    assert found.wrong.striking == ()


def test_each_fix_has_a_line_of_its_own() -> None:
    """Two faults of one output: the store of another map, and a step that is missing."""
    made = telling_inputs(TARGET, OP, steps=3)
    a, b, c = (made[name].astype(float)[..., :] for name in "abc")
    got = (a[:, :32] @ b[:32] + c).reshape(2, 16, 32)
    got = got[:, [2 * row % 16 + row // 8 for row in range(16)]].reshape(32, 32)
    text = as_text(diagnose(TARGET, OP, got, **made), width=200, colour=False)
    fixes = [
        line.split("fix", 1)[1].strip() for line in text.splitlines() if "  fix" in f"  {line}"
    ]
    assert len(fixes) >= 2
    assert all(fix.count("Loop over all of K") + fix.count("Store with") <= 1 for fix in fixes)


def test_single_results_of_lanes_are_not_called_lanes_never_stored() -> None:
    """Of one result a lane, any zeros are those of some lanes."""
    made = telling_inputs("gfx950", "v_mfma_f64_4x4x4_4b_f64", steps=3)
    want = made.pop("want")
    found = diagnose("gfx950", "v_mfma_f64_4x4x4_4b_f64", np.maximum(want, 0), want, **made)
    (fault,) = found.explanations[0].faults
    assert (found.verdict, fault.what) == (
        "explained",
        "results below 0 are 0, as a ReLU leaves them",
    )
