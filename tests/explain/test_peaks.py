"""Peak rates of products and targets, against the facts."""

import json

import pytest

from tests.facts import facts_json
from wavemma.errors import OutOfRange, UnknownName, UnknownProduct, Unsupported
from wavemma.explain.peaks import BOUND_NOTE, NO_CLOCK_NOTE, explain_peak
from wavemma.render.structure import as_json


@pytest.mark.facts
def test_every_published_peak_stands_beside_ours():
    """Every check of the facts: the computed rate, the ratio and whether the two agree."""
    checks = facts_json("products")["checks"]
    documents = {}
    for check in checks:
        name = check["product"]
        if name not in documents:
            documents[name] = json.loads(as_json(explain_peak(name)))
        (mine,) = [
            each
            for each in documents[name]["peaks"]
            if (each["type"], each["sparse"]) == (check["type"], check["sparse"])
        ]
        assert mine["ops_per_cu_per_cycle"] == check["ops_per_cu_per_cycle"]
        assert mine["tera"] == pytest.approx(check["computed"], abs=6e-4)
        figures = [
            each
            for each in mine["published"]
            if (each["tera"], each["source"]) == (check["published"], check["source"])
        ]
        assert len(figures) == 1, check
        assert figures[0]["ratio"] == pytest.approx(check["ratio"], abs=6e-5)
        assert (figures[0]["agreement"] == "mismatch") == (check["status"] == "mismatch")
        assert bool(figures[0]["reason"]) == (check["status"] == "mismatch")
        assert documents[name]["evidence"]
    assert len(checks) == 156
    assert sum(check["status"] == "mismatch" for check in checks) == 10


@pytest.mark.facts
def test_the_formula_is_that_of_its_pieces():
    pieces = want_pieces = 0
    targets = facts_json("products")["targets"]
    for product in facts_json("products")["products"]:
        want_pieces += len(targets[product["target"]]["rates"])
        answer = explain_peak(product["name"])
        assert answer.units == product["cus"]
        assert answer.clock_mhz == product["boost_mhz"]
        for each in answer.peaks:
            assert each.cycles is not None
            rate = each.ops * product["simds_per_cu"] / each.cycles
            assert each.ops_per_cu_per_cycle == rate
            if product["boost_mhz"] is None:
                assert each.tera is None
            else:
                want = product["cus"] * rate * product["boost_mhz"] / 1e6
                assert each.tera == pytest.approx(want)
            pieces += 1
    assert pieces == want_pieces > 300


@pytest.mark.facts
def test_targets_give_rates_without_a_clock():
    for name, fact in facts_json("products")["targets"].items():
        if not fact["rates"]:
            continue
        answer = explain_peak(name)
        assert answer.clock_mhz is None
        assert NO_CLOCK_NOTE in answer.notes
        found = {f"{e.type}{' sparse' if e.sparse else ''}": e for e in answer.peaks}
        assert {key: each.ops_per_cu_per_cycle for key, each in found.items()} == {
            key: rate["ops_per_cu_per_cycle"] for key, rate in fact["rates"].items()
        }
        assert all(each.tera is None for each in answer.peaks)


def test_case_26():
    (xtx,) = explain_peak("RX 7900 XTX", type="f16", clock_mhz=2500).peaks
    assert round(xtx.tera, 1) == 122.9
    (mi300x,) = explain_peak("MI300X", type="bf16").peaks
    assert round(mi300x.tera, 1) == 1307.4
    assert mi300x.published[0].agreement == "equal after rounding"


def test_units_and_clock_of_a_target():
    answer = explain_peak("gfx1100", type="f16", clock_mhz=2500, units_count=96)
    assert round(answer.peaks[0].tera, 1) == 122.9
    assert BOUND_NOTE in answer.notes


def test_a_rate_is_as_sure_as_the_weakest_of_what_it_is_made_of():
    (found,) = explain_peak("RX 7900 XTX", type="f16").peaks
    # The calculator's cycles (V) at a clock of TechPowerUp's (D).
    assert (found.cycles_grade, found.grade) == ("V", "D")
    (given,) = explain_peak("gfx1100", type="f16", clock_mhz=2500, units_count=96).peaks
    assert given.grade == "V"


def test_unknown_cycles_stay_unknown():
    answer = explain_peak("gfx1170", type="f16", clock_mhz=2000)
    assert answer.peaks[0].cycles is None
    assert answer.peaks[0].tera is None
    assert answer.peaks[0].cycles_grade == "unknown"


def test_a_clock_that_came_from_a_published_figure_says_so():
    answer = explain_peak("MI455X")
    assert any("computed from its published" in note for note in answer.notes)
    assert any(each.what.startswith("clock") for each in answer.conflicts)


def test_mistakes():
    with pytest.raises(UnknownName, match="Closest: mi300x"):
        explain_peak("MI3000X")
    with pytest.raises(UnknownProduct, match="the end of 6 names"):
        explain_peak("xt")
    with pytest.raises(UnknownName, match="not a type of matrix rates"):
        explain_peak("MI300X", type="f17")
    with pytest.raises(Unsupported, match="no dense matrix instruction of type tf32"):
        explain_peak("MI350X", type="tf32")
    with pytest.raises(Unsupported, match="no sparse"):
        explain_peak("RX 7900 XTX", type="f16", sparse=True)
    with pytest.raises(OutOfRange, match="must be positive"):
        explain_peak("MI300X", type="f16", clock_mhz=-1)
    with pytest.raises(OutOfRange, match="must be positive"):
        explain_peak("gfx942", type="f16", units_count=0)


@pytest.mark.parametrize("word", ["fp3", "fp7", "f17", "int9", "xyz"])
def test_a_type_that_is_none_offers_those_of_the_product(word: str) -> None:
    with pytest.raises(UnknownName, match=r"(?s)of gfx942.*All: fp64, fp32, tf32,") as caught:
        explain_peak("MI300X", type=word)
    assert caught.value.allowed
    # What is offered can be asked for as it is written.
    for offered in caught.value.allowed:
        assert explain_peak("MI300X", type=str(offered)).peaks


@pytest.mark.parametrize(
    ("name", "near"), [("RX 9999", '"rx 9070", "rx 9060"'), ("RX9999", "rx9070, rx9060")]
)
def test_a_product_that_is_none_offers_names_in_the_same_spelling(name: str, near: str) -> None:
    with pytest.raises(UnknownName, match=f"(?s)Closest: {near}.*All: wavemma list products"):
        explain_peak(name)
    for offered in near.split(", "):
        assert explain_peak(offered.strip('"')).product
