"""Records of data/messages.toml: what compilers and assemblers say of wrong matrix code."""

import re
from functools import cache
from typing import Literal

import msgspec

from wavemma.tables.files import rows
from wavemma.tables.keys import Grade, by_name

_FILE = "messages.toml"
_NAME = re.compile(r"\{(\w+)\}")
About = Literal[
    "builtin", "call", "constant", "intrinsic", "line", "target", "option", "constraint"
]


class MessageRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One message.

    Attributes:
        name: Key.
        tool: What says it, "clang" or "llvm-mc".
        about: What it speaks of.
        text: Its words; a name in braces stands for what differs each time.
        cause: What it means; may use those names.
        fix: What to do, one sentence each; may use those names.

    """

    name: str
    tool: Literal["clang", "llvm-mc"]
    about: About
    text: str
    cause: str
    fix: tuple[str, ...]
    source: str
    grade: Grade


class Said(msgspec.Struct, frozen=True):
    """A message found in a text: its row, where it begins, and what stood for its names."""

    row: MessageRow
    start: int
    words: dict[str, str]


@cache
def messages() -> dict[str, MessageRow]:
    """Give every message by name, in file order.

    Raises:
        DataMistake: If two rows have one name.

    """
    return by_name(_FILE, "message", rows(_FILE, "message", MessageRow))


def said_in(text: str) -> Said | None:
    """Find the first message in a text whose spaces are single; the longest of several there."""
    found = [
        Said(row, match.start(), match.groupdict())
        for row in messages().values()
        for match in [_pattern(row.text).search(text)]
        if match
    ]
    return min(found, key=lambda each: (each.start, -len(each.row.text)), default=None)


@cache
def _pattern(text: str) -> re.Pattern[str]:
    """Turn the words of a message into a search; a name stands for as little as fits."""
    parts = _NAME.split(text)
    escaped = [re.escape(part) for part in parts]
    for place in range(1, len(parts), 2):
        last = place + 1 == len(parts) - 1 and not parts[-1]
        escaped[place] = rf"(?P<{parts[place]}>[^ ]+{'' if last else '?'})"
    return re.compile("".join(escaped))
