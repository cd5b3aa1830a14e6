"""wavemma cache: the compiled kernels on disk."""

from pathlib import Path

from wavemma.cli.output import present
from wavemma.explain.kernel_cache import kernel_cache


def info(*, folder: Path | None = None, json: bool = False) -> int:
    """Tell where compiled kernels are kept and how much.

    For example:

    | wavemma cache info

    Args:
        folder: Another cache folder than the default.
        json: Print one JSON document.

    """
    present(kernel_cache(folder), json=json)
    return 0


def clear(*, folder: Path | None = None, json: bool = False) -> int:
    """Delete the compiled kernels.

    For example:

    | wavemma cache clear

    Args:
        folder: Another cache folder than the default.
        json: Print one JSON document.

    """
    present(kernel_cache(folder, clear=True), json=json)
    return 0
