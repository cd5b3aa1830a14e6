"""What to call on each target, where it isn't known which of them is meant."""

from collections.abc import Iterator, Sequence

from wavemma.clang_builtins.names import available
from wavemma.explain.availability import find_builtin
from wavemma.tables.builtins import BuiltinRow
from wavemma.tables.targets import Wave, target, targets


def calls_elsewhere(rows: Sequence[BuiltinRow]) -> Iterator[str]:
    """Name the builtin to call on the targets that lack the one asked about, one line a builtin.

    Args:
        rows: The builtin asked about, or those that an intrinsic may come from.

    """
    owners = {name for row in rows for name in available(row)}
    calls: dict[str, list[str]] = {}
    for name in targets():
        advice = None if name in owners else find_builtin(rows, name, _wave(rows, name)).advice
        if advice and advice.builtin:
            calls.setdefault(advice.builtin, []).append(name)
    for builtin, names in calls.items():
        yield f"On {', '.join(names)}: {builtin}."


def _wave(rows: Sequence[BuiltinRow], name: str) -> Wave | None:
    """Choose the lanes that the builtin asked about needs, where the target has such waves."""
    needed = rows[0].wave
    return next((each for each in target(name).waves if each == needed), None)
