"""The command `wavemma show`."""

from wavemma.cli.output import present
from wavemma.explain.name import explain_name


def show(
    name: str,
    *,
    target: str | None = None,
    wave: int | None = None,
    full: bool = False,
    json: bool = False,
) -> int:
    """Show everything about one name.

    For example:

    | wavemma show __builtin_amdgcn_wmma_f32_16x16x16_f16_w32
    | wavemma show v_wmma_f32_16x16x16_f16 --target gfx1201
    | wavemma show "RX 7900 XTX"

    Args:
        name: Instruction, builtin, target, architecture, number format, product or model.
        target: Only what it is on this target, such as gfx942.
        wave: Layouts for this wave size only, 32 or 64.
        full: Print every table whole.
        json: Print JSON.

    """
    present(explain_name(name, target, wave), json=json, full=full)
    return 0
