"""Kinds of cases over all targets, through the commands, with values from the fact files."""

import itertools
import json
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.cli.command import ran
from tests.explain.layout_facts import axes, elements, place, questions, size
from tests.facts import facts_json

pytestmark = pytest.mark.facts

ROWS = facts_json("instructions")["instructions"]


def _answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    done = ran(capsys, *words, "--json")
    assert done.code < 2, done.err
    answer: dict[str, Any] = json.loads(done.out)
    return answer


def _plain_results() -> list[Any]:
    """One D of f32 in one block for each architecture and wave size."""
    found = {}
    for each in questions():
        fact = each.fact
        if each.operand == "D" and axes(fact) == ["i", "j"] and fact["element_bits"] == 32:
            found.setdefault((fact["arch"], each.wave), each)
    return list(found.values())


def test_case_7_a_threads_number_as_lane(capsys: pytest.CaptureFixture[str]) -> None:
    """Formulas of the facts with tid for lane: right until the second wave."""
    asked = _plain_results()
    assert len(asked) >= 9
    for each in asked:
        inverse = each.fact["inverse"]
        text = f"row = {inverse['i']}; col = {inverse['j']}".replace("lane", "tid")
        words = (each.target, each.instruction, "D", text, "--wave", str(each.wave))
        found = _answer(capsys, "check-layout", *words)
        # Only a row or column that is right for any multiple of the wave is right for all.
        assert found["verdict"] == "first wave only", text
        assert found["first"]["at"]["thread"] >= each.wave
        again = (each.target, each.instruction, "D", found["right_form"], "--wave", str(each.wave))
        assert _answer(capsys, "check-layout", *again)["verdict"] == "right"


def test_case_7_the_lane_is_explained_with_every_formula(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for each in _plain_results():
        words = (each.target, each.instruction, "D", "--wave", str(each.wave))
        for command in (("layout", *words), ("where", *words[:3], "0", "0", *words[3:])):
            notes = _answer(capsys, *command)["notes"]
            assert any("modulo the wave size" in note for note in notes), command


def _contiguous(fact: dict[str, Any]) -> str:
    """A kernel's map: each lane loads neighbouring k, one part of k after the other."""
    count = 1 << len(fact["slot_bits"])
    outer = next(letter for letter in axes(fact) if letter != "k")
    width = size(fact, outer)
    return f"{outer} = lane % {width}; k = {count} * (lane // {width}) + slot"


def test_case_10_neighbouring_k_is_equivalent_on_every_target(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Where no lane repeats another, each order of k is one permutation."""
    verdicts = set()
    seen = set()
    for each in questions():
        fact = each.fact
        plain = each.operand in "AB" and "b" not in axes(fact) and "k" in axes(fact)
        if not plain or len(fact["copies"]) > 1 or fact["element_bits"] not in (8, 16):
            continue
        key = (each.operand, each.wave, str(fact["lane_bits"]), str(fact["slot_bits"]))
        if key in seen or fact["stride_bits"] != fact["element_bits"] or each.format:
            continue
        seen.add(key)
        words = (each.target, each.instruction, each.operand, _contiguous(fact))
        found = _answer(capsys, "check-layout", *words, "--wave", str(each.wave))
        wanted = "right" if _is_contiguous(fact) else "equivalent"
        assert found["verdict"] == wanted, (words, found["verdict"])
        verdicts.add(wanted)
        if wanted == "equivalent":
            assert found["permutation"]["order"] == _order(fact)
            assert len(found["permutation"]["differs"]) == 3
    assert verdicts == {"right", "equivalent"}
    assert len(seen) >= 10


def _order(fact: dict[str, Any]) -> list[int]:
    """The k of the facts at each place, in the order in which a kernel counts places."""
    outer = next(letter for letter in axes(fact) if letter != "k")
    found = {}
    for element in elements(fact):
        lane, low, _ = place(fact, element)[0]
        if element[outer] == 0:
            found[lane, low] = element["k"]
    return [found[at] for at in sorted(found)]


def _is_contiguous(fact: dict[str, Any]) -> bool:
    order = _order(fact)
    return order == sorted(order)


BYTES = {
    "fnuz": {"fp8": ml_dtypes.float8_e4m3fnuz, "bf8": ml_dtypes.float8_e5m2fnuz},
    "ocp": {"fp8": ml_dtypes.float8_e4m3fn, "bf8": ml_dtypes.float8_e5m2},
}


def test_case_18_every_byte_on_every_target(capsys: pytest.CaptureFixture[str]) -> None:
    """All 256 codes against ml_dtypes, in the family that the facts give each target."""
    codes = [f"0x{code:02x}" for code in range(256)]
    architectures = facts_json("instructions")["architectures"]
    checked = 0
    for facts in architectures.values():
        for word, dtype in BYTES.get(facts.get("fp8", "none"), {}).items():
            wanted = np.arange(256, dtype=np.uint8).view(dtype).astype(np.float64)
            for target in facts["targets"]:
                found = _answer(capsys, "bits", word, *codes, "--target", target)
                texts = [each["text"].split(" ")[0] for each in found["readings"][0]["codes"]]
                got = np.array([float(text) for text in texts])
                assert np.array_equal(got, wanted, equal_nan=True), (target, word)
                checked += 1
    assert checked >= 14


def test_case_32_signs_and_clamp_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """Every integer WMMA of every target, all signs, with clamp and without."""
    checked = 0
    for row in ROWS:
        if row.get("types", {}).get("A") not in ("iu8", "iu4") or row["sparse"]:
            continue
        target = row["targets"][0]
        counts = row["vgprs"][str(row["wave_sizes"][0])]
        spans, start = [], 0
        for role in ("D", "A", "B"):
            count = counts[role]
            spans.append(f"v[{start}:{start + count - 1}]" if count > 1 else f"v{start}")
            start += count
        line = f"{row['mnemonic']} {', '.join([*spans, spans[0]])}"
        for a, b, clamp in itertools.product((0, 1), repeat=3):
            text = f"{line} neg_lo:[{a},{b},0]" + (" clamp" if clamp else "")
            made = _answer(capsys, "asm", target, text)
            words = _bytes(made)
            done = ran(capsys, "dis", target, words, "--explain")
            told = " ".join(done.out.split())
            for role, sign in (("A", a), ("B", b)):
                kind = "signed" if sign else "unsigned"
                assert f"{role}: " in told
                assert f"{role} is {kind}" in told or f"({kind})" in told, (text, told)
            assert ("becomes its nearest limit" in told) == bool(clamp), (text, told)
            checked += 1
    assert checked >= 8 * 8


def _bytes(answer: dict[str, Any]) -> str:
    return "".join(answer["instructions"][0]["bytes"].split())
