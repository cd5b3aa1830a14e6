"""Free runs of numbers against a plain set."""

from hypothesis import given
from hypothesis import strategies as st

from wavemma.machine.memory.free_runs import FreeRuns

FIRST, END = 3, 40


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 9)), max_size=80))
def test_runs_are_free_and_given_when_there_are_any(steps: list[tuple[bool, int]]) -> None:
    runs = FreeRuns(FIRST, END)
    free = set(range(FIRST, END))
    held: list[tuple[int, int]] = []
    for is_taking, number in steps:
        if is_taking:
            first = runs.take(number)
            fitting = {n for n in free if free.issuperset(range(n, n + number))}
            assert (first is None) == (not fitting)
            if first is not None:
                assert first in fitting
                free -= set(range(first, first + number))
                held.append((first, number))
        elif held:
            first, count = held.pop(number % len(held))
            runs.give_back(first, count)
            free |= set(range(first, first + count))


def test_numbers_come_again_as_late_as_they_can() -> None:
    runs = FreeRuns(0, 5)
    assert runs.take(2) == 0
    runs.give_back(0, 2)
    assert [runs.take() for _ in range(6)] == [2, 3, 4, 0, 1, None]
