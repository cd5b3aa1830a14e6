"""data/hazards.toml against hazards.json, and its own rules."""

import re
from collections import defaultdict

import pytest

from tests.facts import facts_json
from wavemma.tables.hazards import evidence, hazards
from wavemma.tables.targets import architectures, targets

SOURCES = {
    "llvm": "llvm-hazards",
    "pr-8309": "rocm-libraries-pr-8309",
    "pr-9998": "rocm-libraries-pr-9998",
    "pr-2265": "rocm-llvm-pr-2265",
    "fork": "rocm-llvm-fork",
}
UNITS = {
    "wait_state": "wait states",
    "wait_state_after_move": "wait states after a v_accvgpr_read or v_accvgpr_write that stands "
    "between",
    "wait_state_over_f64": "wait states from the VALU write, only if an f64 MFMA stands between "
    "(it counts as one)",
    "slot": "VALU slots: v_nop, an unrelated VALU or another WMMA; SALU and s_nop do not count",
    "slot_cdna5": "VALU slots: v_nop, an unrelated VALU or TRANS, another WMMA (a VOPD pair is "
    "one); SALU and s_nop do not count",
}
STATUS = {"not inserted by any LLVM": "not inserted"}
# Operands whose words in the facts are not simply ours in upper case.
PRODUCES = {
    "vdst (AGPR)": (("vdst",), "agpr"),
    "vdst (VGPR or AGPR)": (("vdst",), "either"),
    "vdst and sources": (("vdst", "source"), ""),
}
CONSUMES = {
    "C exact": (("c",), "exact", False),
    "C overlap": (("c",), "partial", False),
    "C of the same opcode": (("c",), "", True),
    "read; write of a source": (("read", "write"), "", False),
}


def _cited(key):
    if key in SOURCES:
        return SOURCES[key]
    return f"llvm-{key}" if key.startswith(("pr-", "issue-")) else key


def _words(text):
    return tuple(text.lower().split())


def _wait(rule):
    """Say the wait of a rule as the facts do."""
    if isinstance(rule.wait, tuple):
        return {"by_passes": {str(passes): number for passes, number in rule.wait}}
    if rule.wait in ("next_ab", "next_valu"):
        numbered = [row for row in hazards().categories.values() if row.name != "none"]
        return {"by_category": [getattr(row, rule.wait) for row in numbered]}
    return {"any": None if rule.wait == "unknown" else rule.wait}


@pytest.mark.facts
def test_rules_are_those_of_the_facts():
    facts = facts_json("hazards")["rules"]
    rules = hazards().rules
    assert len(rules) == len(facts) == 101
    assert list(rules) == [fact["id"] for fact in facts]
    for fact in facts:
        rule = rules[fact["id"]]
        produces = PRODUCES.get(fact["producer_operand"])
        consumes = CONSUMES.get(fact["consumer_operand"])
        assert {
            "id": rule.name,
            "targets": list(rule.targets),
            "producer": list(rule.producer),
            "consumer": list(rule.consumer),
            "hazard": " ".join(rule.hazard),
            "wait": _wait(rule),
            "unit": UNITS[rule.counting],
            "grade": rule.grade,
        } == {key: fact[key] for key in fact if key in _COMPARED}
        assert (rule.produces, rule.file) == (produces or (_words(fact["producer_operand"]), "")), (
            rule.name
        )
        assert (rule.consumes, rule.overlap, rule.same_opcode) == (
            consumes or (_words(fact["consumer_operand"]), "", False)
        ), rule.name
        assert rule.sources == tuple(_cited(key) for key in fact["sources"])
        assert rule.status == STATUS.get(fact["verified"]["status"], fact["verified"]["status"])
        assert bool(rule.note) == ("note" in fact)
        assert bool(rule.status_note) == ("note" in fact["verified"])


_COMPARED = {"id", "targets", "producer", "consumer", "hazard", "wait", "unit", "grade"}


@pytest.mark.facts
def test_notes_keep_the_numbers_of_the_facts():
    for fact in facts_json("hazards")["rules"]:
        rule = hazards().rules[fact["id"]]
        words = f"{rule.note} {rule.status_note}"
        text = f"{fact.get('note', '')} {fact['verified'].get('note', '')}"
        # a pass count that the fact writes with a hyphen, "1/11/19" written apart
        missing = [n for n in re.findall(r"\d+", text) if n not in re.findall(r"\d+", words)]
        assert not missing, (rule.name, missing)


@pytest.mark.facts
def test_evidence_is_that_of_the_facts():
    ours = defaultdict(list)
    for row in evidence():
        ours[row.rule].append(row)
    for fact in facts_json("hazards")["rules"]:
        found, wanted = ours[fact["id"]], fact["verified"]
        pairs = {
            f"{row.target}/w{row.wave}/{llvm}": getattr(row, llvm)
            for row in found
            for llvm in ("llvm22", "llvm24")
            if getattr(row, llvm) != "not counted"
        }
        if "pairs" in wanted:
            assert pairs == wanted["pairs"]
            continue
        for llvm in ("llvm22", "llvm24"):
            total = wanted.get(f"{llvm}_pairs", 0)
            assert sum(getattr(row, llvm) for row in found) == total, fact["id"]
        if "by_target" in wanted:
            assert {row.target: row.llvm22 for row in found} == wanted["by_target"]


@pytest.mark.facts
def test_evidence_adds_up_to_the_experiments():
    """Pairs by target, as counted in another part of the facts."""
    facts = facts_json("hazards")
    paired = {fact["id"] for fact in facts["rules"] if "by_target" in fact["verified"]}
    counted = defaultdict(int)
    for row in evidence():
        if row.rule in paired:
            counted[row.target] += row.llvm22
            counted["llvm22"] += row.llvm22
            counted["llvm24"] += row.llvm24
    wanted = facts["experiments"]["cdna_pairs"]
    assert counted == {key: number for key, number in wanted.items() if "different" not in key}


