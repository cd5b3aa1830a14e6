"""data/throughput against the timings of instructions.json, and its own rules."""

from itertools import product

import pytest

from tests.facts import facts_json
from wavemma.tables.instructions import architecture_rows
from wavemma.tables.targets import architectures, targets_of
from wavemma.tables.throughput import steppings, timings

PIPES = {
    None: "unknown",
    "matrix pipe (XDL)": "matrix",
    "VALU (not the matrix co-execution pipe)": "valu",
}
GRADES = {"calculator-verified": "V", "document-only": "V", "missing": "unknown"}
SMALL = {"fp6", "bf6", "fp4"}
# The words of the facts for a pair of formats, read again here.
CASES = {
    "both A and B in {fp6,bf6,fp4}": lambda a, b: a in SMALL and b in SMALL,
    "A or B in {fp8,bf8}": lambda a, b: not (a in SMALL and b in SMALL),
    "both fp4": lambda a, b: a == b == "fp4",
    "neither fp8 nor bf8": lambda a, b: a in SMALL and b in SMALL,
    "otherwise": lambda a, b: True,
}


def _rows(architecture, name, target, stepping):
    return [
        row
        for row in timings(architecture)[name]
        if (not row.targets or target in row.targets) and row.stepping in ("", stepping)
    ]


def _first(rows, a, b):
    return next(row for row in rows if (not row.a or a in row.a) and (not row.b or b in row.b))


def _by_case(value, a, b):
    """Pick the cycles of a pair of formats out of a fact."""
    if not isinstance(value, dict):
        return value
    return next(cycles for case, cycles in value.items() if CASES[case](a, b))


def _wanted(timing, target, stepping, a, b):
    cycles = timing.get("cycles", timing.get("cycles_by_format"))
    if isinstance(cycles, dict) and target in cycles:
        cycles = cycles.get(f"{target} stepping {stepping}", cycles[target])
    return _by_case(cycles, a, b)


def _formats(fact, role):
    value = fact.get("types", {}).get(role, "")
    return value if isinstance(value, list) else [value]


@pytest.mark.facts
def test_cycles_are_those_of_the_facts_for_every_target_stepping_and_format():
    checked = 0
    for fact in facts_json("instructions")["instructions"]:
        for target, stepping in product(fact["targets"], ("", "A0")):
            rows = _rows(fact["arch"], fact["mnemonic"], target, stepping)
            for a, b in product(_formats(fact, "A"), _formats(fact, "B")):
                renamed = [{"fp8": "fp8_ocp", "bf8": "bf8_ocp"}.get(word, word) for word in (a, b)]
                ours = _first(rows, *renamed).cycles
                wanted = _wanted(fact["timing"], target, stepping, a, b)
                assert ours == ("unknown" if wanted is None else wanted), fact["mnemonic"]
                checked += 1
    assert checked == 1302


@pytest.mark.facts
def test_everything_else_about_a_timing_is_that_of_the_facts():
    facts = facts_json("instructions")["instructions"]
    assert len(facts) == 264
    for fact in facts:
        timing = fact["timing"]
        for row in timings(fact["arch"])[fact["mnemonic"]]:
            ours, wanted = _else_of(row, fact["arch"]), _else_of_fact(timing)
            if "cycles_by_format" in timing:
                ours["passes"] = None  # the facts give none here
            assert ours == wanted, fact["mnemonic"]


def _else_of(row, architecture):
    """What a row says besides cycles, in the words of the facts."""
    said = {
        "source": None if row.source == "none" else row.source,
        "grade": row.grade,
        "coexec": None if row.coexec == "unknown" else row.coexec,
        "coexec_source": row.coexec_source or row.source,
        "pipe": row.pipe,
        "also": [source for source in row.also if source.startswith("rocm")],
        "model": {other.source: other.cycles for other in row.against},
    }
    said["model"].update(dict.fromkeys((s for s in row.also if s.startswith("llvm")), row.cycles))
    said["disagrees"] = bool(row.against)
    per_pass = architectures()[architecture].pass_cycles
    counted = per_pass and row.cycles != "unknown"
    said["passes"] = row.cycles // per_pass if counted else None
    return said


def _else_of_fact(timing):
    model = timing.get("llvm22_model_cycles")
    return {
        "source": timing["source"],
        "grade": GRADES[timing["grade"]],
        "coexec": timing.get("valu_coexec_cycles"),
        "coexec_source": timing.get("valu_coexec_source", timing["source"] or "none"),
        "pipe": PIPES[timing.get("unit")],
        "also": [timing["also"]] if "also" in timing else [],
        "model": {} if model is None else {"llvm22-sched-model": model},
        "disagrees": "disagreement" in timing,
        "passes": timing.get("passes"),
    }


@pytest.mark.facts
def test_the_grade_words_of_the_facts_follow_from_the_source():
    words = {None: "missing", "calculator": "calculator-verified"}
    for fact in facts_json("instructions")["instructions"]:
        timing = fact["timing"]
        assert timing["grade"] == words.get(timing["source"], "document-only")


def test_every_instruction_has_a_row_that_always_fits_last():
    """So that a look-up never ends without an answer."""
    for architecture in architectures():
        table = architecture_rows(architecture)
        named = {row.name: row for row in (*table.instructions, *table.scale_loads)}
        assert set(timings(architecture)) == set(named)
        for name, target in product(named, targets_of(architecture)):
            having = getattr(named[name], "targets", ()) or targets_of(architecture)
            rows = _rows(architecture, name, target, "")
            assert bool(rows) == (target in having), (name, target)
            assert not rows or not (rows[-1].a or rows[-1].b), (name, target)


def test_no_row_is_hidden_by_an_earlier_one():
    for architecture in architectures():
        for rows in timings(architecture).values():
            keys = [(row.targets, row.stepping, row.a, row.b) for row in rows]
            assert len(set(keys)) == len(keys)


def test_steppings_are_known_by_target():
    assert steppings("gfx1250") == ("A0",)
    assert steppings("gfx1251") == ()
    assert steppings("gfx942") == ()
