"""The command `wavemma rate`."""

from wavemma.cli.output import present
from wavemma.explain.rates import explain_rate


def rate(
    target: str,
    op: str,
    *,
    wave: int | None = None,
    stepping: str | None = None,
    json: bool = False,
) -> int:
    """Tell how fast one instruction runs.

    For example:

    | wavemma rate gfx942 v_mfma_f32_32x32x8_f16

    Args:
        target: Compile target, such as gfx942.
        op: Mnemonic, such as v_mfma_f32_32x32x8_f16.
        wave: Lanes of a wave, 32 or 64; the target's default if left out.
        stepping: Only this silicon stepping, such as A0; all that differ if left out.
        json: Print JSON.

    """
    present(explain_rate(target, op, wave=wave, stepping=stepping), json=json)
    return 0
