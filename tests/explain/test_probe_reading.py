"""Outputs of probes, as a machine that follows each candidate would print them."""

import numpy as np
import pytest

from tests.explain.probe_text import printed
from wavemma.errors import FileMistake
from wavemma.execute.matrix import execute
from wavemma.explain.probe_experiment import Experiment, experiment, predicted
from wavemma.explain.probe_point import Point, find_points, points_of
from wavemma.explain.probe_reading import read_probe
from wavemma.fragments import Registers
from wavemma.numerics.model import model
from wavemma.tables.probes import points

FIRST = [
    pytest.param(next(points_of(row, row.targets[0])), id=row.name)
    for row in points().values()
    if row.candidates
]
FP8 = "v_wmma_f32_16x16x16_fp8_fp8"


@pytest.mark.parametrize("point", FIRST)
def test_each_candidate_is_recognised(point: Point) -> None:
    made = experiment(point)
    for candidate in point.candidates:
        found = read_probe(printed(made, predicted(made, candidate)))
        assert found.verdict == "one"
        assert found.followed == (candidate.name,)
        assert found.fits[0].is_whole
        assert all(fit.first is not None for fit in found.fits[1:])
        assert found.device == "a test"


def made_for(target: str, word: str) -> Experiment:
    return experiment(find_points(target, word)[0])


def ran(made: Experiment, name: str) -> Registers:
    """Run the instruction by a model."""
    point = made.point
    return execute(
        point.instruction,
        made.registers,
        wave=point.wave,
        effects=point.effects,
        summing=model(name),
    )


def test_a_known_model_that_is_no_candidate_is_named() -> None:
    made = made_for("gfx1201", FP8)
    found = read_probe(printed(made, ran(made, "paired_4")))
    assert (found.verdict, found.followed) == ("none", ())
    assert "paired_4" in found.other_models
    # Small products from k 4 on are in other steps than the pair: all 16 of them are whole.
    [table] = found.measured
    rows = {row[0]: row[1:] for row in table.rows}
    assert {rows[str(k)] for k in range(4, 16)} == {("16", "0", "0")}
    assert rows["1"] != ("16", "0", "0")


def test_one_wrong_bit_is_found() -> None:
    made = made_for("gfx1201", FP8)
    words = ran(made, "grouped_8")
    words[2, 5, 17] ^= 1
    found = read_probe(printed(made, words))
    assert (found.verdict, found.other_models) == ("none", ())
    best = found.fits[0]
    assert (best.name, best.agreeing) == ("grouped_8", best.elements - 1)
    # On this target register r of lane l holds row r + 8 * (l // 16), column l % 16.
    assert best.first is not None
    assert (best.first.run, best.first.row, best.first.column) == (2, 13, 1)
    assert best.first.got ^ best.first.said == 1


def test_bits_of_nan_are_measured() -> None:
    made = made_for("gfx942", "nan_bits_bytes")
    words = ran(made, "fma_chain_first_nan")
    words[words == 0x7FC00000] = 0x7FC00ABC
    found = read_probe(printed(made, words))
    assert found.verdict == "measured"
    [table] = found.measured
    assert len(table.rows) == made.runs
    assert table.rows[0][-1] == "7fc00abc" or "c00" in table.rows[0][-1]


def test_an_index_that_speaks_of_other_groups_is_measured() -> None:
    made = made_for("gfx1250", "swmmac_places")
    registers = dict(made.registers)
    # Each half of the index words in the place of the other: four groups on.
    registers["index"] = registers["index"] << 16 | registers["index"] >> 16
    words = execute(made.point.instruction, registers, wave=made.point.wave)
    found = read_probe(printed(made, words))
    assert found.verdict == "none"
    pairs, moved = found.measured
    assert len(pairs.rows) >= made.point.setting.depth // 2
    for element, said, got in pairs.rows:
        # The element stays in its group of four rows of B, at another place in it.
        assert int(said) // 4 == int(got) // 4 == int(element) // 2
        assert said != got
    assert moved.rows == ()


def test_rows_that_lie_elsewhere_are_measured() -> None:
    made = made_for("gfx1170", "rdna4m_places")
    # Register r of lane l holds row r + 8 * (l // 16); on the older family 2 * r + l // 16.
    said = predicted(made, made.point.candidates[0])
    words = np.zeros_like(said)
    for row in range(16):
        words[:, row // 2, 16 * (row % 2) :][..., :16] = said[:, row % 8, 16 * (row // 8) :][
            ..., :16
        ]
    found = read_probe(printed(made, words))
    assert found.verdict == "none"
    _, moved = found.measured
    assert ("D[1][0]", "D[2][0]") in moved.rows
    assert ("D[0][0]", "D[0][0]") not in moved.rows


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda text: "", "must have the line 'wavemma probe 1'"),
        (lambda text: text.replace("\nend\n", "\n"), "did not come to its end"),
        (lambda text: text.replace("wave 32\n", ""), "must name its wave"),
        (lambda text: text.replace("d 1 3 ", "e 1 3 "), "must begin with d or one of"),
        (lambda text: text.replace("d 1 3 ", "d 1 x "), "hold a run, a register and words"),
        (lambda text: text.replace("d 1 3 ", "d 1 2 "), "each once; there is register 2 of run 1"),
        (lambda text: text.replace("d 1 3 ", "d 9 3 "), "there is register 3 of run 9"),
        (lambda text: text.replace("d 1 3 0", "d 1 3 00"), "words of 8 hexadecimal digits"),
        (lambda text: "\n".join(x for x in text.split("\n") if "d 1 3" not in x), "is missing, 1"),
        (lambda text: text.replace("inputs ", "inputs 0"), "another version of wavemma"),
        (lambda text: text.replace("wmma_bytes", "wmma_byte"), "that this version knows"),
        (lambda text: text.replace("wave 32", "wave 48"), "wave48"),
    ],
)
def test_outputs_that_say_nothing(change, text: str) -> None:
    made = made_for("gfx1201", FP8)
    whole = printed(made, np.zeros((made.runs, 8, 32), dtype=np.uint32))
    with pytest.raises(FileMistake, match=text):
        read_probe(change(whole))


def test_what_a_shell_adds_is_passed_over() -> None:
    made = made_for("gfx1201", FP8)
    text = printed(made, ran(made, "grouped_8")).replace("\n", "\r\n")
    found = read_probe(f"$ ./probe\r\n{text}\r\n$\r\n")
    assert found.followed == ("grouped_8",)
