"""The command `wavemma guard`."""

from typing import Annotated

from cyclopts import Parameter

from wavemma.cli.numbers import names
from wavemma.cli.output import present
from wavemma.explain.guard import explain_guard


def guard(
    *feature: str,
    target: str = "",
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Write the preprocessor guard of a feature.

    For example:

    | wavemma guard f16 wmma
    | wavemma guard fp8 --target gfx942,gfx1201

    Args:
        feature: A builtin, an instruction, targets or products such as gfx1100,MI300X, or words as
            f16 wmma, fp8, sparse, scaled, i32_16x16x16_iu8.
        target: Say whether these targets have it, separated by commas.
        json: Print JSON.

    """
    asked = [name.lower() for name in names(target)]
    answer = explain_guard(" ".join(feature), asked)
    present(answer, json=json)
    return 0 if all(each.has for each in answer.asked) else 1
