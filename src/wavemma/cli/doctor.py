"""wavemma doctor: is this installation sound."""

from pathlib import Path

from wavemma.cli.output import present
from wavemma.explain.installation import installation


def doctor(*, folder: Path | None = None, json: bool = False) -> int:
    """Check that this installation is sound.

    For example:

    | wavemma doctor

    Args:
        folder: Another cache folder than the default.
        json: Print one JSON document.

    """
    answer = installation(folder)
    present(answer, json=json)
    return 0 if answer.is_sound else 1
