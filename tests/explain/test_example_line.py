"""Every example line assembles, and names each operand with the registers of the facts."""

import pytest

from tests.facts import facts_json
from wavemma.explain.example_line import example_line
from wavemma.isa import catalog
from wavemma.isa.assemble import parse


@pytest.mark.facts
def test_every_line_is_right() -> None:
    checked = 0
    for row in facts_json("instructions")["instructions"]:
        each = catalog.instruction(row["mnemonic"], row["targets"][0])
        for wave in row["wave_sizes"]:
            decoded = parse(example_line(each, wave), row["targets"][0], wave)
            assert decoded.is_legal
            for role, count in row.get("vgprs", {}).get(str(wave), {}).items():
                if role in ("A", "B", "C"):
                    assert decoded.operand(role.lower()).count == count
            checked += 1
    assert checked == 320
