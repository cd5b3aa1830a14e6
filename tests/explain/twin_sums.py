"""The exact twin's answer for an instruction run along k: numerics.md section 1, not our tables."""

from collections.abc import Sequence

from tests.execute.rule_map import rule_of
from tests.twin import dot
from wavemma.isa import catalog


def twin_sum(
    target: str,
    name: str,
    a: Sequence[int],
    b: Sequence[int],
    c: int,
    *,
    formats: dict[str, str],
    wave: int,
    times: int = 1,
    clamp: bool = False,
    signed: tuple[bool, bool] = (True, True),
) -> int:
    """Run whole instructions, k filled up with +0, `times` over."""
    instruction = catalog.instruction(name, target)
    rule, options = rule_of(instruction, wave, formats)
    if formats["a"] in ("i8", "iu8", "iu4"):
        options |= {"clamp": clamp, "signed_a": signed[0], "signed_b": signed[1]}
    depth = instruction.shape[2]
    short = -len(a) % depth or (depth if not a else 0)
    left, right = [*a, *[0] * short], [*b, *[0] * short]
    state = c
    for _ in range(times):
        for first in range(0, len(left), depth):
            part = slice(first, first + depth)
            state = dot(
                rule,
                left[part],
                right[part],
                state,
                a_format=formats["a"],
                b_format=formats["b"],
                c_format=formats["d"],
                **options,
            )
    return state
