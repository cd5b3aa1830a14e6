"""`wavemma completion`."""

from importlib.resources import files
from typing import Literal

from wavemma.cli.output import write

_FOLDER = "shells"


def completion(shell: Literal["bash", "zsh", "fish"], /) -> int:
    """Print the script that completes words in a shell.

    Turn it on with: eval "$(wavemma completion bash)" in ~/.bashrc, the same for zsh in ~/.zshrc,
    or wavemma completion fish > ~/.config/fish/completions/wavemma.fish.

    For example:

    | wavemma completion bash

    Args:
        shell: The shell.

    """
    place = files("wavemma.cli").joinpath(_FOLDER).joinpath(shell)
    write(place.read_text(encoding="utf-8"))
    return 0
