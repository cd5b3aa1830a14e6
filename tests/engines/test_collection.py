"""Nothing is collected where objects are made and kept."""

import gc
from collections.abc import Iterator

import pytest

from wavemma.engines.collection import without_collection


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    was_on = gc.isenabled()
    yield
    (gc.enable if was_on else gc.disable)()


@pytest.mark.parametrize("is_on", [True, False])
def test_the_collector_is_off_inside_and_as_before_behind(is_on: bool) -> None:
    (gc.enable if is_on else gc.disable)()
    with without_collection(), without_collection():
        assert not gc.isenabled()
    assert gc.isenabled() == is_on
    with pytest.raises(ZeroDivisionError), without_collection():
        assert 1 / 0
    assert gc.isenabled() == is_on
