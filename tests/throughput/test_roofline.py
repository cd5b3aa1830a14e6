"""Peak rates against every published figure, and cases 25 and 26."""

import math
from fractions import Fraction

import pytest

from tests.facts import facts_json
from wavemma.errors import OutOfRange, UnknownName, UnknownProduct, Unsupported
from wavemma.tables.products import products
from wavemma.tables.rates import published_peaks, rate_types
from wavemma.tables.targets import targets
from wavemma.throughput.cost import cost
from wavemma.throughput.roofline import peak, peak_of_target, rates


def _status(comparison):
    """Say a comparison in the words of the facts."""
    words = {
        "equal after rounding": "equal after rounding",
        "equal within the last digit": "equal after cutting off digits",
        "mismatch": "mismatch",
    }
    status = words[comparison.agreement]
    return (
        f"{status} (clock derived from {comparison.clock_from})"
        if comparison.clock_from
        else status
    )


@pytest.mark.facts
def test_every_check_of_the_facts_comes_out_the_same():
    facts = facts_json("products")["checks"]
    assert len(facts) == 156
    for fact in facts:
        found = peak(fact["product"], fact["type"], sparse=fact["sparse"])
        comparison = next(
            one
            for one in found.comparisons
            if (one.published.source, one.published.tera) == (fact["source"], fact["published"])
        )
        assert found.ops_per_cu_per_cycle == fact["ops_per_cu_per_cycle"]
        assert found.cost.instruction == fact["instruction"]
        assert found.tera == pytest.approx(fact["computed"], abs=0.0006)
        assert comparison.ratio == pytest.approx(fact["ratio"], abs=0.0001)
        assert bool(comparison.published.reason) == ("note" in fact)
        if fact["status"] == "circular":
            assert comparison.circular
        else:
            assert _status(comparison) == fact["status"]


@pytest.mark.facts
def test_only_the_listed_mismatches_have_a_reason():
    listed = {(fact["product"], fact["type"]) for fact in facts_json("products")["mismatches"]}
    assert len(listed) == 10
    ours = {
        (row.product, row.type + " sparse" * row.sparse)
        for rows in published_peaks().values()
        for row in rows
        if row.reason
    }
    assert ours == listed
    for product, kind in listed:
        name, _, sparse = kind.partition(" ")
        found = peak(product, name, sparse=bool(sparse))
        wrong = [one for one in found.comparisons if one.agreement == "mismatch"]
        assert [bool(one.published.reason) for one in wrong] == [True]


@pytest.mark.facts
def test_rates_of_every_target_are_those_of_the_facts():
    """Case 25 as a kind: operations a unit a cycle, every type of every target."""
    checked = 0
    for name, fact in facts_json("products")["targets"].items():
        ours = {
            kind + " sparse" * sparse: (one.ops_per_cu_per_cycle, one.instruction)
            for (kind, sparse), one in rates(name).items()
        }
        wanted = {
            kind: (rate["ops_per_cu_per_cycle"], rate["instruction"])
            for kind, rate in fact["rates"].items()
        }
        assert ours == wanted, name
        checked += len(ours)
    assert checked == 107


def test_case_25_itself():
    assert rates("gfx942")["fp16", False].ops_per_cu_per_cycle == 2048
    assert rates("gfx942")["fp8", False].ops_per_cu_per_cycle == 4096


@pytest.mark.facts
def test_peaks_of_every_product_are_those_of_the_facts():
    """Case 26 as a kind: every product, every type, dense and sparse."""
    checked = 0
    for fact in facts_json("products")["products"]:
        wanted = fact.get("computed_peaks", {})
        ours = {}
        for kind, sparse in rates(fact["target"]):
            found = peak(fact["name"], kind, sparse=sparse)
            if found.tera is not None:
                ours[kind + " sparse" * sparse] = found.tera
        assert ours == pytest.approx(wanted, abs=0.0051), fact["name"]
        checked += len(ours)
    assert checked == 360


def test_case_26_itself():
    assert peak("RX 7900 XTX", "f16", clock_mhz=2500).tera == pytest.approx(122.88)
    assert peak("MI300X", "bf16").tera == pytest.approx(1307.4, abs=0.05)


