"""Matrix builtins that a source calls and its target does not have."""

import re

from wavemma.clang_builtins.names import available, instructions_of
from wavemma.errors import UnknownBuiltin
from wavemma.tables.builtins import builtins

_MARK = re.compile(r'^# (\d+) "([^"]*)"')
_NAME = re.compile(r"\b__builtin_amdgcn_\w+")


def wrong_builtins(expanded: str, target_name: str) -> tuple[str, ...]:
    """Say for each builtin that the target lacks where it is called and what is nearest.

    Clang lets some of these calls pass, and its back end then crashes.

    Args:
        expanded: The source as the preprocessor leaves it, with its line marks.
        target_name: The target.

    """
    found: dict[str, str] = {}
    file, line = "", 0
    for text in expanded.splitlines():
        mark = _MARK.match(text)
        if mark:
            line, file = int(mark[1]), mark[2]
            continue
        for name in _NAME.findall(text):
            if name in builtins() and target_name not in available(builtins()[name]):
                found.setdefault(name, f"{file}:{line}: {_told(name, target_name)}")
        line += 1
    return tuple(found.values())


def _told(name: str, target_name: str) -> str:
    try:
        instructions_of(name, target_name)
    except UnknownBuiltin as error:
        return str(error)
    return f"{name} does not exist on {target_name}."
