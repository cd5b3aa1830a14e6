"""Every layout of the facts as a mapping: right where it belongs, and known elsewhere."""

import itertools
from typing import Any

import pytest

from tests.facts import facts_json
from wavemma.explain.check_layout import check_layout
from wavemma.explain.map_index import index
from wavemma.tables.targets import targets_of

ROLES = {"A scale": "scale_a", "B scale": "scale_b"}


def _facts() -> list[dict[str, Any]]:
    return facts_json("layouts")["layouts"]


def _distinct() -> list[dict[str, Any]]:
    """One entry of the facts for each layout there is."""
    keys = ("wave", "operand", "lane_bits", "slot_bits", "copies", "element_bits", "stride_bits")
    found = {repr([fact[key] for key in keys]): fact for fact in _facts()}
    return list(found.values())


def _has_map(fact: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Whether an operand's rows and columns lie where those of a D do."""
    rows = {"A": "ik", "B": "kj", "C": "ij", "D": "ij"}.get(fact["operand"], "")
    names = dict(zip(rows, "ij", strict=False))
    bits = [
        [names.get(bit[0], bit[0]) + bit[1:] for bit in fact[key]]
        for key in ("lane_bits", "slot_bits")
    ]
    return bits == [theirs["lane_bits"], theirs["slot_bits"]]


def _format(fact: dict[str, Any]) -> str | None:
    return fact.get("format")


def _check(fact: dict[str, Any], mapping: Any, of: dict[str, Any] | None = None):
    """Hold a mapping against the operand of an entry of the facts."""
    of = of or fact
    target = next(
        name
        for name in targets_of(of["arch"])
        if name == "gfx1251" or "f64" not in of["instructions"][0] or of["arch"] != "cdna5"
    )
    return check_layout(
        target,
        of["instructions"][0],
        ROLES.get(of["operand"], of["operand"]),
        mapping,
        wave=of["wave"],
        format=_format(of),
    )


def _value(formula: str, **names: int) -> int:
    return int(eval(formula, {"__builtins__": {}}, names))


def _matrix(fact: dict[str, Any]) -> dict[str, int]:
    """Sizes of the indices that the entry's formulas speak of."""
    used = sorted({bit[0] for bit in fact["lane_bits"] + fact["slot_bits"]})
    bits = fact["lane_bits"] + fact["slot_bits"]
    return {letter: 1 << sum(bit[0] == letter for bit in bits) for letter in used}


@pytest.mark.slow
@pytest.mark.facts
def test_every_entry_of_the_facts_is_right_in_both_directions() -> None:
    checked = 0
    for fact in _facts():
        places = f"lane = {fact['lane']}; slot = {fact['slot']}"
        elements = "; ".join(f"{name} = {text}" for name, text in fact["inverse"].items())
        for text in (places, elements.replace("//", "/") + ";"):
            found = _check(fact, text)
            assert (found.verdict, found.wrong) == ("right", 0), (fact, text, found.first)
            checked += 1
    assert checked == 572 * 2


SHARES = [pytest.param(4, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.nightly)]


@pytest.mark.facts
@pytest.mark.parametrize("every", SHARES)
def test_the_right_form_is_right_for_every_entry(every: int) -> None:
    """A wrong mapping in each direction and syntax gets a right one in its own words."""
    checked = 0
    for fact in list(_distinct())[::every]:
        names = list(_matrix(fact))
        if fact["element_bits"] != 6:
            wrong = [
                "; ".join(f"{name} = lane + v + n + 77" for name in names),
                f"lane = {' + '.join(names)} + 1000; v = 5; n = 0",
            ]
        else:
            wrong = []
        wrong += [
            "; ".join(f"{name} = lane + slot + 77" for name in names),
            f"lane = {' + '.join(names)} + 1000; slot = 1/1",
        ]
        for text in wrong:
            found = _check(fact, text)
            assert (found.verdict, found.wrong) == ("wrong", found.total), (fact, text)
            again = _check(fact, found.right_form)
            assert again.verdict == "right", (fact, text, found.right_form, again.first)
            checked += 1
    assert checked > 400 / every


@pytest.mark.facts
@pytest.mark.parametrize("forward", [True, False])
def test_every_map_of_16x16_results_claimed_for_every_other(forward: bool) -> None:
    """Wrong counts by brute force, and the owner is an architecture that has the map."""
    chosen = {
        (fact["arch"], fact["wave"], fact["lane"], fact["slot"], fact["stride_bits"]): fact
        for fact in _facts()
        if fact["operand"] == "D" and _matrix(fact) == {"i": 16, "j": 16}
    }
    pairs = 0
    for mine, theirs in itertools.permutations(chosen.values(), 2):
        if mine["wave"] != theirs["wave"] or mine["stride_bits"] != theirs["stride_bits"]:
            continue
        if mine["arch"] == theirs["arch"] or (mine["lane"], mine["slot"]) == (
            theirs["lane"],
            theirs["slot"],
        ):
            continue
        text = (
            f"i = {theirs['inverse']['i']}; j = {theirs['inverse']['j']}"
            if forward
            else f"lane = {theirs['lane']}; slot = {theirs['slot']}"
        )
        wrong = sum(
            any(
                _value(mine[name], i=i, j=j) != _value(theirs[name], i=i, j=j)
                for name in ("lane", "slot")
            )
            for i in range(16)
            for j in range(16)
        )
        found = _check(mine, text)
        assert (found.verdict, found.wrong, found.total) == ("wrong", wrong, 256)
        owner = found.owners[0]
        assert not owner.transposed
        assert any(
            _has_map(fact, theirs)
            and owner.instruction in fact["instructions"]
            and owner.targets[0] in targets_of(fact["arch"])
            and (fact["operand"], fact["wave"]) == (owner.operand, owner.wave)
            for fact in _facts()
        )
        pairs += 1
    assert pairs >= 20


@pytest.mark.facts
@pytest.mark.parametrize("operand", ["A", "B", "D"])
def test_transposed_maps_are_named_as_such(operand: str) -> None:
    for fact in [each for each in _facts() if each["operand"] == operand][::7]:
        sizes = _matrix(fact)
        if len(sizes) != 2 or len(set(sizes.values())) != 1 or "g" in sizes:
            continue
        one, two = fact["inverse"]
        found = _check(fact, f"{one} = {fact['inverse'][two]}; {two} = {fact['inverse'][one]}")
        assert found.verdict == "wrong"
        assert found.owners, fact


@pytest.mark.slow
@pytest.mark.facts
def test_the_reversed_order_of_k_is_equivalent_everywhere() -> None:
    checked = 0
    for fact in _distinct():
        sizes = _matrix(fact)
        if fact["operand"] not in ("A", "B") or "k" not in sizes or sizes["k"] == 1:
            continue
        inverse = fact["inverse"]
        outer = next(name for name in inverse if name in "ij")
        block = f"b = {inverse['b']}; " if "b" in inverse else ""
        text = f"{block}{outer} = {inverse[outer]}; k = {sizes['k'] - 1} - ({inverse['k']})"
        found = _check(fact, text)
        sparse = "smfmac" in fact["instructions"][0] or "swmmac" in fact["instructions"][0]
        assert found.verdict == ("wrong" if sparse else "equivalent"), (fact, text)
        if found.permutation:
            assert found.permutation.order == tuple(range(sizes["k"]))[::-1]
        checked += 1
    assert checked > 60


def test_the_index_has_all_maps() -> None:
    assert len(index()) > 100
