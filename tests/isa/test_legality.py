import random

import pytest

from tests.isa.illegal_lines import REASONS, Wrong
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