def test_a_peak_is_its_formula():
    for name in products():
        for kind, sparse in rates(products()[name].target):
            found = peak(name, kind, sparse=sparse, clock_mhz=1234.5)
            exact = Fraction(found.units) * Fraction(found.ops_per_cu_per_cycle) * Fraction(1234.5)
            assert found.tera == float(exact / 10**6)


def test_the_clock_of_an_argument_leaves_the_comparison_alone():
    own, given = peak("RX 7900 XTX", "f16"), peak("RX 7900 XTX", "f16", clock_mhz=1000)
    assert own.comparisons == given.comparisons != ()
    assert (given.clock_source, given.clock_mhz) == ("given", 1000)
    assert own.clock_source == "tpu"


def test_unknown_clocks_and_cycles_give_no_rate():
    assert peak("MI440X", "fp16").tera is None
    assert peak("MI440X", "fp16", clock_mhz=1000).tera == pytest.approx(2097.152)
    unknown = peak_of_target("gfx1170", "fp16", units=4, clock_mhz=1000)
    assert (unknown.tera, unknown.ops_per_cu_per_cycle) == (None, None)
    assert rates("gfx1170") == {}


def test_a_stepping_may_have_another_best_instruction():
    """The f8f6f4 form takes twice as long on stepping A0; the plain fp8 form is not told apart."""
    new, old = peak("MI455X", "fp8"), peak("MI455X", "fp8", stepping="A0")
    assert new.cost.instruction == "v_wmma_f32_16x16x128_f8f6f4"
    assert old.cost.instruction == "v_wmma_f32_16x16x128_fp8_fp8"
    assert new.cost.instruction not in old.alternatives


def test_equally_fast_instructions_are_listed():
    found = peak("MI300X", "fp8")
    assert len(found.alternatives) == 7
    assert found.cost.instruction not in found.alternatives


def test_a_target_answers_with_a_clock():
    assert peak_of_target("gfx1100", "f16", units=96, clock_mhz=2500).tera == pytest.approx(122.88)


@pytest.mark.parametrize("name", sorted(targets()))
def test_a_missing_type_tells_those_that_exist(name):
    have = {kind for kind, sparse in rates(name) if not sparse}
    for kind in set(rate_types()) - have if have else []:
        with pytest.raises(Unsupported, match=f"{name} has no dense matrix instruction"):
            peak_of_target(name, kind, units=1, clock_mhz=1)


@pytest.mark.parametrize("clock", [math.nan, math.inf, -math.inf, 1e308, 1_000_001])
def test_clocks_beyond_every_chip_are_refused(clock):
    with pytest.raises(OutOfRange, match="at most 1,000,000 MHz"):
        peak("MI300X", "fp16", clock_mhz=clock)
    with pytest.raises(OutOfRange, match="at most 1,000,000 MHz"):
        peak_of_target("gfx942", "fp16", units=3, clock_mhz=clock)
    with pytest.raises(OutOfRange, match=r"within 1\.\.1,000,000"):
        peak_of_target("gfx942", "fp16", units=10**400, clock_mhz=1000)


def test_case_of_a_target_does_not_matter():
    large = peak_of_target("GFX942", "fp16", units=3, clock_mhz=1000)
    assert large == peak_of_target("gfx942", "fp16", units=3, clock_mhz=1000)
    assert rates("GFX942") == rates("gfx942") != {}
    assert cost("GFX942", "v_mfma_f32_32x32x8_f16").target == "gfx942"


def test_mistakes_are_told():
    with pytest.raises(UnknownProduct):
        peak("RX 6900 XT", "f16")
    with pytest.raises(UnknownName, match="'f12' is not a type"):
        peak("MI300X", "f12")
    with pytest.raises(Unsupported, match="gfx1100 has no sparse matrix instruction of type fp16"):
        peak("RX 7900 XTX", "fp16", sparse=True)
    with pytest.raises(OutOfRange, match=r"The clock must be positive .* it is 0"):
        peak("RX 7900 XTX", "fp16", clock_mhz=0)
    with pytest.raises(OutOfRange, match=r"must lie within 1\.\.1,000,000, it is -1"):
        peak_of_target("gfx942", "fp16", units=-1, clock_mhz=1)
