import json

import msgspec
import pytest

from tests.render.answers import some_answers
from wavemma.render.structure import as_json

ANSWERS = some_answers()


@pytest.mark.parametrize("name", ANSWERS)
def test_one_schema_and_every_field(name: str) -> None:
    answer = ANSWERS[name]
    text = as_json(answer)
    found = json.loads(text)
    assert list(found)[:2] == ["schema", "answer"]
    assert found.pop("schema") == "wavemma/1"
    assert found.pop("answer") == type(answer).__name__
    assert set(found) == set(type(answer).__struct_fields__)
    assert text.splitlines()[1].startswith('  "')


@pytest.mark.parametrize("name", ANSWERS)
def test_the_answer_comes_back(name: str) -> None:
    answer = ANSWERS[name]
    assert msgspec.json.decode(as_json(answer), type=type(answer), strict=True) == answer


@pytest.mark.parametrize("name", ANSWERS)
def test_the_same_answer_gives_the_same_text(name: str) -> None:
    assert as_json(ANSWERS[name]) == as_json(some_answers()[name])
