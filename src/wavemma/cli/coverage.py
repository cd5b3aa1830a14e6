"""The command `wavemma coverage`."""

from wavemma.cli.output import present
from wavemma.explain.coverage import explain_coverage


def coverage(*, json: bool = False) -> int:
    """Tell which instructions are decoded and run.

    For example:

    | wavemma coverage

    Args:
        json: Print JSON.

    """
    present(explain_coverage(), json=json)
    return 0
