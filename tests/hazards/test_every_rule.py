"""Each rule of hazards.json fires on a seeded violation, and not on the repaired twin."""

import functools
from collections import Counter

import pytest

import wavemma
from tests.facts import facts_json
from tests.hazards.seeded_pairs import EXPORT, Pair, pairs_of, rules
from wavemma.checks.assembly_text import of_text
from wavemma.hazards import Reader, needs
from wavemma.tables.targets import targets

pytestmark = pytest.mark.facts
WAVES = [(row.name, wave) for row in targets().values() for wave in row.waves]


@functools.cache
def pairs_on(target: str, wave: int) -> tuple[Pair, ...]:
    here = [rule for rule in rules() if target in rule["targets"]]
    return tuple(pair for rule in here for pair in pairs_of(rule, target, wave))


def text(pairs: list[Pair], missing: int) -> tuple[str, list[int]]:
    """Write pairs one after the other, each a function; give the lines of the consumers."""
    lines, at = [], []
    for number, pair in enumerate(pairs):
        lines += [f"f{number}:", *pair.lines((pair.need or 0) - missing)]
        at.append(len(lines))
        lines.append("s_endpgm")
    return "\n".join(lines), at


@pytest.mark.parametrize(("target", "wave"), WAVES)
def test_rules_that_ask_for_something_fire_and_are_mended(target: str, wave: int) -> None:
    pairs = [each for each in pairs_on(target, wave) if each.need and EXPORT not in each.consumer]
    assert pairs
    broken, places = text(pairs, 1)
    found = {}
    for each in wavemma.lint(broken, target=target, wave=wave).findings:
        if each.what == "hazard":
            found.setdefault(each.at.place, []).append(each)
    for pair, place in zip(pairs, places, strict=True):
        own = [each for each in found.get(place, []) if each.rule == pair.rule]
        also = [word for each in found.get(place, []) for word in each.also]
        if own:
            assert (own[0].needs, own[0].has) == (pair.need, pair.need - 1), pair
        else:
            told = f"{pair.need} needed, {pair.need - 1} there"
            assert any(word.startswith(pair.rule) and word.endswith(told) for word in also), pair
    mended, places = text(pairs, 0)
    left = wavemma.lint(mended, target=target, wave=wave).findings
    for each in left:
        if each.what == "hazard":
            pair = pairs[places.index(each.at.place)]
            assert each.conflicts, (pair, each)
            assert each.severity == "suspect"


@pytest.mark.parametrize(("target", "wave"), WAVES)
def test_rules_that_ask_for_nothing_hold_and_find_nothing(target: str, wave: int) -> None:
    pairs = [each for each in pairs_on(target, wave) if each.need == 0]
    assert pairs
    close, places = text(pairs, 0)
    items = {item.place: item.reading for item in of_text(close, Reader(target, wave)).items}
    for pair, place in zip(pairs, places, strict=True):
        matched = needs(items[place - 1], items[place], target)
        assert 0 in [each.wait for each in matched if each.rule.name == pair.rule], pair
    wrong = {each.at.place: each.rule for each in wavemma.lint(close, target=target).findings}
    assert all(wrong.get(place) != pair.rule for pair, place in zip(pairs, places, strict=True))


# Where nothing is known: the rule whose slots the facts call safe, or that of like operands.
SAFE = {
    "125x-valu-c-war": "next_valu",
    "125x-scale": "next_wmma_ab",
    "125x-scale-war": "next_valu",
}


@pytest.mark.parametrize("target", ["gfx1250", "gfx1251"])
def test_what_nobody_knows_is_suspect_until_it_is_safe(target: str) -> None:
    pairs = []
    for pair in pairs_on(target, 32):
        # C of the sparse ones is their D, for which another rule asks.
        if pair.need is None and not pair.producer.startswith("v_swmmac"):
            rows = facts_json("hazards")["gfx1250_categories"]
            name = pair.producer.split()[0]
            fits = [row for row in rows if any(t.split()[0] == name for t in row[target])]
            if len({row[SAFE[pair.rule]] for row in fits}) == 1 and fits[0][SAFE[pair.rule]]:
                pairs.append(pair._replace(need=fits[0][SAFE[pair.rule]]))
    assert {pair.rule for pair in pairs} == set(SAFE)
    close, places = text(pairs, 1)
    found = {each.at.place: each for each in wavemma.lint(close, target=target).findings}
    for pair, place in zip(pairs, places, strict=True):
        each = found[place]
        assert (each.severity, each.rule, each.grade) == ("suspect", pair.rule, "unknown")
        assert (each.needs, each.has) == (pair.need, (pair.need or 0) - 1)
    safe, _ = text(pairs, 0)
    assert wavemma.lint(safe, target=target).is_clean


# No assembler takes exports for these targets: the words of gfx9's encoding, by hand.
EXPORT_CODE = (0xC400000F).to_bytes(4, "little") + bytes([3, 4, 5, 0])


@pytest.mark.parametrize(("target", "name"), [("gfx942", "942-xdl-exp"), ("gfx950", "950-xdl-exp")])
def test_exports_fire_and_are_mended_as_bytes(target: str, name: str) -> None:
    (rule,) = [each for each in rules() if each["id"] == name]
    pairs = list(pairs_of(rule, target, 64))
    assert len(pairs) >= 4
    for pair in pairs:
        need = pair.need or 0
        found = wavemma.lint(_export_after(pair, need - 1), target=target).findings
        (fault,) = [each for each in found if each.what == "hazard"]
        assert (fault.rule, fault.needs, fault.has) == (name, need, need - 1)
        mended = wavemma.lint(_export_after(pair, need), target=target)
        assert not [each for each in mended.findings if each.what == "hazard"]
        repaired = _export_after(pair, need - 1 + sum(_states(line) for line in fault.fix))
        assert not [each for each in wavemma.lint(repaired, target=target).findings
                    if each.what == "hazard"]  # fmt: skip


def _export_after(pair: Pair, states: int) -> bytes:
    """Write a pair as code: producer, so many wait states, and the export."""
    nops = [min(16, states - at) for at in range(0, states, 16)]
    waits = b"".join((0xBF800000 | count - 1).to_bytes(4, "little") for count in nops)
    return bytes(wavemma.assemble(pair.producer, pair.target)) + waits + EXPORT_CODE


def _states(line: str) -> int:
    """Count the wait states of a line of a fix."""
    word, _, number = line.partition(" ")
    return int(number, 0) + 1 if word == "s_nop" else 1


def test_every_rule_is_seeded() -> None:
    seeded = Counter(pair.rule for target, wave in WAVES for pair in pairs_on(target, wave))
    assert len(rules()) == 101
    assert set(seeded) == {rule["id"] for rule in rules()}
    assert sum(seeded.values()) > 2000
