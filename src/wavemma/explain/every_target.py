"""What to call on each target, where it isn't known which of them is meant."""

from collections.abc import Sequence
from typing import NamedTuple

from wavemma.clang_builtins.names import available
from wavemma.explain.answer import Evidence
from wavemma.explain.availability import find_builtin
from wavemma.tables.builtins import BuiltinRow
from wavemma.tables.targets import Wave, target, targets

# What a call rests on; layouts, cycles and arithmetic are not said here.
_OF_A_CALL = ("instruction", "builtin")


class Calls(NamedTuple):
    """What to call on the targets that lack a builtin.

    Attributes:
        steps: One sentence for each builtin to call.
        evidence: What they rest on, by target.

    """

    steps: tuple[str, ...]
    evidence: tuple[Evidence, ...]


def calls_elsewhere(rows: Sequence[BuiltinRow]) -> Calls:
    """Name the builtin to call on the targets that lack the one asked about.

    Args:
        rows: The builtin asked about, or those that an intrinsic may come from.

    """
    owners = {name for row in rows for name in available(row)}
    calls: dict[str, list[str]] = {}
    evidence: list[Evidence] = []
    for name in targets():
        if name in owners:
            continue
        found = find_builtin(rows, name, _wave(rows, name))
        if found.advice and found.advice.builtin:
            calls.setdefault(found.advice.builtin, []).append(name)
            evidence += [each for each in found.evidence if each.what.startswith(_OF_A_CALL)]
    steps = tuple(f"On {', '.join(names)}: {builtin}." for builtin, names in calls.items())
    return Calls(steps, tuple(evidence))


def _wave(rows: Sequence[BuiltinRow], name: str) -> Wave | None:
    """Choose the lanes that the builtin asked about needs, where the target has such waves."""
    needed = rows[0].wave
    return next((each for each in target(name).waves if each == needed), None)
