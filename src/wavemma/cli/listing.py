"""The command `wavemma list`."""

from typing import Annotated, Literal

from cyclopts import Parameter

from wavemma.cli.output import present
from wavemma.explain.listing import Filters, explain_list

What = Literal["instructions", "builtins", "targets", "products", "formats", "models"]


def list_(
    what: What = "instructions",
    *,
    target: str = "",
    type: str = "",
    result: str = "",
    sparse: Annotated[bool | None, Parameter(negative="--no-sparse")] = None,
    kind: str = "",
    json: bool = False,
) -> int:
    """List instructions, builtins, targets, products, formats.

    For example:

    | wavemma list --target gfx1201 --type f16
    | wavemma list builtins --target MI300X
    | wavemma list products

    Args:
        what: What to list.
        target: Only what this target has, such as gfx942.
        type: Only where A, B, C or D can have this format, such as f16 or fp8.
        result: Only where D has this format.
        sparse: Only with sparse A, or only with dense A.
        kind: Only mfma, smfmac, wmma, swmmac or scale_load.
        json: Print JSON.

    """
    answer = explain_list(
        what, Filters(target=target, type=type, result=result, sparse=sparse, kind=kind)
    )
    present(answer, json=json)
    return 0 if answer.rows else 1
