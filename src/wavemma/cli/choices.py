"""Options that exclude one another: each one that would not be heeded is refused."""

from collections.abc import Mapping

from wavemma.errors import SyntaxMistake


def check_one(**switches: bool) -> None:
    """Refuse two switches that each choose what is printed.

    Raises:
        SyntaxMistake: Two are on.

    """
    if sum(switches.values()) > 1:
        names = [f"--{name}" for name in switches]
        raise SyntaxMistake(f"Only one of {', '.join(names[:-1])} and {names[-1]} can be printed.")


def check_alone(option: str, others: Mapping[str, bool], *, why: str) -> None:
    """Refuse options that mean nothing beside another.

    Args:
        option: The option or argument that decides what is done.
        others: Whether each of the others was given, by its name.
        why: What the first one does, as a sentence without a full stop.

    Raises:
        SyntaxMistake: One of the others was given.

    """
    given = [name for name, is_given in others.items() if is_given]
    if given:
        raise SyntaxMistake(
            f"{option} {why}; {', '.join(given)} would not be heeded: leave out one or the other.",
            subject=given[0],
        )
