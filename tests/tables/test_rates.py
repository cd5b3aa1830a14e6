"""Published types and peaks of data/products.toml against products.json, and their own rules."""

import pytest

from tests.facts import facts_json
from wavemma.errors import UnknownName
from wavemma.tables.rates import published_peaks, rate_type, rate_types


@pytest.mark.facts
def test_published_peaks_are_those_of_the_facts():
    count = 0
    for fact in facts_json("products")["products"]:
        ours = [
            {
                "type": row.type,
                "sparse": row.sparse,
                "tera": row.tera,
                "resolution": row.resolution,
                "source": row.source,
                "grade": row.grade,
                **({"note": True} if row.reason else {}),
            }
            for row in published_peaks().get(fact["name"], ())
        ]
        wanted = [{**peak, **({"note": True} if "note" in peak else {})} for peak in fact["peaks"]]
        assert ours == wanted, fact["name"]
        count += len(ours)
    assert count == 156


def test_a_format_belongs_to_one_type():
    words = [word for row in rate_types().values() for word in (row.name, *row.formats)]
    repeated = {word for word in words if words.count(word) > 1}
    assert repeated == {name for name, row in rate_types().items() if name in row.formats}


@pytest.mark.parametrize(
    ("word", "name"),
    [("f16", "fp16"), ("fp16", "fp16"), ("xf32", "tf32"), ("iu8", "int8"), ("bf8_fnuz", "fp8")],
)
def test_types_are_found_by_any_of_their_words(word, name):
    assert rate_type(word).name == name


def test_an_unknown_type_offers_the_nearest():
    with pytest.raises(UnknownName, match=r"'f17' is not a type of matrix rates\.\n  Closest: f16"):
        rate_type("f17")
