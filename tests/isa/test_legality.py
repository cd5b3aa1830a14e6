import itertools
import random

import pytest

from tests.isa.drawn_lines import draw_operands
from tests.isa.illegal_lines import REASONS, Wrong, span
from wavemma.errors import EncodingMistake, SyntaxMistake
from wavemma.isa import catalog
from wavemma.isa.assemble import assemble, parse_any
from wavemma.isa.decode import decode
from wavemma.isa.encode import encode
from wavemma.isa.legality import RULES, faults
from wavemma.tables.targets import targets

MODES = [(name, wave) for name, row in targets().items() for wave in row.waves]


@pytest.mark.parametrize(("target", "wave"), MODES)
def test_every_wrong_line_is_refused(target: str, wave: int) -> None:
    rng = random.Random(11)
    for each in catalog.instructions(target):
        for make in REASONS.values():
            for line in make(Wrong(each, wave, rng)):
                with pytest.raises((EncodingMistake, SyntaxMistake)):
                    assemble(line, target, wave)


def test_what_can_be_encoded_is_decoded_with_the_same_faults() -> None:
    rng = random.Random(7)
    compared = 0
    kept = ("misaligned", "partial_overlap", "value_not_legal", "scale_formats_not_paired")
    for target, wave in MODES:
        for each in catalog.instructions(target):
            for line in (line for name in kept for line in REASONS[name](Wrong(each, wave, rng))):
                wrong = parse_any(line, target, wave)
                found = decode(encode(wrong), target, wave)
                # A format code without a format leaves the length open, so only the first is told.
                assert found.faults[0] == faults(wrong)[0], line
                compared += 1
    assert compared > 3000


def placed(wrong: Wrong, first: int) -> str:
    """The line with D at v64 (or its file's) and C at another register of that file."""
    _, file, _, count = next(wrong.ranges())
    operands = [span(file, 64, count), *wrong.operands[1:]]
    operands[3] = span(file, first, count)
    return wrong.line(operands)


@pytest.mark.parametrize(("target", "wave"), MODES)
def test_c_may_touch_d_but_not_lie_over_it(target: str, wave: int) -> None:
    """Every distance up to the first without a common register, on both sides."""
    rng, seen = random.Random(3), set()
    for each in catalog.instructions(target):
        if not each.is_matrix or each.matrix.partial_overlap:
            continue
        wrong = Wrong(each, wave, rng)
        _, _, _, count = next(wrong.ranges())
        for away in range(-count, count + 1, each.alignment if count > 1 else 1):
            line = placed(wrong, 64 + away)
            if 0 < abs(away) < count:
                with pytest.raises(EncodingMistake, match="C must be D or have none of its"):
                    assemble(line, target, wave)
            else:
                assemble(line, target, wave)
            seen.add(abs(away) < count)
    assert len(seen) in (0, 2)


def test_scale_formats_of_every_pair() -> None:
    """A side that is fp4 (4) has any scale format, another E8M0 (0); two fp4 have one."""
    tried = 0
    for each in catalog.instructions("gfx1250"):
        if not (each.is_matrix and each.is_scaled and len(each.formats["a"]) > 1):
            continue
        for a, b, scale_a, scale_b in itertools.product((0, 2, 4), (1, 4), range(3), range(3)):
            wrong = Wrong(each, 32, random.Random(1))
            wrong.values |= {"matrix_a_fmt": a, "matrix_b_fmt": b}
            wrong.values |= {"matrix_a_scale_fmt": scale_a, "matrix_b_scale_fmt": scale_b}
            wrong.operands = draw_operands(each, 32, wrong.values, random.Random(1))
            free = (a == 4 or not scale_a) and (b == 4 or not scale_b)
            if free and not (a == b == 4 and scale_a != scale_b):
                assemble(wrong.line(), "gfx1250", 32)
            else:
                with pytest.raises(EncodingMistake, match="scale format"):
                    assemble(wrong.line(), "gfx1250", 32)
            tried += 1
    assert tried >= 54


def test_rules_are_all_entered() -> None:
    assert [rule.__name__ for rule in RULES] == [
        "modifiers_have_legal_values",
        "operands_are_of_a_kind",
        "ranges_have_a_length",
        "ranges_end_in_their_file",
        "ranges_are_aligned",
        "accumulators_share_a_file",
        "results_do_not_overlap",
        "scalars_are_few",
        "scale_formats_fit",
    ]