@pytest.mark.facts
def test_words_and_counting_are_those_of_the_facts():
    facts = facts_json("hazards")
    known = {*hazards().classes, *(f"C {word}" for word in ("exact", "overlap"))}
    assert set(facts["classes"]) <= known
    assert set(hazards().overlaps) == {"exact", "partial"}
    used = {word for fact in facts["rules"] for word in (*fact["producer"], *fact["consumer"])}
    assert used <= set(hazards().classes)
    assert set(hazards().countings) == set(UNITS)
    assert {fact["unit"] for fact in facts["rules"]} == set(UNITS.values())
    counted = {name: row.programs for name, row in hazards().countings.items() if row.programs}
    for name, key in (
        ("wait_state", "cdna"),
        ("slot", "gfx11 gfx12"),
        ("slot_cdna5", "gfx1250 gfx1251"),
    ):
        assert f"{counted[name]:,} programs" in facts["counting"][key]["verified"]
    assert len(counted) == len(facts["counting"]) == 3


GROUPS = {
    "fp4": "fp4",
    "fp6": "fp6/bf6",
    "bf6": "fp6/bf6",
    "fp8_ocp": "fp8/bf8",
    "bf8_ocp": "fp8/bf8",
}


def _category(name, target, a, b):
    return next(
        row.category
        for row in hazards().members
        if (row.name, row.target) == (name, target)
        and (not row.a or a in row.a)
        and (not row.b or b in row.b)
    )


@pytest.mark.facts
def test_categories_are_those_of_the_facts():
    facts = facts_json("hazards")["gfx1250_categories"]
    assert len(hazards().categories) == len(facts) == 8
    named = set()
    for fact, row in zip(facts, hazards().categories.values(), strict=True):
        assert (row.name, row.cycles, row.next_ab, row.next_valu) == (
            str(fact["category"]),
            fact.get("matrix_pipe_cycles", "none"),
            fact["next_wmma_ab"],
            fact["next_valu"],
        )
        for target in ("gfx1250", "gfx1251"):
            for text in fact[target]:
                name, a, b = re.fullmatch(r"(\S+)(?: A=(\S+) B=(\S+))?", text).groups()
                named.add((name, target))
                for one in (key for key, group in GROUPS.items() if a in (None, group)):
                    for two in (key for key, group in GROUPS.items() if b in (None, group)):
                        assert _category(name, target, one, two) == row.name, text
    assert {(row.name, row.target) for row in hazards().members} == named


@pytest.mark.facts
def test_delays_banks_latencies_conflicts_and_remarks_are_all_there():
    facts, ours = facts_json("hazards"), hazards()
    # one row of the facts holds two hints
    assert len(ours.delays) == len(facts["delay_alu"]["rows"]) + 1 == 9
    said = " ".join(fact["hint"] for fact in facts["delay_alu"]["rows"])
    hints = re.findall(r"VALU_DEP_\d|TRANS32_DEP_\d|none", said)
    assert sorted(row.hint for row in ours.delays) == sorted(hints)
    for row in ours.reaches:
        if row.hint != "SKIP":
            last = row.hint if row.reach == 1 else f"{row.hint}_1 to {row.reach}"
            assert last in facts["delay_alu"]["fields"]
    assert {row.hint: row.reach for row in ours.reaches}["SKIP"] == 5
    bank = facts["vgpr_banks"]
    (row,) = ours.banks
    assert (row.cycles_distinct, row.cycles_shared, row.grade, row.sources) == (
        bank["cycles_distinct_banks"],
        bank["cycles_two_or_more_share"],
        bank["grade"],
        tuple(_cited(key) for key in bank["sources"]),
    )
    assert f"modulo {row.modulo}" in bank["bank"]
    assert row.instruction in bank["instruction"]
    assert len(ours.latencies) == len(facts["latency"]) == 8
    for row, fact in zip(ours.latencies.values(), facts["latency"], strict=True):
        assert row.grade == fact["grade"]
        numbers = re.findall(r"\b\d+\b", fact["fact"])
        assert set(numbers) <= set(re.findall(r"\d+", row.fact)), row.name
    assert len(ours.remarks) == len(facts["also"]) == 4


@pytest.mark.facts
def test_conflicts_keep_sources_and_numbers_of_the_facts():
    facts = facts_json("hazards")["conflicts"]
    assert [row.name for row in hazards().conflicts.values()] == [fact["id"] for fact in facts]
    assert len(facts) == 15
    for fact in facts:
        row = hazards().conflicts[fact["id"]]
        assert row.sources == tuple(_cited(key) for key in fact["sources"])
        words = f"{row.about} {row.claims} {row.advice}"
        numbers = re.findall(r"\d+", f"{fact['what']} {fact['advice']}")
        assert set(numbers) <= set(re.findall(r"\d+", words)), row.name


def test_rules_name_every_architecture_and_only_targets_that_exist():
    named = {name for rule in hazards().rules.values() for name in rule.architectures}
    assert named == set(architectures())
    for rule in hazards().rules.values():
        assert set(rule.targets) <= set(targets())


def test_waits_by_passes_ascend():
    for rule in hazards().rules.values():
        if isinstance(rule.wait, tuple):
            passes = [number for number, _ in rule.wait]
            assert passes == sorted(set(passes))


def test_what_compilers_show_is_graded_as_vendor_tools():
    table = hazards()
    rows = (*table.countings.values(), *table.delays, *table.reaches)
    assert {(row.source, row.grade) for row in rows} == {("llvm-hazards", "V")}
